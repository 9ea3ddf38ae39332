'use strict';

const test = require('node:test');
const assert = require('node:assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { crc16, crc32, crc32File } = require('..');

const check = Buffer.from('123456789');

test('check values of the catalogue', () => {
  assert.strictEqual(crc32(check), 0xcbf43926);
  assert.strictEqual(crc16(check), 0xbb3d);
});

test('file and buffer agree', () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'crc-'));
  const file = path.join(dir, 'check.bin');
  fs.writeFileSync(file, check);
  assert.strictEqual(crc32File(file), crc32(check));
});
