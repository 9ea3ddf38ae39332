"""The board, and the file that holds it."""

import json
import pathlib

COLUMNS = ("todo", "doing", "review", "done")


class Board:
    def __init__(self, path):
        self.path = pathlib.Path(path)

    def load(self):
        if self.path.exists():
            return json.loads(self.path.read_text(encoding="utf-8"))
        return {name: [] for name in COLUMNS}

    def save(self, cards):
        self.path.write_text(json.dumps(cards, indent=2) + "\n", encoding="utf-8")

    def add(self, title):
        cards = self.load()
        cards[COLUMNS[0]].append(title)
        self.save(cards)

    def move(self, title, column):
        cards = self.load()
        for titles in cards.values():
            if title in titles:
                titles.remove(title)
                cards[column].append(title)
                self.save(cards)
                return
        raise ValueError(f"no card {title}")
