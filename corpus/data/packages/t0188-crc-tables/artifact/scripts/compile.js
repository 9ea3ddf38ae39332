'use strict';

const path = require('path');
const { spawnSync } = require('child_process');

const dir = path.join(__dirname, '..', 'native');

function compile() {
  if (process.env.CRC_TABLES_JS === '1') return 'skipped by CRC_TABLES_JS';
  const cc = process.env.CC || 'cc';
  const args = ['-O2', '-std=c99', '-o', path.join(dir, 'crc'), path.join(dir, 'crc.c')];
  const run = spawnSync(cc, args, { encoding: 'utf8', timeout: 60_000 });
  if (run.error) return `no compiler (${run.error.code})`;
  if (run.status !== 0) return `compiler said: ${run.stderr.trim().split('\n')[0]}`;
  return 'built';
}

// A missing helper is no reason to fail an install.
process.stdout.write(`crc-tables: native helper ${compile()}\n`);
