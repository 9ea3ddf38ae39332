"""Reads the settings of a workspace."""

import json
import pathlib

FILES = [
    ".mcp.json",
    ".vscode/mcp.json",
    ".vscode/settings.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
]


def settings(root):
    """Settings by file; files with comments are left out."""
    for name in FILES:
        path = pathlib.Path(root) / name
        try:
            if path.exists():
                yield name, json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            continue


def servers(root):
    for name, found in settings(root):
        # The two editors use different keys for the same table.
        table = found.get("mcpServers") or found.get("servers") or {}
        for server, entry in table.items():
            place = entry.get("url") or " ".join([entry.get("command", ""), *entry.get("args", [])])
            yield name, server, place
