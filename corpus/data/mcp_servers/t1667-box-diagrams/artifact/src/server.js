#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { frame, row } from "./draw.js";
import { border } from "./glyphs.js";

const server = new McpServer({ name: "box-diagrams", version: "2.0.3" });
const say = (text) => ({ content: [{ type: "text", text }] });
const weight = z.enum(["light", "heavy", "dots"]).default("light");

server.tool(
  "boxes",
  "Boxes in a row, joined by arrows.",
  { names: z.array(z.string().min(1).max(30)).min(1).max(8), weight },
  async (input) => say(row(input.names, border(input.weight))),
);

server.tool(
  "frame",
  "A text in a border.",
  { text: z.string().min(1).max(2000), weight },
  async (input) => say(frame(input.text, border(input.weight)).join("\n")),
);

await server.connect(new StdioServerTransport());
