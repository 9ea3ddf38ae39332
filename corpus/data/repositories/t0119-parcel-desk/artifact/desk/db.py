"""Database access."""

import sqlite3

import click
from flask import g

from . import settings

SCHEMA = """
CREATE TABLE IF NOT EXISTS staff (name TEXT PRIMARY KEY, password TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS parcel (
    id INTEGER PRIMARY KEY,
    receiver TEXT NOT NULL,
    shelf TEXT NOT NULL,
    code TEXT NOT NULL,
    handed_out TEXT
);
"""


def get():
    if "db" not in g:
        g.db = sqlite3.connect(settings.DATABASE)
        g.db.row_factory = sqlite3.Row
    return g.db


def close(_error=None):
    handle = g.pop("db", None)
    if handle is not None:
        handle.close()


@click.command("init-db")
def init_command():
    get().executescript(SCHEMA)
    click.echo("tables created")
