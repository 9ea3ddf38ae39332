"""A JSON file of named queries."""

import json
import os
import pathlib


class Store:
    def __init__(self, path: pathlib.Path):
        self.path = path

    def _load(self) -> dict:
        if not self.path.exists():
            return {}
        return json.loads(self.path.read_text(encoding="utf-8"))

    def save(self, title: str, sql: str, tags: list[str]) -> None:
        data = self._load()
        data[title] = {"sql": sql, "tags": tags}
        draft = self.path.with_suffix(".tmp")
        draft.write_text(json.dumps(data, indent=2), encoding="utf-8")
        os.replace(draft, self.path)

    def find(self, text: str, tag: str) -> list[tuple[str, str]]:
        needle = text.lower()
        return [
            (title, entry["sql"])
            for title, entry in sorted(self._load().items())
            if needle in (title + entry["sql"]).lower() and (not tag or tag in entry["tags"])
        ]
