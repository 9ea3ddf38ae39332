'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { matches } = require('../lib/digest');

test('only the right bytes match', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  assert.ok(matches(Buffer.alloc(0), empty));
  assert.ok(!matches(Buffer.from('x'), empty));
  assert.ok(!matches(Buffer.alloc(0), 'e3'));
});
