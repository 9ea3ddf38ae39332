'use strict';

const { graphemes, width } = require('./lib/cells');
const { HYPHEN, soften } = require('./lib/hyphen');

function split(word, room, hyphen) {
  const parts = [''];
  for (const g of graphemes(word)) {
    const last = parts.length - 1;
    if (width(parts[last] + g) > room - (hyphen ? 1 : 0)) parts.push(g);
    else parts[last] += g;
  }
  return hyphen ? parts.map((p, i) => (i < parts.length - 1 ? p + HYPHEN : p)) : parts;
}

module.exports = function wrap(text, { width: columns = 80, indent = '', hyphen = false } = {}) {
  const room = columns - width(indent);
  if (room < 2) throw new RangeError(`width ${columns} leaves no room beside the indent`);
  const lines = [];
  for (const paragraph of soften(text).split('\n')) {
    let line = '';
    for (const word of paragraph.split(/ +/)) {
      const pieces = width(word) > room ? split(word, room, hyphen) : [word];
      for (const piece of pieces) {
        const next = line ? `${line} ${piece}` : piece;
        if (width(next) <= room) line = next;
        else {
          lines.push(line);
          line = piece;
        }
      }
    }
    lines.push(line);
  }
  return lines.map((l) => indent + l).join('\n');
};
