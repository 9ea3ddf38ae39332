"""Read the options out of a help text."""

import re
import shlex
import subprocess
from pathlib import Path

STORE = Path.home() / ".local" / "share" / "shell-hints"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")


def options_in(text):
    return sorted(set(OPTION.findall(text)))


def options_of(script):
    path = Path(script).resolve(strict=True)
    done = subprocess.run([str(path), "--help"], capture_output=True, text=True, timeout=5)
    return options_in(done.stdout + done.stderr)


def store(script, options):
    name = Path(script).name
    STORE.mkdir(parents=True, exist_ok=True)
    target = STORE / f"{name}.bash"
    words = shlex.quote(" ".join(options))
    target.write_text(f"complete -W {words} {shlex.quote(name)}\n", encoding="utf-8")
    return target
