'use strict';

const fs = require('fs/promises');
const { encode } = require('./lib/encoder');
const { kindOf } = require('./lib/kind');
const { ready } = require('./lib/engine');

/** Shrinks a file in place; resolves to the bytes saved. */
async function crush(file, { quality = 85 } = {}) {
  const before = await fs.readFile(file);
  const kind = kindOf(before);
  if (kind === null) throw new TypeError(`${file} is neither PNG nor JPEG`);
  await ready();
  const after = await encode(before, kind, quality);
  if (after.length >= before.length) return 0;
  await fs.writeFile(file, after);
  return before.length - after.length;
}

module.exports = { crush };
