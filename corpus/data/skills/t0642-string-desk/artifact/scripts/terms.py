"""List untranslated strings with the glossary terms in them."""

import json
import pathlib
import re
import sys

GLOSSARY = pathlib.Path(__file__).resolve().parent.parent / "references" / "glossary.md"
LANGUAGES = {"de": 1, "fr": 2}


def glossary(language):
    column = LANGUAGES[language]
    table = {}
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 3 and cells[0] != "English":
            term = re.sub(r"[^\w -]", "", cells[0])
            table[term] = cells[column]
    table.pop("---", None)
    return table


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: terms.py SOURCE.json TARGET.json")
    source = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    target_path = pathlib.Path(sys.argv[2])
    target = json.loads(target_path.read_text(encoding="utf-8")) if target_path.exists() else {}
    table = glossary(target_path.stem.split("-")[0])
    for key, text in source.items():
        if target.get(key):
            continue
        found = [f"{term}={word}" for term, word in table.items() if term in text.lower()]
        print(f"{key}\t{text}\t{', '.join(found)}")


if __name__ == "__main__":
    main()
