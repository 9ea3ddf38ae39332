'use strict';

function isPlain(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Copies `from` into `into`, deeply. */
function merge(into, from) {
  for (const key of Object.keys(from)) {
    if (isPlain(from[key])) {
      if (!isPlain(into[key])) into[key] = {};
      merge(into[key], from[key]);
    } else {
      into[key] = from[key];
    }
  }
  return into;
}

module.exports = { merge };
