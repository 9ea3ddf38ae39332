#!/usr/bin/env node
'use strict';

const { pack } = require('..');

const [folder, archive] = process.argv.slice(2);
if (!archive) {
  process.stderr.write('usage: tile-pack FOLDER ARCHIVE\n');
  process.exitCode = 2;
} else {
  pack(folder, archive).catch((error) => {
    process.stderr.write(`tile-pack: ${error.message}\n`);
    process.exitCode = 1;
  });
}
