// Access to the README files under node_modules.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const NAME = /^(@[a-z0-9._-]+\/)?[a-z0-9._-]+$/;

export function packages(root) {
  const base = join(root, "node_modules");
  if (!existsSync(base)) return [];
  return readdirSync(base).flatMap((name) => {
    if (name.startsWith(".")) return [];
    if (!name.startsWith("@")) return [name];
    return readdirSync(join(base, name)).map((inner) => `${name}/${inner}`);
  });
}

export function readme(root, name) {
  if (!NAME.test(name) || name.includes("..")) throw new Error(`not a package name: ${name}`);
  const path = join(root, "node_modules", name, "README.md");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

export function search(root, words, limit) {
  const needle = words.toLowerCase();
  const hits = [];
  for (const name of packages(root)) {
    readme(root, name)
      .split("\n")
      .forEach((line, i) => {
        if (line.toLowerCase().includes(needle)) hits.push({ name, line: i + 1, text: line.trim() });
      });
    if (hits.length >= limit) break;
  }
  return hits.slice(0, limit);
}
