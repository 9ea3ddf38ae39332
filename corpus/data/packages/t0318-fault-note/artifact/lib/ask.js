'use strict';

const readline = require('readline');

/** Resolves to true for an explicit yes at a terminal, else to false. */
function ask(text) {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return Promise.resolve(false);
  const lines = readline.createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.question(text, (answer) => {
      lines.close();
      resolve(/^y(es)?$/i.test(answer.trim()));
    });
  });
}

module.exports = { ask };
