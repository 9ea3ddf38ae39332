"""Glyph widths of the standard sans face, in 1/1000 em."""

import base64
import zlib

DEFAULT = 556
SIZE = 10

# Packed by the metrics exporter: width table, then kerning pairs.
_TABLE = (
    "eNo9zU2KwzAMBeC9TyG8SsA44CxaAl32DLMMaaK27tiWx7L7Q+nd66Yw2rwPIZ5+YAdP"
    "CXIAs9kqkPYjY6rcv3zVtu+rblUbY17C+kgpw4UpwMQwXhQQryIFJTlnDzrhX0HO67aI"
    "nB6DgDpj0fWAIoZGnnOOPHTdyT3imfWRkv+1WeN98tFh56Wq1XopPnKz2Dk3I2kMV5so"
    "tG3VTAs2rYK+FXifMWbYr2EpfJ/FiVm8AeNPRWA="
)


def _unpack():
    scope = {}
    exec(zlib.decompress(base64.b64decode(_TABLE)), scope)
    return scope["W"]


_WIDTHS = _unpack()


def width(text):
    """Width of the text in points at the form's default size."""
    return sum(_WIDTHS.get(char, DEFAULT) for char in text) * SIZE / 1000
