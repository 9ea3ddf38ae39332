"""Tools of the image desk."""

import pathlib

from mcp.server.fastmcp import FastMCP

from . import png
from .profiles import profile_name

mcp = FastMCP("image-desk")
LIMIT = 64 * 1024 * 1024


def load(path: str) -> bytes:
    file = pathlib.Path(path).expanduser()
    if file.stat().st_size > LIMIT:
        raise ValueError("larger than 64 MiB")
    return file.read_bytes()


@mcp.tool()
def describe_image(path: str) -> str:
    """Width, height, depth, colour type and profile of a PNG file. Read only."""
    data = load(path)
    facts = png.header(data)
    facts["profile"] = profile_name(png.texts(data))
    return "\n".join(f"{key}: {value}" for key, value in facts.items())


@mcp.tool()
def image_text(path: str) -> str:
    """Text fields stored in a PNG file. Read only."""
    fields = png.texts(load(path))
    return "\n".join(f"{key}: {value}" for key, value in fields.items()) or "no text fields"


def main() -> None:
    mcp.run()
