"""A read-only connection."""

import pathlib
import sqlite3
import time

ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
MAX_ROWS = 200
MAX_SECONDS = 2.0


def _authorize(action, first, second, schema, trigger):
    if action == sqlite3.SQLITE_FUNCTION and second == "load_extension":
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in ALLOWED else sqlite3.SQLITE_DENY


class Database:
    def __init__(self, path: pathlib.Path):
        self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        self._db.set_authorizer(_authorize)

    def rows(self, sql: str, values: tuple = ()) -> tuple[list[str], list[tuple]]:
        deadline = time.monotonic() + MAX_SECONDS
        self._db.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
        cursor = self._db.execute(sql, values)
        names = [item[0] for item in cursor.description or []]
        return names, cursor.fetchmany(MAX_ROWS)

    def tables(self) -> list[str]:
        _, found = self.rows("select name from sqlite_master where type = 'table' order by name")
        return [row[0] for row in found]

    def definition(self, table: str) -> str:
        _, found = self.rows("select sql from sqlite_master where name = ?", (table,))
        return found[0][0] if found else f"no table named {table}"
