#!/usr/bin/env node
'use strict';

const { parse, next } = require('..');

const text = process.argv.slice(2).join(' ');
try {
  const at = next(parse(text), new Date());
  process.stdout.write(`next: ${at ? at.toISOString().slice(0, 16) + 'Z' : 'never'}\n`);
} catch (error) {
  process.stderr.write(`cron-words: ${error.message}\n`);
  process.exitCode = 2;
}
