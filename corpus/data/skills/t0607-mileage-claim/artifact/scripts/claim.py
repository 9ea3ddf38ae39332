"""Turn a trip log into a claim."""

import csv
import datetime
import sys
from decimal import ROUND_HALF_UP, Decimal

from rates import load

CENT = Decimal("0.01")


def amount(row, rates):
    kilometres = Decimal(row["km"])
    total = kilometres * rates[row["vehicle"]]
    total += kilometres * rates["passenger"] * int(row.get("passengers") or 0)
    total += rates["meals"].get(row.get("meals") or "", Decimal(0))
    return total.quantize(CENT, ROUND_HALF_UP)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: claim.py TRIPS.csv")
    cache, months, open_rows = {}, {}, 0
    writer = csv.writer(sys.stdout)
    writer.writerow(["date", "vehicle", "km", "amount"])
    with open(sys.argv[1], newline="", encoding="utf-8") as handle:
        for line, row in enumerate(csv.DictReader(handle), start=2):
            day = datetime.date.fromisoformat(row["date"])
            if day.year not in cache:
                cache[day.year] = load(day.year)
            rates = cache[day.year]
            if rates is None or row["vehicle"] not in rates:
                open_rows += 1
                print(f"line {line}: no rate for {row['vehicle']} in {day.year}", file=sys.stderr)
                continue
            value = amount(row, rates)
            months[day.strftime("%Y-%m")] = months.get(day.strftime("%Y-%m"), 0) + value
            writer.writerow([row["date"], row["vehicle"], row["km"], value])
    for month, total in sorted(months.items()):
        print(f"{month}\t{total}", file=sys.stderr)
    return 1 if open_rows else 0


if __name__ == "__main__":
    sys.exit(main())
