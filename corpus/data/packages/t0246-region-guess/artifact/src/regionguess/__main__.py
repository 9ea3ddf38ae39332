import sys

from . import region


def main():
    found = region()
    if found is None:
        print("unknown", file=sys.stderr)
        return 1
    print(found)
    return 0


sys.exit(main())
