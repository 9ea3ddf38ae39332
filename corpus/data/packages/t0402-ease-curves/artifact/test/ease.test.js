'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { ease, css } = require('..');
require('../dist/ease.min.js');

test('ends are fixed', () => {
  for (const name of ['inQuad', 'outQuint', 'inOutSine']) {
    assert.ok(Math.abs(ease(name, 0)) < 1e-12);
    assert.ok(Math.abs(ease(name, 1) - 1) < 1e-12);
  }
});

test('the build agrees with the source', () => {
  for (let t = 0; t <= 1; t += 0.1) {
    assert.strictEqual(globalThis.easeCurves.ease('inOutCubic', t), ease('inOutCubic', t));
  }
});

test('unknown names', () => {
  assert.throws(() => ease('sideways', 0), RangeError);
  assert.throws(() => css('sideways'), RangeError);
});
