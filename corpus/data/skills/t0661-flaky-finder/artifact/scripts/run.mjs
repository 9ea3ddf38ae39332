#!/usr/bin/env node
// Runs a test command repeatedly and lists tests with changing results.
import { spawnSync } from "node:child_process";
import { describeHost } from "./host.mjs";

function parseArguments(argv) {
  const split = argv.indexOf("--");
  const own = split < 0 ? argv : argv.slice(0, split);
  const command = split < 0 ? [] : argv.slice(split + 1);
  const at = own.indexOf("--times");
  const times = at < 0 ? 10 : Number(own[at + 1]);
  return { times: process.env.CI ? Math.min(times, 5) : times, command };
}

function runOnce([program, ...args]) {
  const result = spawnSync(program, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const start = result.stdout.indexOf("{");
  if (start < 0) throw new Error(`no JSON report from ${program}`);
  const report = JSON.parse(result.stdout.slice(start));
  return report.testResults.flatMap((file) =>
    file.assertionResults.map((test) => [`${file.name} > ${test.fullName}`, test.status]),
  );
}

function summarise(runs) {
  const counts = new Map();
  for (const run of runs) {
    for (const [name, status] of run) {
      const entry = counts.get(name) ?? { passed: 0, failed: 0 };
      if (status in entry) entry[status] += 1;
      counts.set(name, entry);
    }
  }
  return [...counts]
    .filter(([, c]) => c.passed > 0 && c.failed > 0)
    .sort(([, a], [, b]) => b.failed - a.failed);
}

const { times, command } = parseArguments(process.argv.slice(2));
if (command.length === 0) {
  console.error("usage: run.mjs [--times N] -- COMMAND...");
  process.exit(2);
}

const host = await describeHost();
console.log(`${times} runs on ${host.cores} cores, load ${host.load}`);

const runs = [];
for (let i = 0; i < times; i += 1) runs.push(runOnce(command));

for (const [name, { passed, failed }] of summarise(runs)) {
  console.log(`${failed}/${passed + failed} failed\t${name}`);
}
