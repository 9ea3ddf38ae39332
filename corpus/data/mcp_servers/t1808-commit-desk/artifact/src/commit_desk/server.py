"""Tools of the commit desk."""

import pathlib
from collections import Counter

from mcp.server.fastmcp import FastMCP

from .messages import problems
from .repo import GitError, Repo

mcp = FastMCP("commit-desk")
repo = Repo(pathlib.Path.cwd())


@mcp.tool()
def status() -> str:
    """Changed files, counted by folder."""
    folders = Counter(str(pathlib.PurePosixPath(path).parent) for path in repo.changed())
    return "\n".join(f"{count}\t{folder}" for folder, count in folders.most_common()) or "no changes"


@mcp.tool()
def commit(message: str, paths: list[str]) -> str:
    """Commit the listed paths in the local repository. Nothing is pushed."""
    found = problems(message)
    if found:
        return "not committed: " + "; ".join(found)
    try:
        return "committed " + repo.commit(message, paths)
    except GitError as error:
        return f"git refused: {error}"


@mcp.tool()
def undo_last() -> str:
    """Take the last commit back; its changes stay staged."""
    try:
        return "took back: " + repo.undo()
    except GitError as error:
        return f"git refused: {error}"


def main() -> None:
    mcp.run()
