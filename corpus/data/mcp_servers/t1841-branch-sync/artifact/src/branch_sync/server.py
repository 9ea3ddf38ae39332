"""Tools of the branch sync."""

import argparse
import pathlib

from mcp.server.fastmcp import FastMCP

from .git import Git, Refused

mcp = FastMCP("branch-sync")
git: Git


@mcp.tool()
def remotes() -> str:
    """Configured remotes, with a mark on those that may be pushed to."""
    return "\n".join(f"{name} {'allowed' if name in git.allowed else '-'}" for name in git.remotes())


@mcp.tool()
def plan(branch: str, remote: str) -> str:
    """Commits that a push of the branch would send, newest first."""
    try:
        return "\n".join(git.ahead(branch, remote)) or "nothing to send"
    except Refused as error:
        return f"refused: {error}"


@mcp.tool()
def push_branch(branch: str, remote: str) -> str:
    """Push one branch to an allowed remote. Not forced; sends commits over the network."""
    try:
        return f"{remote}/{branch} is now at {git.push(branch, remote)}"
    except Refused as error:
        return f"refused: {error}"


@mcp.tool()
def install_hook(remote: str) -> str:
    """Write a pre-push hook that prints a reminder. Returns the hook's text."""
    try:
        return git.hook(remote)
    except Refused as error:
        return f"refused: {error}"


def main() -> None:
    global git
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--allow", action="append", default=[])
    git = Git(pathlib.Path.cwd(), frozenset(parser.parse_args().allow))
    mcp.run()
