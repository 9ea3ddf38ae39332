'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { kindOf } = require('../lib/kind');

test('files are told by their first bytes', () => {
  assert.strictEqual(kindOf(Buffer.from('89504e470d0a1a0a00', 'hex')), 'png');
  assert.strictEqual(kindOf(Buffer.from('ffd8ffe0', 'hex')), 'jpeg');
  assert.strictEqual(kindOf(Buffer.from('GIF89a')), null);
});
