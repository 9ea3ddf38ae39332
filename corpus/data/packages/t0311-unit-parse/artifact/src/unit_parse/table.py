"""Units and prefixes: factor to the base units, then powers of (m, kg, s, A)."""

BASE = {
    "m": (1.0, (1, 0, 0, 0)),
    "g": (1e-3, (0, 1, 0, 0)),
    "s": (1.0, (0, 0, 1, 0)),
    "A": (1.0, (0, 0, 0, 1)),
    "min": (60.0, (0, 0, 1, 0)),
    "h": (3600.0, (0, 0, 1, 0)),
    "N": (1.0, (1, 1, -2, 0)),
    "J": (1.0, (2, 1, -2, 0)),
    "W": (1.0, (2, 1, -3, 0)),
    "V": (1.0, (2, 1, -3, -1)),
    "L": (1e-3, (3, 0, 0, 0)),
}

PREFIX = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1, "k": 1e3, "M": 1e6, "G": 1e9}


def lookup(symbol):
    if symbol in BASE:
        return BASE[symbol]
    head, tail = symbol[:1], symbol[1:]
    if head in PREFIX and tail in BASE:
        factor, dims = BASE[tail]
        return PREFIX[head] * factor, dims
    raise ValueError(f"unknown unit '{symbol}'")
