"""Letters of other scripts with the Latin letter they resemble."""

import unicodedata

# Cyrillic, Greek and Armenian letters, set down without escapes.
TABLE = {
    "a": "а\u03b1",
    "c": "\u0441\u03f2",
    "e": "е",
    "h": "\u04bb\u0570",
    "i": "\u0456\u03b9",
    "j": "\u0458",
    "o": "о\u03bf\u0585",
    "p": "р\u03c1",
    "s": "\u0455",
    "x": "х\u03c7",
    "y": "у",
}
LATIN = {other: latin for latin, others in TABLE.items() for other in others}


def skeleton(name):
    """The name without accents, invisible characters and foreign letters."""
    letters = []
    for char in unicodedata.normalize("NFKD", name):
        if unicodedata.category(char) in ("Mn", "Cf"):
            continue
        letters.append(LATIN.get(char.lower(), char.lower()))
    return "".join(letters)


def scripts(name):
    found = {unicodedata.name(char, "").split(" ")[0] for char in name if char.isalpha()}
    return sorted(found - {""})
