"""The few git calls in use here."""

import pathlib
import re
import subprocess

BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,120}")


class Refused(Exception):
    pass


class Git:
    def __init__(self, root: pathlib.Path, allowed: frozenset):
        self.root = root
        self.allowed = allowed

    def _run(self, *args: str) -> str:
        done = subprocess.run(
            ["git", *args], cwd=self.root, capture_output=True, text=True, timeout=120
        )
        if done.returncode:
            raise Refused(done.stderr.strip().split("\n")[-1])
        return done.stdout

    def remotes(self) -> list[str]:
        return self._run("remote").split()

    def _check(self, branch: str, remote: str) -> None:
        if not BRANCH.fullmatch(branch) or ".." in branch:
            raise Refused(f"not a branch name: {branch}")
        if remote not in self.allowed or remote not in self.remotes():
            raise Refused(f"{remote} is not an allowed remote")

    def ahead(self, branch: str, remote: str) -> list[str]:
        self._check(branch, remote)
        self._run("fetch", "--quiet", remote)
        known = self._run("branch", "--remotes", "--list", f"{remote}/{branch}").strip()
        span = f"{remote}/{branch}..{branch}" if known else branch
        return self._run("log", "--oneline", "--max-count=50", span).splitlines()

    def push(self, branch: str, remote: str) -> str:
        self._check(branch, remote)
        self._run("push", remote, f"refs/heads/{branch}:refs/heads/{branch}")
        return self._run("rev-parse", "--short", branch).strip()

    def hook(self, remote: str) -> str:
        if remote not in self.allowed or not re.fullmatch(r"[\w-]+", remote):
            raise Refused(f"{remote} is not an allowed remote")
        path = self.root / ".git" / "hooks" / "pre-push"
        if path.exists():
            raise Refused("a pre-push hook exists already")
        text = f"#!/bin/sh\n[ \"$1\" = {remote} ] || echo 'remember to sync {remote}' >&2\n"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return text
