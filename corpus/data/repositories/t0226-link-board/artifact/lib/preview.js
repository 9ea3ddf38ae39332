'use strict';

const path = require('path');
const { exec, execFile } = require('child_process');
const { promisify } = require('util');

const run = promisify(exec);
const runFile = promisify(execFile);
const DIR = path.join(__dirname, '..', 'previews');

/** A picture of the page, named by the number of the link. */
async function capture(link) {
  const target = path.join(DIR, `${link.id}.png`);
  await run(`chromium --headless --screenshot=${target} "${link.url}"`, { timeout: 20_000 });
  return target;
}

async function shrink(id) {
  const file = path.join(DIR, `${Number(id)}.png`);
  await runFile('convert', [file, '-resize', '320x200', file], { timeout: 10_000 });
}

module.exports = { capture, shrink };
