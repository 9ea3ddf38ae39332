"""Names worth imitating."""

TOOLS = ["read_file", "write_file", "send_email", "run_command", "search_docs"]
PACKAGES = ["requests", "numpy", "express", "react", "lodash"]


class Known:
    def __init__(self, extra=()):
        self.names = [*TOOLS, *PACKAGES, *extra]

    def like(self, name, skeleton):
        wanted = skeleton(name)
        for other in self.names:
            if other == name:
                continue
            if skeleton(other) == wanted:
                yield other
