"""A reader for the chunks of a PNG file."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = {0: "grey", 2: "rgb", 3: "palette", 4: "grey+alpha", 6: "rgb+alpha"}


def chunks(data):
    if not data.startswith(SIGNATURE):
        raise ValueError("not a PNG file")
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        if len(body) < size:
            raise ValueError("the file is cut off")
        yield kind.decode("latin-1"), body
        at += 12 + size


def header(data):
    for kind, body in chunks(data):
        if kind == "IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", body)
            return {
                "width": width,
                "height": height,
                "depth": depth,
                "colour": COLOURS.get(colour, "unknown"),
            }
    raise ValueError("no header chunk")


def texts(data):
    found = {}
    for kind, body in chunks(data):
        key, _, rest = body.partition(b"\0")
        if kind == "tEXt":
            found[key.decode("latin-1")] = rest.decode("latin-1")
        elif kind == "zTXt":
            found[key.decode("latin-1")] = zlib.decompress(rest[1:]).decode("latin-1")
    return found
