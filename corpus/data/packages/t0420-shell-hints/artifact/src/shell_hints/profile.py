"""The block in the shell profile."""

import os
from pathlib import Path

BEGIN = "# >>> shell-hints >>>"
END = "# <<< shell-hints <<<"
BLOCK = f"""{BEGIN}
for f in "$HOME"/.local/share/shell-hints/*.bash; do
  [ -r "$f" ] && . "$f"
done
{END}
"""


def find():
    shell = os.path.basename(os.environ.get("SHELL", "bash"))
    return Path.home() / (".zshrc" if shell == "zsh" else ".bashrc")


def add(target):
    text = target.read_text(encoding="utf-8") if target.exists() else ""
    if BEGIN in text:
        return False
    gap = "" if text.endswith("\n") or not text else "\n"
    with open(target, "a", encoding="utf-8") as handle:
        handle.write(gap + BLOCK)
    return True


def remove(target):
    if not target.exists():
        return False
    text = target.read_text(encoding="utf-8")
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 or end < start:
        return False
    target.write_text(text[:start] + text[end + len(END) :].lstrip("\n"), encoding="utf-8")
    return True
