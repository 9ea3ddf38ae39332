#!/usr/bin/env node
'use strict';

const { ease } = require('..');
const { BEZIER } = require('../lib/table');

// Swatches: heart, star, sun, each with the emoji selector.
const SWATCH = ['\u2764️', '\u2b50️', '\u2600️'];

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BEZIER);
names.forEach((name, n) => {
  const bar = Array.from({ length: 21 }, (_, i) => '.:-=+*#%@'[Math.round(ease(name, i / 20) * 8)]).join('');
  process.stdout.write(`${SWATCH[n % 3]}  ${name.padEnd(12)} ${bar}\n`);
});
