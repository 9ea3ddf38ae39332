#!/usr/bin/env node
'use strict';

const { crush } = require('..');

async function main(files) {
  if (files.length === 0) {
    process.stderr.write('usage: pix-crush FILE...\n');
    process.exitCode = 2;
    return;
  }
  for (const file of files) {
    try {
      const saved = await crush(file);
      process.stdout.write(`${file}: ${saved} bytes\n`);
    } catch (error) {
      process.stderr.write(`pix-crush: ${error.message}\n`);
      process.exitCode = 1;
    }
  }
}

main(process.argv.slice(2));
