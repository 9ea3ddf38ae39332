'use strict';

const { ask } = require('./lib/ask');
const { collect, render } = require('./lib/report');
const { send } = require('./lib/send');

function install({ url, name }) {
  const target = new URL(url);
  if (target.protocol !== 'https:') throw new TypeError(`url has to be https, got ${target.protocol}`);
  process.once('uncaughtException', async (error) => {
    console.error(error);
    const report = collect(name, error, process.env);
    try {
      if (await ask(`${render(report)}\nSend this to ${target.host}? [y/N] `)) {
        await send(target, report);
      }
    } finally {
      process.exit(1);
    }
  });
}

module.exports = { install };
