'use strict';

const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');

const HELPER = path.join(__dirname, '..', 'native', 'crc');

function table(polynomial, mask) {
  return Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ polynomial : c >>> 1;
    return c & mask;
  });
}

const T32 = table(0xedb88320, 0xffffffff);
const T16 = table(0xa001, 0xffff);

function crc32(bytes, seed = 0) {
  let c = ~seed >>> 0;
  for (const b of bytes) c = (T32[(c ^ b) & 0xff] ^ (c >>> 8)) >>> 0;
  return ~c >>> 0;
}

function crc16(bytes, seed = 0) {
  let c = seed;
  for (const b of bytes) c = T16[(c ^ b) & 0xff] ^ (c >>> 8);
  return c & 0xffff;
}

function crc32File(file) {
  if (fs.existsSync(HELPER)) {
    const run = spawnSync(HELPER, [path.resolve(file)], { encoding: 'utf8' });
    if (run.status === 0) return parseInt(run.stdout, 16);
  }
  return crc32(fs.readFileSync(file));
}

module.exports = { crc16, crc32, crc32File };
