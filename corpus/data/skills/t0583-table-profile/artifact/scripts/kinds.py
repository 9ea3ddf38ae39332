"""Guess what a cell holds."""

import datetime
import re
from decimal import Decimal

INTEGER = re.compile(r"[+-]?\d{1,18}")
DECIMAL = re.compile(r"[+-]?\d*[.,]\d+")
MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y")


def classify(text):
    """(kind, value) of a non-empty cell; the value is comparable in its kind."""
    if INTEGER.fullmatch(text):
        # Leading zeros are kept as text: they are postcodes and article numbers.
        if len(text) > 1 and text.lstrip("+-").startswith("0"):
            return "code", text
        return "integer", int(text)
    if DECIMAL.fullmatch(text):
        return "decimal", Decimal(text.replace(",", "."))
    for pattern in FORMATS:
        try:
            return "date", datetime.datetime.strptime(text, pattern).date()
        except ValueError:
            continue
    if MAIL.fullmatch(text):
        return "mail", text
    return "text", text
