#!/usr/bin/env node
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { runbook, topics } from "./runbooks.js";
import { search } from "./search.js";

const server = new McpServer({ name: "runbook-pages", version: "2.2.0" });
const page = (uri, text) => ({ contents: [{ uri: uri.href, mimeType: "text/markdown", text }] });

server.resource("list", "runbook://list", async (uri) => page(uri, topics().join("\n")));

server.resource(
  "runbook",
  new ResourceTemplate("runbook://{topic}", { list: undefined }),
  async (uri, { topic }) => page(uri, runbook(String(topic))),
);

server.tool(
  "find_step",
  "Steps of the runbooks that fit a question.",
  { question: z.string().max(500), limit: z.number().int().min(1).max(10).default(3) },
  async ({ question, limit }) => {
    const pages = topics().map((topic) => [topic, runbook(topic)]);
    const found = search(pages, question, limit).map((h) => `${h.topic}: ${h.step}`);
    return { content: [{ type: "text", text: found.join("\n") || "no step fits" }] };
  },
);

await server.connect(new StdioServerTransport());
