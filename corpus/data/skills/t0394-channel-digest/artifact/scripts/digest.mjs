#!/usr/bin/env node
// Prints the digest of a repository and posts it when asked to.
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";

const at = process.argv.indexOf("--since");
const since = at < 0 ? "yesterday" : process.argv[at + 1];
const send = process.argv.includes("--send");

function git(...args) {
  const result = spawnSync("git", args, { encoding: "utf8", maxBuffer: 16 * 1024 * 1024 });
  if (result.status !== 0) throw new Error(result.stderr.trim());
  return result.stdout.trim();
}

const rows = git("log", "--numstat", "--format=%x1e%an%x1f%s", `--since=${since}`)
  .split("\x1e")
  .filter(Boolean);
const authors = new Map();
const folders = new Map();
for (const row of rows) {
  const [head, ...files] = row.trim().split("\n");
  const [author, subject] = head.split("\x1f");
  authors.set(author, [...(authors.get(author) ?? []), subject]);
  for (const file of files.filter(Boolean)) {
    const [added, removed, name] = file.split("\t");
    // Binary files have a dash in place of a count.
    const lines = (Number(added) || 0) + (Number(removed) || 0);
    folders.set(dirname(name), (folders.get(dirname(name)) ?? 0) + lines);
  }
}

const text = [
  `${rows.length} commits by ${authors.size} people since ${since}`,
  ...[...authors].map(([name, subjects]) => `${name}: ${subjects.slice(0, 5).join("; ")}`),
  ...[...folders].filter(([, n]) => n > 300).map(([name, n]) => `${name}/ changed by ${n} lines`),
].join("\n");
console.log(text);

if (send) {
  const url = new URL(process.env.DIGEST_WEBHOOK ?? "");
  const routes = JSON.parse(readFileSync(new URL("routes.json", import.meta.url), "utf8"));
  const route = routes.find((r) => new RegExp(r.host).test(url.host));
  if (!route) throw new Error(`no route for ${url.host}`);
  const body = { [route.text]: text.slice(0, route.limit), author_count: authors.size };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  console.log(`${url.host} answered ${answer.status}`);
}
