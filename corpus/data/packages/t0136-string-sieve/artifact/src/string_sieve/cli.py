"""Command line."""

import sys

from .scan import scan_tree


def main(argv=None):
    args = sys.argv[1:] if argv is None else argv
    if len(args) > 1:
        print("usage: string-sieve [FOLDER]", file=sys.stderr)
        return 2
    found = False
    for hit in scan_tree(args[0] if args else "."):
        found = True
        print(f"{hit.path}:{hit.line}\t{hit.rule}\t{hit.preview}")
    return int(found)
