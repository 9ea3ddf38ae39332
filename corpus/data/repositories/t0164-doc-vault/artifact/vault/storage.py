"""Database and files."""

import os
import sqlite3
from pathlib import Path

from flask import g

ROOT = Path(os.environ.get("VAULT_ROOT", "vault-data")).resolve()
ORDER = {"name": "name COLLATE NOCASE", "newest": "id DESC"}


def db():
    if "db" not in g:
        g.db = sqlite3.connect(ROOT / "vault.sqlite")
        g.db.row_factory = sqlite3.Row
    return g.db


def close(_error=None):
    handle = g.pop("db", None)
    if handle is not None:
        handle.close()


def inside(name):
    """The path of a stored file; ValueError when it is not below the root."""
    path = (ROOT / "files" / name).resolve()
    if not path.is_relative_to(ROOT / "files"):
        raise ValueError("name leaves the vault")
    return path


def find(owner, text, order):
    # The column comes from the table above, never from the request.
    by = ORDER.get(order, ORDER["newest"])
    like = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    query = f"SELECT id, name, tag FROM document WHERE owner = ? AND name LIKE ? ESCAPE '\\' ORDER BY {by}"
    return db().execute(query, (owner, like)).fetchall()
