#!/usr/bin/env node
import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { read, write } from "./board.js";
import { Ring } from "./ring.js";
import { tidy } from "./tidy.js";

const FILE = join(homedir(), ".snip-board.json");

function load(): Ring {
  try {
    return new Ring(20, JSON.parse(readFileSync(FILE, "utf8")));
  } catch {
    return new Ring(20);
  }
}

function watch(ring: Ring): void {
  let quiet = 0;
  const save = () => {
    writeFileSync(FILE, JSON.stringify(ring.items), { mode: 0o600 });
    process.exit(0);
  };
  process.on("SIGINT", save).on("SIGTERM", save);
  setInterval(() => {
    const text = read();
    quiet = ring.add(text) ? 0 : quiet + 1;
    const better = tidy(text, quiet);
    if (better !== text) write(better);
  }, 500);
}

const ring = load();
const [command = "list", index] = process.argv.slice(2);
if (command === "watch") watch(ring);
else if (command === "paste") write(ring.at(Number(index)));
else ring.items.forEach((text, i) => console.log(`${i + 1}  ${text.slice(0, 70).replace(/\n/g, " ")}`));
