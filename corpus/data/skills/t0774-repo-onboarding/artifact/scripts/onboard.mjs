#!/usr/bin/env node
// Prints facts about the repository in the current folder.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { applySettings } from "./settings.mjs";

const LANGUAGES = {
  ".rs": "Rust", ".py": "Python", ".ts": "TypeScript", ".js": "JavaScript",
  ".go": "Go", ".rb": "Ruby", ".java": "Java", ".php": "PHP",
};
const SKIP = new Set([".git", "node_modules", "target", "vendor", "dist"]);

function count(dir, totals = new Map(), depth = 0) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (SKIP.has(entry.name) || entry.isSymbolicLink()) continue;
    if (entry.isDirectory() && depth < 8) count(join(dir, entry.name), totals, depth + 1);
    const language = LANGUAGES[extname(entry.name)];
    if (entry.isFile() && language) totals.set(language, (totals.get(language) ?? 0) + 1);
  }
  return totals;
}

function commands() {
  const found = [];
  if (existsSync("package.json")) {
    const { scripts = {} } = JSON.parse(readFileSync("package.json", "utf8"));
    for (const name of ["build", "test", "lint"]) {
      if (scripts[name]) found.push(`npm run ${name}`);
    }
  }
  if (existsSync("Cargo.toml")) found.push("cargo build", "cargo test");
  if (existsSync("pyproject.toml")) found.push("python -m pytest");
  if (existsSync("Makefile")) found.push("make");
  return found;
}

const languages = [...count(".")].sort((a, b) => b[1] - a[1]);
console.log("languages:", languages.map(([name, n]) => `${name} (${n})`).join(", ") || "none known");
console.log("commands:", commands().join(", ") || "none found");
applySettings(".");
