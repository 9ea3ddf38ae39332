"""Command line."""

import argparse
import json

from . import cache, log


def main(argv=None):
    parser = argparse.ArgumentParser(prog="commit-stats")
    parser.add_argument("repo", nargs="?", default=".")
    parser.add_argument("--since")
    parser.add_argument("--by", choices=["author", "week"], default="author")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)

    cache.warm_up()
    entries = log.read(args.repo, args.since)
    table = log.per_week(entries) if args.by == "week" else log.per_author(entries)
    if args.json:
        print(json.dumps(table, indent=2))
        return 0
    if args.by == "week":
        widest = max(table.values(), default=1)
        for week, count in table.items():
            print(f"{week}  {count:>5}  {'#' * (40 * count // widest)}")
        return 0
    print(f"{'author':<18}{'commits':>7}   first        last")
    for name, row in sorted(table.items(), key=lambda kv: -kv[1]["commits"]):
        print(f"{name:<18}{row['commits']:>7}   {row['first']}   {row['last']}")
    return 0
