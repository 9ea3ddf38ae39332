import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Settings {
  allow: string[];
  override: Record<string, string>;
}

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

function table(value: unknown): Record<string, string> {
  const out: Record<string, string> = Object.create(null);
  if (typeof value !== "object" || value === null) return out;
  for (const [key, text] of Object.entries(value)) {
    if (FORBIDDEN.has(key)) throw new TypeError(`'${key}' is no package name`);
    out[key] = String(text);
  }
  return out;
}

export function settings(folder: string, given: Partial<Settings>): Settings {
  let file: Partial<Settings> = {};
  try {
    file = JSON.parse(readFileSync(join(folder, "notice.json"), "utf8")) as Partial<Settings>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const allow = given.allow ?? file.allow ?? [];
  return { allow: allow.map(String), override: table(given.override ?? file.override) };
}
