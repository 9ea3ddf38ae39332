'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { outline, refresh } = require('..');

test('levels become indentation', () => {
  assert.strictEqual(outline('# A\n## B\n### C d!\n#### E', 3), '- [B](#b)\n  - [C d!](#c-d)');
});

test('fenced code is skipped', () => {
  assert.strictEqual(outline('```\n## no\n```\n## yes', 3), '- [yes](#yes)');
});

test('a second run changes nothing', () => {
  const once = refresh('<!-- outline -->\n<!-- /outline -->\n## X\n## X\n');
  assert.strictEqual(refresh(once), once);
  assert.match(once, /\(#x-1\)/);
});
