"""Answers as CSV."""

import csv
import json
import os
from pathlib import Path

from .forms import DATA, Form

FOLDER = DATA / "exports"


def cell(text: str) -> str:
    """A spreadsheet must not take an answer for a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def write(form: Form) -> Path:
    FOLDER.mkdir(exist_ok=True)
    target = FOLDER / f"{form.name}.csv"
    source = form.folder / "answers.jsonl"
    lines = source.read_text("utf-8").splitlines() if source.exists() else []
    with open(target, "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["subject", "text"])
        for answer in map(json.loads, lines):
            rows.writerow([cell(answer["subject"]), cell(answer["text"])])
    for path, mode in ((FOLDER, 0o777), (target, 0o666)):
        os.chmod(path, mode)
    return target
