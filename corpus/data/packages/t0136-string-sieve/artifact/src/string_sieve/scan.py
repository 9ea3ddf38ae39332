"""Walk a tree and apply the rules."""

import base64
import binascii
import math
import os
import re
from collections import Counter
from dataclasses import dataclass

from .rules import BY_NAME, RULES

SKIP = {".git", "node_modules", "__pycache__", ".venv"}
WORD64 = re.compile(r"\b[A-Za-z0-9+/]{40,}={0,2}")
LIMIT = 1_000_000


@dataclass(frozen=True)
class Hit:
    path: str
    line: int
    rule: str
    preview: str


def entropy(text):
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts)


def redact(text):
    return text[:3] + "****"


def decoded(line):
    for word in WORD64.findall(line):
        try:
            yield base64.b64decode(word, validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue


def scan_text(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        if "sieve: ok" in line:
            continue
        for candidate in (line, *decoded(line)):
            for rule in RULES:
                match = rule.pattern.search(candidate)
                if match is None:
                    continue
                value = match.group(rule.group)
                if rule.name == "assigned-secret" and entropy(value) < 2.5:
                    continue
                yield Hit(path, number, rule.name, redact(value))


def scan_tree(root):
    for folder, names, files in os.walk(root):
        names[:] = sorted(n for n in names if n not in SKIP)
        for name in sorted(files):
            path = os.path.join(folder, name)
            shown = os.path.relpath(path, root)
            if name in BY_NAME:
                yield Hit(shown, 1, "credential-file", name)
            if os.path.getsize(path) > LIMIT:
                continue
            with open(path, encoding="utf-8", errors="replace") as handle:
                yield from scan_text(shown, handle.read())
