'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { collect, mask } = require('../lib/report');

test('keys and addresses are masked', () => {
  assert.strictEqual(mask('with AKIAEXAMPLEEXAMPLE00 set'), 'with <key> set');
  assert.strictEqual(mask('ghp_0000000000000000example for ada@mail.example'), '<token> for <mail>');
});

test('values of the environment stay out', () => {
  const text = JSON.stringify(collect('t', new Error('no'), { DB_PASSWORD: 'hunter22' }));
  assert.ok(text.includes('DB_PASSWORD'));
  assert.ok(!text.includes('hunter22'));
});
