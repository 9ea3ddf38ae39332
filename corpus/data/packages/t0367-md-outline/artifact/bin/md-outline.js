#!/usr/bin/env node
'use strict';

const fs = require('fs');
const { refresh } = require('../lib/outline');

function main(argv) {
  let depth = 3;
  let check = false;
  const files = [];
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '--check') check = true;
    else if (argv[i] === '--depth') depth = Number(argv[++i]);
    else files.push(argv[i]);
  }
  if (!files.length || !(depth >= 1 && depth <= 6)) {
    process.stderr.write('usage: md-outline [--check] [--depth 1..6] FILE...\n');
    return 2;
  }

  let stale = 0;
  for (const file of files) {
    const before = fs.readFileSync(file, 'utf8');
    const after = refresh(before, depth);
    if (after === before) continue;
    stale++;
    if (check) process.stdout.write(`${file}: outline is out of date\n`);
    else fs.writeFileSync(file, after);
  }
  return check && stale ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
