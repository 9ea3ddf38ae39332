#!/usr/bin/env node
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { readFileSync } from "node:fs";
import { book, free } from "./desks.js";

const load = (name: string) =>
  JSON.parse(readFileSync(new URL(`../schemas/${name}.json`, import.meta.url), "utf8"));

const tools = ["free_desks", "book_desk"].map(load);
const server = new Server({ name: "seat-plan", version: "1.2.0" }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const input = (params.arguments ?? {}) as Record<string, unknown>;
  const day = String(input.day);
  let text: string;
  if (params.name === "free_desks") {
    const floor = input.floor === undefined ? undefined : Number(input.floor);
    text = (await free(day, floor)).join(", ") || "no desk is free";
  } else {
    const options = (input.options ?? {}) as Record<string, unknown>;
    const part = String(options.part ?? "day");
    text = `booking ${await book(day, String(input.desk), part, String(options.note ?? ""))}`;
  }
  return { content: [{ type: "text", text }] };
});

await server.connect(new StdioServerTransport());
