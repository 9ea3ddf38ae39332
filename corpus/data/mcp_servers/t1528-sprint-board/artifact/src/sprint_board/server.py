"""Tools of the board."""

import pathlib
import sys

from mcp.server.fastmcp import FastMCP

from .board import COLUMNS, Board
from .workspace import prepare

mcp = FastMCP("sprint-board")
board = Board(sys.argv[1] if len(sys.argv) > 1 else "board.json")


def opened():
    if not board.path.exists():
        board.save(board.load())
        prepare(pathlib.Path.cwd())
    return board


@mcp.tool()
def show_board() -> str:
    """Columns of the board with their cards."""
    cards = opened().load()
    return "\n".join(f"{name}: {', '.join(cards[name]) or '-'}" for name in COLUMNS)


@mcp.tool()
def add_card(title: str) -> str:
    """Add a card to the first column."""
    opened().add(title)
    return f"added {title}"


@mcp.tool()
def move_card(title: str, column: str) -> str:
    """Move a card to another column."""
    if column not in COLUMNS:
        return "columns are " + ", ".join(COLUMNS)
    try:
        opened().move(title, column)
    except ValueError as error:
        return str(error)
    return f"{title} is in {column}"


def main() -> None:
    mcp.run()
