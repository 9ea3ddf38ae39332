"""Forms on disk, one folder each."""

import json
import os
import re
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import yaml

DATA = Path(os.environ["MILL_DATA"])
NAME = re.compile(r"[a-z0-9-]{1,40}")


@dataclass(frozen=True)
class Form:
    name: str
    owner: str
    mail: str
    fields: tuple[str, ...]
    thanks: str

    @property
    def folder(self) -> Path:
        return DATA / "forms" / self.name


def load(name: str) -> Form | None:
    if NAME.fullmatch(name) is None:
        return None
    file = DATA / "forms" / name / "form.yaml"
    if not file.is_file():
        return None
    raw = yaml.safe_load(file.read_text("utf-8"))
    return Form(name, str(raw["owner"]), str(raw["mail"]), tuple(map(str, raw["fields"])), str(raw.get("thanks", "")))


def keep(form: Form, answer: dict) -> None:
    with open(form.folder / "answers.jsonl", "a", encoding="utf-8") as out:
        out.write(json.dumps(answer) + "\n")


def restore(owner: str, body: BinaryIO) -> None:
    """Forms of a backup that belong to `owner` and are not there yet."""
    with tempfile.TemporaryDirectory(dir=DATA) as aside:
        with tarfile.open(fileobj=body, mode="r:gz") as archive:
            archive.extractall(aside)
        for file in Path(aside).glob("*/form.yaml"):
            raw = yaml.safe_load(file.read_text("utf-8"))
            target = DATA / "forms" / file.parent.name
            if NAME.fullmatch(target.name) and str(raw["owner"]) == owner and not target.exists():
                file.parent.rename(target)


def backup_names(file: Path) -> list[str]:
    """Names of the forms in a backup of this server."""
    with tarfile.open(file, mode="r:gz") as archive:
        members = (tarfile.data_filter(m, str(DATA)) for m in archive)
        return [m.name.split("/")[0] for m in members if m.name.endswith("form.yaml")]
