"""Tools of the name check."""

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from .confusables import scripts, skeleton
from .known import Known

server = Server("name-check")

NAME = {"type": "string", "maxLength": 200, "description": "Name to look at"}
KNOWN = {"type": "array", "items": {"type": "string"}, "default": []}


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="skeleton",
            description="The name in plain Latin letters. With read_filе (one Cyrillic letter) the "
            "result is read_file.",
            inputSchema={"type": "object", "properties": {"name": NAME}, "required": ["name"]},
        ),
        types.Tool(
            name="look_alikes",
            description="Known names that look the same as this one.",
            inputSchema={"type": "object", "properties": {"name": NAME, "known": KNOWN}, "required": ["name"]},
        ),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    asked = arguments["name"]
    if name == "skeleton":
        text = f"{skeleton(asked)} ({', '.join(scripts(asked)).lower()})"
    else:
        found = Known(arguments.get("known", [])).like(asked, skeleton)
        text = "\n".join(found) or "no known name looks like this"
    return [types.TextContent(type="text", text=text)]


async def serve():
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def main():
    import asyncio

    asyncio.run(serve())
