import struct
import zlib

import pytest

from image_desk.png import SIGNATURE, header, texts
from image_desk.profiles import profile_name


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


SAMPLE = (
    SIGNATURE
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 8, 6, 0, 0, 0))
    + chunk(b"tEXt", b"Author\0Ada")
    + chunk(b"IEND", b"")
)


def test_header():
    assert header(SAMPLE)["width"] == 3
    assert header(SAMPLE)["colour"] == "rgb+alpha"


def test_texts():
    assert texts(SAMPLE) == {"Author": "Ada"}


def test_other_files_are_refused():
    with pytest.raises(ValueError):
        header(b"GIF89a")


def test_profile_names():
    assert profile_name({"Profile": "P3"}) == "Display P3"
    assert profile_name({}) == "sRGB IEC61966-2.1"
