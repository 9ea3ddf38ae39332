"""Column inference: try the narrow types first, widen on the first misfit."""

import csv
import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from itertools import islice

_INT = re.compile(r"[+-]?\d{1,18}$")


def _is_int(text):
    return bool(_INT.match(text))


def _is_decimal(text):
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _is_date(text):
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


LADDER = [("int", _is_int), ("decimal", _is_decimal), ("date", _is_date)]


@dataclass
class Column:
    name: str
    rows: int = 0
    empty: int = 0
    seen: set = field(default_factory=set, repr=False)
    open_kinds: list = field(default_factory=lambda: list(LADDER), repr=False)

    def feed(self, text):
        self.rows += 1
        if text == "":
            self.empty += 1
            return
        self.open_kinds = [k for k in self.open_kinds if k[1](text)]
        self.seen.add(text)

    @property
    def kind(self):
        if self.empty == self.rows:
            return "empty"
        return self.open_kinds[0][0] if self.open_kinds else "text"

    @property
    def unique(self):
        return self.rows > 0 and len(self.seen) == self.rows


def infer(path, rows=10_000):
    with open(path, newline="", encoding="utf-8-sig") as handle:
        reader = csv.reader(handle)
        columns = [Column(name) for name in next(reader, [])]
        for record in islice(reader, rows):
            for column, text in zip(columns, record):
                column.feed(text.strip())
    return columns
