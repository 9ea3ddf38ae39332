"""Command line."""

import argparse
import json

from . import cache, log


def main(argv=None):
    parser = argparse.ArgumentParser(prog="commit-stats")
    parser.add_argument("repo", nargs="?", default=".")
    parser.add_argument("--since")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)

    cache.warm_up()
    table = log.per_author(log.read(args.repo, args.since))
    if args.json:
        print(json.dumps(table, indent=2))
        return 0
    print(f"{'author':<18}{'commits':>7}   first        last")
    for name, row in sorted(table.items(), key=lambda kv: -kv[1]["commits"]):
        print(f"{name:<18}{row['commits']:>7}   {row['first']}   {row['last']}")
    return 0
