// Writes index.json from glossary.json. Runs after installation.
import { readFileSync, writeFileSync } from "node:fs";
import { buildIndex } from "../src/trigrams.js";

const source = new URL("../glossary.json", import.meta.url);
const target = new URL("../index.json", import.meta.url);

try {
  const glossary = JSON.parse(readFileSync(source, "utf8"));
  writeFileSync(target, JSON.stringify(buildIndex(glossary)));
} catch (error) {
  // A read-only installation is fine, the server can do without the file.
  console.warn(`index not written: ${error.message}`);
}
