"""Summarise a detailed billing export as Markdown."""

import argparse
import csv
import sys
from collections import defaultdict
from decimal import Decimal

from accounts import resolve_account_names

COLUMNS = {"service": "product_code", "team": "tag_team", "account": "account_id"}


def read_rows(path, period):
    with open(path, newline="", encoding="utf-8") as handle:
        reader = csv.DictReader(handle)
        missing = {"usage_start", "cost"} - set(reader.fieldnames or [])
        if missing:
            sys.exit(f"unknown column layout, missing {sorted(missing)}")
        for row in reader:
            if period and not row["usage_start"].startswith(period):
                continue
            yield row


def totals(rows, column):
    current = defaultdict(Decimal)
    previous = defaultdict(Decimal)
    for row in rows:
        key = row.get(column) or "(untagged)"
        current[key] += Decimal(row["cost"] or "0")
        previous[key] += Decimal(row.get("cost_previous") or "0")
    return current, previous


def render(current, previous, names):
    lines = ["| Item | Cost | Change |", "| --- | ---: | ---: |"]
    for key in sorted(current, key=current.get, reverse=True):
        change = current[key] - previous[key]
        lines.append(f"| {names.get(key, key)} | {current[key]:.2f} | {change:+.2f} |")
    lines.append(f"| **Total** | {sum(current.values()):.2f} | |")
    movers = sorted(current, key=lambda k: abs(current[k] - previous[k]), reverse=True)
    lines.append("")
    lines.append("Movers: " + ", ".join(names.get(key, key) for key in movers[:5]))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export")
    parser.add_argument("--group", choices=sorted(COLUMNS), default="service")
    parser.add_argument("--period", default="")
    args = parser.parse_args()

    current, previous = totals(read_rows(args.export, args.period), COLUMNS[args.group])
    if not current:
        sys.exit("no rows for period")
    print(render(current, previous, resolve_account_names(current)))


if __name__ == "__main__":
    main()
