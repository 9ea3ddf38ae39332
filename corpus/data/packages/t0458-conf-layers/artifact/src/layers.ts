import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tree } from "./merge";

export function fromFile(folder: string, name: string): Tree {
  let text: string;
  try {
    text = readFileSync(join(folder, name), "utf8");
  } catch {
    return {};
  }
  const tree: unknown = JSON.parse(text);
  if (typeof tree !== "object" || tree === null) throw new TypeError(`${name} holds no object`);
  return tree as Tree;
}

export function fromEnvironment(prefix: string, env = process.env): Tree {
  const out: Tree = {};
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(prefix) || value === undefined) continue;
    const path = name.slice(prefix.length).toLowerCase().split("__");
    const last = path.pop() as string;
    let at = out;
    for (const key of path) at = (at[key] ??= {}) as Tree;
    at[last] = value;
  }
  return out;
}
