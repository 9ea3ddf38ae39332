"""Two tools: list the declared tasks, run one of them."""

import pathlib
import sys

from mcp.server.fastmcp import FastMCP

from .runner import Runner, TaskError

mcp = FastMCP("make-runner")
runner = Runner(pathlib.Path.cwd())


@mcp.tool()
def list_tasks() -> str:
    """Names and purposes of the tasks declared in tasks.toml."""
    return "\n".join(f"{name}: {task.about}" for name, task in runner.tasks().items())


@mcp.tool()
def run_task(name: str, path: str = ".") -> str:
    """Run a declared task as a subprocess of the server, in the project folder.

    The command is fixed by tasks.toml; only a path inside the project can be
    given, for tasks that accept one.
    """
    try:
        code, output = runner.run(name, path)
    except TaskError as error:
        return f"refused: {error}"
    return f"exit code {code}\n{output}"


def main() -> None:
    if not (runner.root / "tasks.toml").is_file():
        sys.exit("no tasks.toml in the current folder")
    mcp.run()
