"""Tools of the review."""

import pathlib
import sys

from mcp.server.fastmcp import FastMCP

from .grants import grants, narrower
from .workspace import servers, settings

mcp = FastMCP("setup-review")
root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def found():
    for name, table in settings(root):
        for path, value in grants(table):
            yield name, path, value


@mcp.tool()
def list_servers() -> str:
    """Servers of the workspace with their command or address."""
    rows = [f"{file}: {name} -> {place}" for file, name, place in servers(root)]
    return "\n".join(rows) or "no servers"


@mcp.tool()
def list_grants() -> str:
    """Entries in settings approving tools without a question."""
    rows = [f"{file}: {path} = {value}" for file, path, value in found()]
    return "\n".join(rows) or "none"


@mcp.tool()
def suggest() -> str:
    """The broad entries in a narrower form, made up to paste."""
    rows = [f"{file}: {narrower(path, value)}" for file, path, value in found()]
    return "\n".join(rows) or "nothing to narrow"


def main() -> None:
    if not root.is_dir():
        sys.exit(f"{root} is not a folder")
    mcp.run()
