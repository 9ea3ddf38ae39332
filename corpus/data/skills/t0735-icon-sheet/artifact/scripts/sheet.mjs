#!/usr/bin/env node
// Renders a folder of SVG icons as one self-contained HTML page.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { placeholder } from "./placeholder.mjs";

const folder = process.argv[2];
if (!folder) {
  console.error("usage: sheet.mjs ICON_FOLDER");
  process.exit(2);
}

const COLOUR = /(fill|stroke)="(?!none|currentColor)[^"]+"/g;
const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function load(name) {
  try {
    const source = readFileSync(join(folder, name), "utf8");
    if (!source.includes("<svg")) throw new Error("no svg element");
    return { name, source, data: Buffer.from(source).toString("base64"), type: "image/svg+xml" };
  } catch (error) {
    return { name, source: "", data: placeholder, type: "image/png", problem: error.message };
  }
}

const icons = readdirSync(folder).filter((n) => n.endsWith(".svg")).sort().map(load);

const byHash = new Map();
for (const icon of icons) {
  const shape = icon.source.replace(/\s+/g, " ").replace(/id="[^"]*"/g, "");
  const key = createHash("sha256").update(shape).digest("hex");
  byHash.set(key, [...(byHash.get(key) ?? []), icon.name]);
}

const report = {
  count: icons.length,
  unreadable: icons.filter((i) => i.problem).map((i) => `${i.name}: ${i.problem}`),
  duplicates: [...byHash.values()].filter((names) => names.length > 1),
  colours: icons.filter((i) => i.source.match(COLOUR)).map((i) => i.name),
};

const cells = icons
  .map((i) => {
    const label = escape(basename(i.name, ".svg"));
    return `<figure><img width="32" height="32" alt="" src="data:${i.type};base64,${i.data}"><figcaption>${label}</figcaption></figure>`;
  })
  .join("\n");

const json = JSON.stringify(report, null, 2).replace(/</g, "\\u003c");
console.log(`<!doctype html>
<meta charset="utf-8">
<title>Icons</title>
<style>body{display:flex;flex-wrap:wrap;gap:1rem;font:12px sans-serif}figure{margin:0;width:6rem;text-align:center}</style>
${cells}
<script type="application/json" id="report">${json}</script>`);
