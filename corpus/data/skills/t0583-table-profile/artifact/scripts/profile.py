"""Profile the columns of a delimited text file, by the names in its first row."""

import argparse
import csv
import itertools
import sys

from kinds import classify

EMPTY = {"", "na", "n/a", "null", "none", "-"}


class Column:
    def __init__(self, name):
        self.name = name
        self.kinds = {}
        self.empty = 0
        self.distinct = set()
        self.low = self.high = None

    def add(self, cell):
        text = cell.strip()
        if text.lower() in EMPTY:
            self.empty += 1
            return
        kind, value = classify(text)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if len(self.distinct) < 10_000:
            self.distinct.add(text)
        if kind in {"integer", "decimal", "date"}:
            if self.low is None or (type(value) is type(self.low) and value < self.low):
                self.low = value
            if self.high is None or (type(value) is type(self.high) and value > self.high):
                self.high = value

    def warnings(self, rows):
        found = []
        if len(self.kinds) > 1:
            found.append("mixed-kinds")
        if rows and self.empty / rows > 0.5:
            found.append("mostly-empty")
        if rows > 20 and len(self.distinct) == 1:
            found.append("constant")
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path")
    parser.add_argument("--rows", type=int, default=None)
    args = parser.parse_args()

    with open(args.path, newline="", encoding="utf-8-sig", errors="replace") as handle:
        sample = handle.read(8192)
        handle.seek(0)
        try:
            dialect = csv.Sniffer().sniff(sample, delimiters=",;\t|")
        except csv.Error:
            dialect = csv.excel
        reader = csv.reader(handle, dialect)
        header = next(reader, None)
        if header is None:
            sys.exit("the file is empty")
        columns = [Column(name) for name in header]
        rows = 0
        for record in itertools.islice(reader, args.rows):
            rows += 1
            for column, cell in zip(columns, record):
                column.add(cell)

    print(f"{rows} rows, {len(columns)} columns, delimiter {dialect.delimiter!r}")
    for column in columns:
        kind = max(column.kinds, key=column.kinds.get, default="empty")
        notes = " ".join(column.warnings(rows))
        print(f"{column.name}\t{kind}\tempty={column.empty}\tdistinct={len(column.distinct)}"
              f"\t{column.low}..{column.high}\t{notes}")


if __name__ == "__main__":
    main()
