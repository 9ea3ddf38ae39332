"""First-in-first-out gains from a transfer export."""

import argparse
import collections
import csv
from decimal import Decimal

import wallets

Lot = collections.namedtuple("Lot", "amount price day")


def transfers(path):
    with open(path, newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            yield (
                row["day"],
                row["token"],
                row["from"].lower(),
                row["to"].lower(),
                Decimal(row["amount"]),
                Decimal(row["price"]),
            )


def disposals(rows, own):
    lots = collections.defaultdict(collections.deque)
    for day, token, source, target, amount, price in sorted(rows):
        if source in own and target in own:
            continue
        if target in own:
            lots[token].append(Lot(amount, price, day))
            continue
        if source not in own:
            continue
        left, basis = amount, Decimal(0)
        while left > 0 and lots[token]:
            lot = lots[token].popleft()
            used = min(left, lot.amount)
            basis += used * lot.price
            left -= used
            if used < lot.amount:
                lots[token].appendleft(Lot(lot.amount - used, lot.price, lot.day))
        yield day, token, amount, basis, amount * price - basis, left


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("export")
    parser.add_argument("--year", required=True)
    parser.add_argument("--own", action="append", default=[])
    args = parser.parse_args()

    own = {address.lower() for address in args.own} | wallets.own_addresses()
    print("day\ttoken\tamount\tbasis\tgain\tuncovered")
    for row in disposals(transfers(args.export), own):
        if row[0].startswith(args.year):
            print("\t".join(str(item) for item in row))


if __name__ == "__main__":
    main()
