'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { merge } = require('../lib/merge');

test('nested values are kept', () => {
  assert.deepStrictEqual(merge({ card: { size: 'a6', lines: 4 } }, { card: { size: 'a5' } }), {
    card: { size: 'a5', lines: 4 },
  });
});
