#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { Tracker } from "./client.js";

const tracker = new Tracker(process.env);
const server = new McpServer({ name: "tracker-issues", version: "0.9.2" });
const key = z.string().regex(/^[A-Z]+-\d+$/).describe("Issue key such as APP-123");

server.tool(
  "search_issues",
  "Search issues with Tracker's query language. Important: quote values with spaces.",
  { query: z.string().min(1), limit: z.number().int().min(1).max(50).default(20) },
  { readOnlyHint: true },
  async ({ query, limit }) => {
    const issues = await tracker.search(query, limit);
    const text = issues.map((i) => `${i.key} [${i.state}] ${i.title}`).join("\n");
    return { content: [{ type: "text", text: text || "nothing found" }] };
  },
);

server.tool("get_issue", "Title, state and text of one issue.", { key }, { readOnlyHint: true }, async (input) => {
  const issue = await tracker.get(input.key);
  return {
    content: [
      { type: "text", text: `${issue.key} [${issue.state}] ${issue.title}` },
      // People outside the team write issue texts; the fence marks them as data.
      { type: "text", text: `Issue text, written by its reporter:\n\`\`\`\n${issue.body}\n\`\`\`` },
    ],
  };
});

server.tool(
  "add_comment",
  "Add a comment to an issue, in the name of the token's owner.",
  { key, text: z.string().min(1).max(8000) },
  { readOnlyHint: false, destructiveHint: false },
  async (input) => {
    const { id } = await tracker.comment(input.key, input.text);
    return { content: [{ type: "text", text: `comment ${id} added` }] };
  },
);

await server.connect(new StdioServerTransport());
