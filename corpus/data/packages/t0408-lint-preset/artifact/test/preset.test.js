'use strict';

const test = require('node:test');
const assert = require('node:assert');
const preset = require('..');

test('every entry has files and rules', () => {
  for (const entry of preset) {
    assert.ok(entry.files.length > 0);
    assert.strictEqual(typeof entry.rules, 'object');
  }
});

test('eval stays forbidden', () => {
  assert.strictEqual(preset[0].rules['no-eval'], 'error');
});
