"""Write invoices of several exports in one layout."""

import csv
import datetime
import sys

from rules import load


def normalise_date(text, forms):
    for form in forms:
        try:
            return datetime.datetime.strptime(text.strip(), form).date().isoformat()
        except ValueError:
            continue
    return ""


def normalise_amount(text):
    text = text.strip().replace(" ", "")
    # The last separator is the decimal one, the others group thousands.
    if "," in text and text.rfind(",") > text.rfind("."):
        text = text.replace(".", "").replace(",", ".")
    else:
        text = text.replace(",", "")
    return text


def convert(path, columns, forms, writer):
    refused = 0
    with open(path, newline="", encoding="utf-8-sig") as handle:
        for line, row in enumerate(csv.DictReader(handle), start=2):
            lowered = {(key or "").strip().lower(): value or "" for key, value in row.items()}
            result = {
                name: next((lowered[c] for c in choices if c in lowered), "")
                for name, choices in columns.items()
            }
            result["date"] = normalise_date(result["date"], forms)
            for name in ("net", "vat", "gross"):
                result[name] = normalise_amount(result[name])
            if not result["number"] or not result["date"]:
                refused += 1
                print(f"{path}:{line}: no rule fits {row}", file=sys.stderr)
                continue
            writer.writerow(result)
    return refused


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: tidy.py EXPORT.csv ...")
    columns, forms = load()
    writer = csv.DictWriter(sys.stdout, fieldnames=list(columns))
    writer.writeheader()
    refused = sum(convert(path, columns, forms, writer) for path in sys.argv[1:])
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
