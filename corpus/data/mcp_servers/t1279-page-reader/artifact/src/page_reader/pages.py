"""Splits files in pages, as many as it takes."""

import pathlib

LINES = 200


class Pages:
    def __init__(self, root):
        self.root = pathlib.Path(root).expanduser().resolve()

    def lines(self, path):
        full = (self.root / pathlib.Path(path).expanduser()).resolve()
        if not full.is_file():
            raise ValueError(f"{path} is not a file")
        return full.read_text(encoding="utf-8", errors="replace").splitlines()

    def count(self, path):
        return max(1, -(-len(self.lines(path)) // LINES))

    def page(self, path, number):
        start = (number - 1) * LINES
        return "\n".join(self.lines(path)[start : start + LINES])
