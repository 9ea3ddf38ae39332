"""Cookie stores of the two browser families."""

import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path

# Chromium counts microseconds since 1601.
WEBKIT = 11_644_473_600
KINDS = {
    "cookies.sqlite": "SELECT host, expiry FROM moz_cookies",
    "Cookies": f"SELECT host_key, expires_utc / 1000000 - {WEBKIT} FROM cookies",
}


class StoreError(Exception):
    """The profile has no cookie store that can be read."""


@dataclass(frozen=True)
class Store:
    file: Path
    query: str

    def rows(self) -> list[tuple[str, float]]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                copy = Path(shutil.copy(self.file, folder))
                db = sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)
                try:
                    return db.execute(self.query).fetchall()
                finally:
                    db.close()
            except (OSError, sqlite3.Error) as error:
                raise StoreError(f"{self.file}: {error}") from None


def find(profile: Path) -> Store:
    for name, query in KINDS.items():
        for file in (profile / name, profile / "Network" / name):
            if file.is_file():
                return Store(file, query)
    raise StoreError(f"no cookie store in {profile}")
