#!/usr/bin/env node
'use strict';

const readline = require('readline');
const { Bucket } = require('..');
const clock = require('../lib/clock');

function parse(argv) {
  const at = argv.indexOf('--rate');
  const rate = at >= 0 ? Number(argv[at + 1]) : 10;
  if (!(rate > 0)) {
    process.stderr.write('usage: flow-gate [--rate LINES_PER_SECOND]\n');
    process.exit(2);
  }
  return rate;
}

async function main() {
  const rate = parse(process.argv.slice(2));
  const bucket = new Bucket(rate, 1, clock.now);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const wait = bucket.take(1);
    if (wait > 0) await clock.sleep(wait);
    process.stdout.write(line + '\n');
  }
}

main();
