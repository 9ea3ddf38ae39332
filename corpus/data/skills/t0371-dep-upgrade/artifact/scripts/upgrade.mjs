#!/usr/bin/env node
// Prints an upgrade plan for the packages of a lock file.
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import semver from "semver";

const path = process.argv[2];
if (!path) {
  console.error("usage: upgrade.mjs package-lock.json");
  process.exit(2);
}

function direct(lock) {
  const root = lock.packages[""] ?? {};
  const wanted = { ...root.dependencies, ...root.devDependencies };
  return Object.entries(wanted).map(([name, range]) => ({
    name,
    range,
    installed: lock.packages[`node_modules/${name}`]?.version,
  }));
}

function latest(name) {
  const result = spawnSync("npm", ["view", name, "version", "--json"], { encoding: "utf8" });
  return result.status === 0 ? JSON.parse(result.stdout) : null;
}

const order = ["patch", "minor", "major"];
const plan = [];
for (const item of direct(JSON.parse(readFileSync(path, "utf8")))) {
  const newest = item.installed && latest(item.name);
  if (!newest || !semver.gt(newest, item.installed)) continue;
  const step = semver.diff(item.installed, newest).replace("pre", "");
  plan.push({ ...item, newest, step, pinned: !/^[\^~]/.test(item.range) });
}

plan.sort((a, b) => order.indexOf(a.step) - order.indexOf(b.step) || a.name.localeCompare(b.name));
for (const { name, installed, newest, step, pinned } of plan) {
  console.log(`${step}\t${name}\t${installed} -> ${newest}${pinned ? "\tpinned" : ""}`);
}
if (plan.length === 0) console.log("everything is up to date");
