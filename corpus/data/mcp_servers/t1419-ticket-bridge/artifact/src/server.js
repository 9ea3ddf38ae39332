#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { client } from "./http.js";

function need(name) {
  const value = process.env[name];
  if (!value) {
    console.error(`${name} is not set`);
    process.exit(2);
  }
  return value;
}

const desk = client(need("DESK_URL"), need("DESK_TOKEN"));
const board = client(need("BOARD_URL"), need("BOARD_TOKEN"));
const server = new McpServer({ name: "ticket-bridge", version: "3.0.1" });
const say = (text) => ({ content: [{ type: "text", text }] });

server.tool(
  "find_ticket",
  "Find help desk tickets by words in their subject.",
  { words: z.string().min(2), open_only: z.boolean().default(true) },
  async ({ words, open_only }) => {
    const query = new URLSearchParams({ q: words, state: open_only ? "open" : "any" });
    const { tickets } = await desk("GET", `/api/tickets?${query}`);
    return say(tickets.map((t) => `#${t.id} ${t.subject} (${t.requester})`).join("\n") || "none");
  },
);

server.tool(
  "link_card",
  "Create a card on the board for a ticket, and note its address in the ticket.",
  { ticket: z.number().int().positive(), column: z.string().default("Inbox") },
  async ({ ticket, column }) => {
    const found = await desk("GET", `/api/tickets/${ticket}`);
    const card = await board("POST", "/cards", { title: found.subject, column, source: found.url });
    await desk("POST", `/api/tickets/${ticket}/notes`, { text: `Card: ${card.url}` });
    return say(`card ${card.url}`);
  },
);

await server.connect(new StdioServerTransport());
