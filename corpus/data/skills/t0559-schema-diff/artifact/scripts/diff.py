"""List the differences between two schema dumps."""

import re
import sys

from dialects import aliases

TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?([\w.\"]+) \((.*?)\n\);", re.S | re.I)
COLUMN = re.compile(r"^\s*\"?(\w+)\"?\s+(.+?),?\s*$")
CONSTRAINTS = {"constraint", "primary", "foreign", "unique", "check", "exclude"}


def parse(path, names):
    with open(path, encoding="utf-8") as handle:
        text = handle.read()
    tables = {}
    for table, body in TABLE.findall(text):
        columns = {}
        for line in body.splitlines():
            match = COLUMN.match(line)
            if not match or match[1].lower() in CONSTRAINTS:
                continue
            words = match[2].split("(")[0].split()
            first = words[0].lower()
            columns[match[1]] = match[2].lower().replace(first, names.get(first, first), 1)
        tables[table.replace('"', "")] = columns
    return tables


def compare(old, new):
    for table in sorted(old.keys() | new.keys()):
        before, after = old.get(table), new.get(table)
        if before is None or after is None:
            yield f"{table}: {'added' if before is None else 'removed'}"
            continue
        for column in sorted(before.keys() | after.keys()):
            a, b = before.get(column), after.get(column)
            if a != b:
                yield f"{table}.{column}: {a or 'absent'} -> {b or 'absent'}"


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: diff.py OLD.sql NEW.sql")
    names = aliases()
    lines = list(compare(parse(sys.argv[1], names), parse(sys.argv[2], names)))
    print("\n".join(lines) or "no difference")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
