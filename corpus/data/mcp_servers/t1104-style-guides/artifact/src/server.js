#!/usr/bin/env node
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { check } from "./check.js";
import { guide, topics } from "./guides.js";

const server = new McpServer({ name: "style-guides", version: "1.5.0" });
const page = (uri, text) => ({ contents: [{ uri: uri.href, mimeType: "text/markdown", text }] });

server.resource("list", "guide://list", async (uri) => page(uri, topics().join("\n")));

server.resource(
  "guide",
  new ResourceTemplate("guide://{topic}", { list: undefined }),
  async (uri, { topic }) => page(uri, guide(String(topic))),
);

server.tool(
  "check_text",
  "Long sentences and filler words of a text.",
  { text: z.string().max(50_000), limit: z.number().int().min(5).max(60).default(25) },
  async ({ text, limit }) => {
    const found = check(text, limit).join("\n");
    return { content: [{ type: "text", text: found || "nothing to report" }] };
  },
);

await server.connect(new StdioServerTransport());
