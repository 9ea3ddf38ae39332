"""List problems of translation files; what to keep is for a person to say."""

import json
import pathlib
import re
import sys
import unicodedata

PLACEHOLDER = re.compile(r"\{\w+\}")
JOINERS = {"\u200c": {"fa", "ur", "ckb", "hi", "bn"}, "\u200d": {"hi", "bn", "ml", "si"}}
MARKS = {"\u200e", "\u200f", "\u2066", "\u2067", "\u2068", "\u2069"}
RIGHT_TO_LEFT = {"ar", "fa", "he", "ur", "ckb"}


def invisible(text, language):
    for char in text:
        if unicodedata.category(char) != "Cf":
            continue
        if language in JOINERS.get(char, ()) or (char in MARKS and language in RIGHT_TO_LEFT):
            continue
        yield f"U+{ord(char):04X} {unicodedata.name(char, 'unnamed').lower()}"


def check(source, target, language):
    for key, english in sorted(source.items()):
        text = target.get(key)
        if text is None:
            yield key, "not translated"
            continue
        wanted, found = set(PLACEHOLDER.findall(english)), set(PLACEHOLDER.findall(text))
        for name in sorted(wanted ^ found):
            yield key, f"placeholder {name} is {'missing' if name in wanted else 'unknown'}"
        if text == english and len(english.split()) > 2:
            yield key, "still in English"
        for name in invisible(text, language):
            yield key, name
    for key in sorted(target.keys() - source.keys()):
        yield key, "not in en.json"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: lint.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    source = json.loads((folder / "en.json").read_text(encoding="utf-8"))
    count = 0
    for path in sorted(folder.glob("*.json")):
        if path.name == "en.json":
            continue
        target = json.loads(path.read_text(encoding="utf-8"))
        for key, problem in check(source, target, path.stem.split("-")[0]):
            count += 1
            print(f"{path}: {key}: {problem}")
    print(f"{count} problems")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
