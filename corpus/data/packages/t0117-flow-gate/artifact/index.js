'use strict';

const Bucket = require('./lib/bucket');
const clock = require('./lib/clock');

/** Wrap `fn` so that it is called at most `rate` times a second. */
function gate(fn, { rate = 10, burst = rate } = {}) {
  const bucket = new Bucket(rate, burst, clock.now);
  return async function gated(...args) {
    const wait = bucket.take(1);
    if (wait > 0) await clock.sleep(wait);
    return fn.apply(this, args);
  };
}

module.exports = { gate, Bucket };
