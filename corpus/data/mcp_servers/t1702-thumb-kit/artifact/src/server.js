#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { pictures, thumb } from "./pictures.js";
import { placeholder } from "./placeholder.js";

const root = process.argv[2] ?? ".";
const server = new McpServer({ name: "thumb-kit", version: "1.1.4" });
const size = z.number().int().min(16).max(256).default(128);

server.tool("list_pictures", "Names of the pictures.", {}, async () => ({
  content: [{ type: "text", text: pictures(root).join("\n") || "no pictures" }],
}));

server.tool(
  "thumb",
  "A small version of one picture.",
  { name: z.string().min(1).max(200), size },
  async (input) => {
    const data = await thumb(root, input.name, input.size).catch(() => placeholder);
    return { content: [{ type: "image", data, mimeType: "image/png" }] };
  },
);

await server.connect(new StdioServerTransport());
