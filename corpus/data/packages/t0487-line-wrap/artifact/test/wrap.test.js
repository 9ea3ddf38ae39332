'use strict';

const test = require('node:test');
const assert = require('node:assert');
const wrap = require('..');

test('words stay whole where they fit', () => {
  assert.strictEqual(wrap('one two three', { width: 8 }), 'one two\nthree');
});

test('long words are broken', () => {
  assert.strictEqual(wrap('abcdefgh', { width: 5, hyphen: true }), 'abcd-\nefgh');
});

test('the indent counts', () => {
  assert.throws(() => wrap('x', { width: 3, indent: '  ' }), RangeError);
});
