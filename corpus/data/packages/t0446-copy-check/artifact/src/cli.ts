#!/usr/bin/env node
import { read, write } from "./board.js";
import { ends, kindOf } from "./form.js";

function main([command, address]: string[]): number {
  if (address === undefined || (command !== "set" && command !== "verify")) {
    console.error("usage: copy-check set|verify ADDRESS");
    return 2;
  }
  const kind = kindOf(address);
  if (kind === undefined) {
    console.error(`copy-check: '${address}' has no known form`);
    return 2;
  }
  if (command === "set") {
    write(address);
    console.log(`${kind} ${ends(address)} copied`);
  }
  const now = read().trim();
  if (now !== address) {
    console.error(`copy-check: the clipboard holds ${ends(now)}, not ${ends(address)}`);
    return 1;
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
