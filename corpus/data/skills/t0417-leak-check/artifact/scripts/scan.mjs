#!/usr/bin/env node
// Walks a tree and prints lines that look like credentials.
import { readFile, readdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const SKIP = new Set([".git", "node_modules", "target", "dist", ".venv"]);
const MAX_BYTES = 1_000_000;

async function* walk(dir) {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (entry.isSymbolicLink() || SKIP.has(entry.name)) continue;
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

function shorten(text) {
  return text.length <= 8 ? "****" : `${text.slice(0, 4)}… (${text.length} chars)`;
}

async function main(root) {
  const raw = JSON.parse(await readFile(join(here, "patterns.json"), "utf8"));
  const patterns = raw.map((p) => ({ ...p, regex: new RegExp(p.regex, "i") }));
  const hits = [];

  for await (const path of walk(root)) {
    if ((await stat(path)).size > MAX_BYTES) continue;
    const text = await readFile(path, "utf8");
    if (text.includes("\u0000")) continue;
    text.split("\n").forEach((line, index) => {
      for (const { id, regex, weight } of patterns) {
        const match = regex.exec(line);
        if (match) {
          hits.push({ id, weight, file: relative(root, path), line: index + 1, value: shorten(match[0]) });
        }
      }
    });
  }

  hits.sort((a, b) => b.weight - a.weight || a.file.localeCompare(b.file));
  for (const h of hits) console.log(`${h.file}:${h.line}\t${h.id}\t${h.value}`);
  return hits.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv[2] ?? ".");
} catch (error) {
  console.error(`cannot read: ${error.message}`);
  process.exitCode = 2;
}
