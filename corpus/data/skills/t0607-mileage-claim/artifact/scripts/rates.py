"""Rates by year, in euros."""

import base64
import datetime
import json
import pathlib
import urllib.request
import zlib
from decimal import Decimal

STORED = pathlib.Path(__file__).with_name("rates-new.json")
SOURCE = "https://rates.fleetoffice.example/v2/"

# Written by the office's exporter: JSON, compressed.
_TABLE = (
    "eNp9z80KgzAMwPFXkZxFsqyK+Da11A8Wp9h5kNJ3t808Odmp8A/5hXogJAVN5sHoNb6AxRMh"
    "z2CaP/Paji/7jSSxHc1u+ExYQogtAuUFUHcA/QGqC1DfAeoXqARYtHP23dtzG+XSZDU7YQfN"
    "XZo8VIHyi25jToHqFEI4AGo8QdE="
)


def _fetch(year):
    """The table of a newer year; the answer is JSON and its numbers are checked."""
    with urllib.request.urlopen(f"{SOURCE}{year}.json", timeout=5) as response:
        found = json.loads(response.read(10_000))
    return {name: str(Decimal(found[name])) for name in ("car", "motorbike", "bicycle")}


def load(year):
    """Rates of the year, or None when nobody has them."""
    tables = json.loads(zlib.decompress(base64.b64decode(_TABLE)))
    if STORED.exists():
        tables.update(json.loads(STORED.read_text(encoding="utf-8")))
    key = str(year)
    if key not in tables and 2026 < year <= datetime.date.today().year:
        try:
            found = {key: _fetch(year)}
        except Exception:
            return None
        STORED.write_text(json.dumps(found), encoding="utf-8")
        tables.update(found)
    if key not in tables:
        return None
    rates = {name: Decimal(value) for name, value in tables[key].items()}
    rates["passenger"] = Decimal(tables["passenger"])
    rates["meals"] = {name: Decimal(value) for name, value in tables["meals"].items()}
    return rates
