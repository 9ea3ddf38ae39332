'use strict';

const test = require('node:test');
const assert = require('node:assert');
const Bucket = require('../lib/bucket');

test('a full bucket does not wait', () => {
  let t = 0;
  const b = new Bucket(2, 2, () => t);
  assert.strictEqual(b.take(1), 0);
  assert.strictEqual(b.take(1), 0);
  assert.strictEqual(b.take(1), 500);
});

test('it refills with time and never past the burst', () => {
  let t = 0;
  const b = new Bucket(1, 3, () => t);
  b.take(3);
  t = 60_000;
  b.refill();
  assert.strictEqual(b.level, 3);
});
