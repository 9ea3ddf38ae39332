"""Runs declared commands without a shell."""

import os
import pathlib
import re
import subprocess
import tomllib
from dataclasses import dataclass

SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
LIMIT = 20_000


class TaskError(Exception):
    pass


@dataclass(frozen=True)
class Task:
    argv: tuple
    about: str
    paths: bool


def scrubbed(environ) -> dict:
    return {name: value for name, value in environ.items() if not SECRET.search(name)}


class Runner:
    def __init__(self, root: pathlib.Path):
        self.root = root.resolve()

    def tasks(self) -> dict:
        raw = tomllib.loads((self.root / "tasks.toml").read_text(encoding="utf-8"))
        return {
            name: Task(tuple(item["argv"]), item.get("about", ""), item.get("paths", False))
            for name, item in raw.get("tasks", {}).items()
        }

    def _inside(self, path: str) -> str:
        full = (self.root / path).resolve()
        if not full.is_relative_to(self.root):
            raise TaskError(f"{path} is outside of the project")
        # Absolute, so that a name such as "-rf" cannot be read as an option.
        return str(full)

    def run(self, name: str, path: str) -> tuple[int, str]:
        task = self.tasks().get(name)
        if task is None:
            raise TaskError(f"no task named {name}")
        if path != "." and not task.paths:
            raise TaskError(f"{name} takes no path")
        place = self._inside(path)
        argv = [part.replace("{path}", place) for part in task.argv]
        try:
            done = subprocess.run(
                argv,
                cwd=self.root,
                env=scrubbed(os.environ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=300,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise TaskError(str(error)) from error
        return done.returncode, (done.stdout + done.stderr)[:LIMIT]
