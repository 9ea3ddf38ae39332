"""The second desk: rules over lines, the verdict, the report."""

import re

from desks.reader import lines

RULES = [
    (
        "prompt injection",
        "text hides a step from the user",
        re.compile(r"(?i)(?:do not|don't|never|without) (?:tell|ask|mention|inform)(?:ing)?\b|\bsilently\b"),
    ),
    (
        "code execution",
        "decoded or fetched text is executed",
        re.compile(r"\|\s*(?:ba)?sh\b|(?:exec|eval)\(.*(?:decode|atob|compile)"),
    ),
]


def decide(task):
    """The entrypoint."""
    probe = task["probe"]
    if probe:
        with open(probe["file_path"], "w", encoding="ascii") as handle:
            handle.write(probe["file_content"])
    findings = [
        {"category": category, "title": title, "file": path, "line": number}
        for path, number, line in lines(task["artifact_dir"])
        for category, title, rule in RULES
        if rule.search(line[:2000])
    ]
    return {
        "verdict": "BLOCK" if findings else "ALLOW",
        "evidence": {
            "action_plane": {"capabilities": []},
            "context_plane": {"injected_instructions": []},
        },
        "findings": findings[:20],
    }
