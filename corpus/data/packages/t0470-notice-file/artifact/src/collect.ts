import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface Package {
  name: string;
  version: string;
  licence: string;
  text: string;
}

const TEXT = /^(licen[cs]e|copying)(\.(md|txt))?$/i;

function read(folder: string): Package | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  const info = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  if (typeof info.name !== "string") return undefined;
  const text = readdirSync(folder).find((name) => TEXT.test(name));
  return {
    name: info.name,
    version: String(info.version ?? "0"),
    licence: typeof info.license === "string" ? info.license : "unknown",
    text: text === undefined ? "" : readFileSync(join(folder, text), "utf8").trim(),
  };
}

/** Every installed package once, sorted by name. */
export function collect(folder: string, found = new Map<string, Package>()): Package[] {
  const modules = join(folder, "node_modules");
  if (existsSync(modules)) {
    const names = readdirSync(modules).filter((name) => !name.startsWith("."));
    const all = names.flatMap((n) => (n.startsWith("@") ? readdirSync(join(modules, n)).map((m) => join(n, m)) : [n]));
    for (const name of all) {
      const inner = join(modules, name);
      const pack = read(inner);
      if (pack !== undefined) found.set(`${pack.name}@${pack.version}`, pack);
      collect(inner, found);
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}
