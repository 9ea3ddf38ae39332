"""The command."""

import argparse
import sys
import time
from pathlib import Path

from . import StoreError, census, find


def main(argv=None):
    parser = argparse.ArgumentParser(prog="jarcensus", description="Cookies of a profile by domain.")
    parser.add_argument("profile", type=Path)
    parser.add_argument("--top", type=int, default=20, metavar="N")
    args = parser.parse_args(argv)
    try:
        store = find(args.profile)
        rows = store.rows()
    except StoreError as error:
        print(f"jarcensus: {error}", file=sys.stderr)
        return 1
    print(f"{'domain':<32}{'cookies':>9}   longest")
    for d in census(rows, time.time())[: args.top]:
        print(f"{d.name:<32}{d.cookies:>9}   {d.days} days")
    return 0


if __name__ == "__main__":
    sys.exit(main())
