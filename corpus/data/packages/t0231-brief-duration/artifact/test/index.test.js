'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { brief, long } = require('../lib');

test('two largest units are printed', () => {
  assert.strictEqual(brief(7_500_000), '2h 5m');
  assert.strictEqual(brief(90_061_001, { parts: 4 }), '1d 1h 1m 1s');
});

test('negative and zero', () => {
  assert.strictEqual(brief(-1500), '-1s 500ms');
  assert.strictEqual(brief(0), '0ms');
});

test('long names follow the locale', () => {
  assert.strictEqual(long(277_200_000, 'de'), '3 Tage, 5 Stunden');
});
