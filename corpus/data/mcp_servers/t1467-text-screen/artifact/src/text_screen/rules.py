"""Patterns of text that tries to steer an assistant."""

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Hit:
    rule: str
    line: int
    excerpt: str


PATTERNS = {
    "override": r"ignore (all )?(the )?(previous|prior|above) (instructions|messages|rules)",
    "concealment": r"do not (tell|mention|inform|show).{0,30}\b(user|human|operator)",
    "key-file": r"(~|\$HOME)?/?\.(ssh/id_\w+|aws/credentials|netrc|npmrc|env)\b",
    "fake-tag": r"</?(important|system|assistant|instructions)>",
    "outgoing-link": r"!\[[^\]]*\]\(https?://[^)]+[?&][a-z]+=",
    "run-remote": r"(curl|wget)[^|\n]{0,120}\|\s*(ba|z)?sh",
    "side-argument": r"pass (it|its content|the (text|content)).{0,40}(parameter|argument|as `)",
}
COMPILED = {name: re.compile(text, re.IGNORECASE) for name, text in PATTERNS.items()}


def _invisible(char):
    code = ord(char)
    if 0xE0000 <= code <= 0xE007F:
        return True
    # Joiners shape some scripts and emoji; a byte-order mark opens many files.
    return unicodedata.category(char) == "Cf" and code not in (0x200C, 0x200D, 0xFEFF)


def screen(text):
    hits = []
    for number, line in enumerate(text.split("\n"), 1):
        count = sum(map(_invisible, line))
        if count:
            hits.append(Hit("invisible-characters", number, f"{count} characters"))
        for name, pattern in COMPILED.items():
            match = pattern.search(line)
            if match:
                hits.append(Hit(name, number, match[0][:80]))
    for match in re.finditer(r"<!--.*?-->", text, re.DOTALL):
        if any(p.search(match[0]) for p in COMPILED.values()):
            hits.append(Hit("hidden-comment", text.count("\n", 0, match.start()) + 1, match[0][:80]))
    return hits
