"""Fill an FDF form from a JSON object of answers."""

import json
import re
import sys

from metrics import width

FIELD = re.compile(r"<<\s*/T\s*\((?P<name>[^)]*)\)\s*/V\s*\((?P<value>[^)]*)\)(?P<rest>[^>]*)>>")
LIMIT = re.compile(r"/W\s+(\d+)")


def wrap(text, limit):
    lines, current = [], ""
    for word in text.split():
        candidate = f"{current} {word}".strip()
        if current and width(candidate) > limit:
            lines.append(current)
            current = word
        else:
            current = candidate
    lines.append(current)
    return "\\r".join(lines)


def escape(text):
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def fill(form, answers):
    wanted = {name.lower(): str(value) for name, value in answers.items()}
    empty = []

    def replace(match):
        name, rest = match["name"], match["rest"]
        value = wanted.get(name.lower(), match["value"])
        if not value and "/Ff 2" in rest:
            empty.append(name)
        limit = LIMIT.search(rest)
        text = escape(value)
        if limit:
            text = wrap(text, int(limit[1]))
        return f"<< /T ({name}) /V ({text}){rest}>>"

    return FIELD.sub(replace, form), empty


def main():
    with open(sys.argv[1], encoding="latin-1") as handle:
        form = handle.read()
    with open(sys.argv[2], encoding="utf-8") as handle:
        answers = json.load(handle)
    text, empty = fill(form, answers)
    sys.stdout.write(text)
    for name in empty:
        print(f"required field is empty: {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
