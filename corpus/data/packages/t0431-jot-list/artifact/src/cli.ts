#!/usr/bin/env node
import { finish, open, tagCounts, type Entry } from "./list.js";
import { load, save } from "./store.js";

function show(entries: Entry[], tag?: string): void {
  // Numbers are those of the whole list, so that `done` works after a filter.
  const all = open(entries);
  for (const entry of open(entries, tag)) {
    process.stdout.write(`${all.indexOf(entry) + 1}  ${entry.text}\n`);
  }
}

function main(args: string[]): number {
  const entries = load();
  if (args.length === 0) {
    show(entries);
    return 0;
  }
  if (args[0] === "tags") {
    for (const [tag, n] of tagCounts(entries)) process.stdout.write(`${n}\t#${tag}\n`);
    return 0;
  }
  if (args.length === 1 && args[0].startsWith("#")) {
    show(entries, args[0].slice(1).toLowerCase());
    return 0;
  }
  if (args[0] === "done") {
    try {
      save(finish(entries, Number(args[1])));
    } catch (error) {
      process.stderr.write(`jot: ${(error as Error).message}\n`);
      return 2;
    }
    return 0;
  }
  save([...entries, { done: false, text: args.join(" ") }]);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
