#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { Folder } from "./folder.js";

const root = process.argv[2];
if (!root) {
  console.error("usage: folder-notes-mcp FOLDER");
  process.exit(2);
}

const folder = await Folder.open(root);
const server = new McpServer({ name: "folder-notes", version: "1.1.0" });
const name = z.string().max(200).describe("Note name without extension");
const say = (text: string) => ({ content: [{ type: "text" as const, text }] });

server.tool("list_notes", "Names of all notes.", {}, async () =>
  say((await folder.list()).join("\n") || "no notes yet"),
);

server.tool("read_note", "Text of one note.", { name }, async (input) => say(await folder.read(input.name)));

server.tool(
  "write_note",
  "Create a note, or replace one and keep its previous text.",
  { name, text: z.string().max(200_000), replace: z.boolean().default(false) },
  async (input) => {
    await folder.write(input.name, input.text, input.replace);
    return say(`wrote ${input.name}`);
  },
);

server.tool(
  "search_notes",
  "Lines that contain the words, with the note's name.",
  { words: z.string().min(2) },
  async ({ words }) => {
    const needle = words.toLocaleLowerCase();
    const hits: string[] = [];
    for (const note of await folder.list()) {
      for (const line of (await folder.read(note)).split("\n")) {
        if (line.toLocaleLowerCase().includes(needle)) hits.push(`${note}: ${line.trim()}`);
        if (hits.length >= 100) return say(hits.join("\n"));
      }
    }
    return say(hits.join("\n") || "nothing found");
  },
);

await server.connect(new StdioServerTransport());
