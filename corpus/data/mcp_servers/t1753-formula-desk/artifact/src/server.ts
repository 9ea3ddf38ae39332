#!/usr/bin/env node
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { compile } from "./compile.js";

const server = new McpServer({ name: "formula-desk", version: "1.1.1" });
const say = (text: string) => ({ content: [{ type: "text" as const, text }] });
const formula = z.string().min(1).describe("Arithmetic formula, names in lower case");

server.tool(
  "evaluate",
  "Value of a formula for given variables.",
  { formula, values: z.record(z.string(), z.number()).default({}) },
  async (input) => say(String(compile(input.formula, Object.keys(input.values))(input.values))),
);

server.tool(
  "table",
  "Values of a formula over a range of one variable, tab-separated.",
  {
    formula,
    variable: z.string().regex(/^[a-z][a-z0-9_]*$/),
    from: z.number(),
    to: z.number(),
    steps: z.number().int().min(2).max(500).default(20),
  },
  async ({ formula: source, variable, from, to, steps }) => {
    const run = compile(source, [variable]);
    const lines: string[] = [];
    for (let i = 0; i < steps; i += 1) {
      const x = from + ((to - from) * i) / (steps - 1);
      lines.push(`${x}\t${run({ [variable]: x })}`);
    }
    return say(lines.join("\n"));
  },
);

await server.connect(new StdioServerTransport());
