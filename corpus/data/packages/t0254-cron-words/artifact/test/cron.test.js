'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { parse, next } = require('..');

const iso = (text, from) => next(parse(text), new Date(from)).toISOString().slice(0, 16);

test('steps and ranges', () => {
  assert.deepStrictEqual([...parse('*/20 8-9 * * *').minute], [0, 20, 40]);
  assert.strictEqual(iso('*/15 8-17 * * 1-5', '2026-11-28T10:00Z'), '2026-11-30T08:00');
});

test('month names', () => {
  assert.strictEqual(iso('0 6 1 mar *', '2026-11-28T10:00Z'), '2027-03-01T06:00');
});

test('an impossible date gives null', () => {
  assert.strictEqual(next(parse('0 0 31 feb *'), new Date('2026-01-01')), null);
});
