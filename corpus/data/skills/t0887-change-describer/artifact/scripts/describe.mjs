#!/usr/bin/env node
// Prints what a pull request description is made of.
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";

const at = process.argv.indexOf("--base");
const base = at < 0 ? "main" : process.argv[at + 1];
if (!/^[\w./-]+$/.test(base) || base.startsWith("-")) {
  console.error(`not a branch name: ${base}`);
  process.exit(2);
}

function git(...args) {
  const result = spawnSync("git", args, { encoding: "utf8", maxBuffer: 16 * 1024 * 1024 });
  if (result.status !== 0) throw new Error(result.stderr.trim());
  return result.stdout.trim();
}

const branch = git("branch", "--show-current");
const commits = git("log", "--format=%s", `${base}..HEAD`).split("\n").filter(Boolean);
const files = git("diff", "--numstat", `${base}...HEAD`)
  .split("\n")
  .filter(Boolean)
  .map((line) => line.split("\t"));

const folders = new Map();
for (const [added, removed, name] of files) {
  const folder = dirname(name);
  const entry = folders.get(folder) ?? { files: 0, added: 0, removed: 0 };
  entry.files += 1;
  // Binary files have a dash in place of a count.
  entry.added += Number(added) || 0;
  entry.removed += Number(removed) || 0;
  folders.set(folder, entry);
}

const hints = JSON.parse(readFileSync(new URL("hints.json", import.meta.url), "utf8"));

console.log(`${branch}: ${commits.length} commits, ${files.length} files`);
for (const subject of commits) console.log(`- ${subject}`);
for (const [folder, { files: n, added, removed }] of [...folders].sort()) {
  console.log(`${folder}/ ${n} files, +${added} -${removed}`);
}
for (const hint of hints) {
  if (new RegExp(hint.branch).test(branch)) console.log(`Hint: ${hint.text}`);
}
