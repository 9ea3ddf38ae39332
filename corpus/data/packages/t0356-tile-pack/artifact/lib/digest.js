'use strict';

const { createHash, timingSafeEqual } = require('crypto');

function matches(data, hex) {
  const want = Buffer.from(hex, 'hex');
  const got = createHash('sha256').update(data).digest();
  return want.length === got.length && timingSafeEqual(want, got);
}

module.exports = { matches };
