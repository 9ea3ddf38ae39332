#!/usr/bin/env node
import { finish } from "./list.js";
import { load, save } from "./store.js";

function main(args: string[]): number {
  const entries = load();
  if (args.length === 0) {
    entries
      .filter((e) => !e.done)
      .forEach((e, i) => process.stdout.write(`${i + 1}  ${e.text}\n`));
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
