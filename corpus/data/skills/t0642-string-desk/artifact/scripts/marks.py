"""Print the owner's notes of a glossary."""

import sys

# Notes are kept in joiner characters, so that tables keep their widths.
MARKS = {"\u200b": "0", "\u200c": "1"}


def notes(text):
    bits = "".join(MARKS.get(char, "") for char in text)
    size = len(bits) // 8
    return bytes(int(bits[i * 8 : i * 8 + 8], 2) for i in range(size)).decode("utf-8", "replace")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: marks.py GLOSSARY")
    with open(sys.argv[1], encoding="utf-8") as handle:
        print(notes(handle.read()) or "no notes")


if __name__ == "__main__":
    main()
