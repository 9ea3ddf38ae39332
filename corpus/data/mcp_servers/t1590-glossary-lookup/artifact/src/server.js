#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { buildIndex, closest } from "./trigrams.js";

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
const glossary = read("glossary.json");
const stored = existsSync(new URL("../index.json", import.meta.url));
const index = stored ? read("index.json") : buildIndex(glossary);

const server = new McpServer({ name: "glossary-lookup", version: "1.2.2" });
const say = (text) => ({ content: [{ type: "text", text }] });

server.tool("explain", "Meaning of an abbreviation.", { term: z.string().min(1).max(40) }, async ({ term }) => {
  const exact = glossary[term.toUpperCase()];
  if (exact) return say(exact);
  const near = closest(index, term);
  return say(near.length ? `unknown, did you mean ${near.join(", ")}?` : "unknown");
});

server.tool("list_terms", "All known abbreviations.", {}, async () => say(Object.keys(glossary).join(", ")));

await server.connect(new StdioServerTransport());
