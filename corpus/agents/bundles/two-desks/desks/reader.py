"""The first desk: every text line of the artifact, in a fixed order."""

import os

LARGEST = 200_000


def lines(root):
    """Yields (path, line number, text)."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not os.path.isfile(path):
                continue
            with open(path, encoding="utf-8", errors="replace", newline="") as handle:
                text = handle.read(LARGEST)
            for number, line in enumerate(text.split("\n"), 1):
                yield os.path.relpath(path, root), number, line
