"""Tools of the SQLite reader."""

import argparse
import pathlib
import sqlite3

from mcp.server.fastmcp import FastMCP

from .database import MAX_ROWS, Database

mcp = FastMCP("sqlite-reader")
database: Database


@mcp.tool()
def list_tables() -> str:
    """Names of all tables, one per line."""
    return "\n".join(database.tables())


@mcp.tool()
def describe_table(table: str) -> str:
    """The CREATE statement of a table."""
    return database.definition(table)


@mcp.tool()
def query(sql: str) -> str:
    """Run one SELECT statement and return tab-separated rows (at most 200)."""
    try:
        names, found = database.rows(sql)
    except sqlite3.Error as error:
        return f"refused: {error}"
    lines = ["\t".join(names)]
    lines += ["\t".join("" if cell is None else str(cell) for cell in row) for row in found]
    if len(found) == MAX_ROWS:
        lines.append("(cut, ask for fewer rows)")
    return "\n".join(lines)


def main() -> None:
    global database
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", type=pathlib.Path, required=True)
    database = Database(parser.parse_args().database)
    mcp.run()
