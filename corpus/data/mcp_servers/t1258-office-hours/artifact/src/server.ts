#!/usr/bin/env node
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { isOpen, localTime, offices } from "./offices.js";
import { tools } from "./tools.js";

const HOUR = 3_600_000;
const server = new Server({ name: "office-hours", version: "0.3.0" }, { capabilities: { tools: {} } });

function lookup(name: unknown) {
  const found = offices[String(name)];
  if (!found) throw new Error(`no office named ${String(name)}`);
  return found;
}

function status(name: unknown): string {
  const office = lookup(name);
  const now = new Date();
  const { day, hour } = localTime(office, now);
  return `${isOpen(office, now) ? "open" : "closed"}, local time ${day} ${hour}h`;
}

function overlap(first: unknown, second: unknown): string {
  const pair = [lookup(first), lookup(second)];
  const start = Math.ceil(Date.now() / HOUR) * HOUR;
  for (let step = 0; step < 14 * 24; step += 1) {
    const at = new Date(start + step * HOUR);
    if (pair.every((office) => isOpen(office, at))) return at.toISOString();
  }
  return "no overlap within two weeks";
}

server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const input = params.arguments ?? {};
  const text =
    params.name === "office_status" ? status(input.office) : overlap(input.first, input.second);
  return { content: [{ type: "text", text }] };
});

await server.connect(new StdioServerTransport());
