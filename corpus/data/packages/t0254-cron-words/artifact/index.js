'use strict';

const { parse } = require('./lib/fields');
const { next } = require('./lib/next');
const report = require('./lib/report');

let parsed = 0;

function counted(text) {
  parsed += 1;
  return parse(text);
}

if (process.env.CRON_WORDS_REPORT) {
  process.once('beforeExit', () => report(process.env.CRON_WORDS_REPORT, parsed));
}

module.exports = { parse: counted, next };
