'use strict';

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
const COLOUR = /\u001b\[[0-9;]*m/g;

function width(text) {
  let n = 0;
  for (const c of text.replace(COLOUR, '')) n += WIDE.test(c) ? 2 : 1;
  return n;
}

function cut(text, max) {
  if (width(text) <= max) return text;
  let out = '';
  for (const c of text) {
    if (width(out + c) > max - 1) break;
    out += c;
  }
  return out + '\u2026';
}

function pad(text, to) {
  return text + ' '.repeat(Math.max(0, to - width(text)));
}

module.exports = { width, cut, pad };
