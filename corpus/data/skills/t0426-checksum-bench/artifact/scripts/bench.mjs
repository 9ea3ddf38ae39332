#!/usr/bin/env node
// Times checksum implementations on one file.
import { existsSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import crc32 from "buffer-crc32";

const path = process.argv[2];
if (!path) {
  console.error("usage: bench.mjs FILE");
  process.exit(2);
}

const data = readFileSync(path);
const program = fileURLToPath(new URL("crc", import.meta.url));

const table = new Uint32Array(256).map((_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function plain(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = table[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

const hex = (sum) => sum.toString(16).padStart(8, "0");
const rows = [
  ["javascript", () => hex(plain(data))],
  ["buffer-crc32", () => hex(crc32.unsigned(data))],
];
if (zlib.crc32) rows.push(["zlib", () => hex(zlib.crc32(data))]);
if (existsSync(program)) {
  rows.push(["native", () => spawnSync(program, { input: data, encoding: "utf8" }).stdout.trim()]);
}

const results = rows.map(([name, run]) => {
  const start = performance.now();
  const sum = run();
  return { name, sum, ms: performance.now() - start };
});
results.sort((a, b) => a.ms - b.ms);
for (const { name, sum, ms } of results) {
  console.log(`${name}\t${sum}\t${(data.length / 1048.576 / ms).toFixed(0)} MB/s`);
}
