'use strict';

const test = require('node:test');
const assert = require('node:assert');
const grid = require('..');

test('columns line up', () => {
  const lines = grid([{ a: 1, b: 'long text' }, { a: 22 }]).split('\n');
  assert.strictEqual(new Set(lines.map((l) => l.length)).size, 1);
});

test('long cells are cut', () => {
  assert.match(grid([{ a: 'x'.repeat(60) }], { max: 10 }), /x{9}\u2026/);
});

test('an unknown border is refused', () => {
  assert.throws(() => grid([], { border: 'wavy' }), RangeError);
});
