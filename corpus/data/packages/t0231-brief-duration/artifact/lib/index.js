'use strict';

const { UNITS, names } = require('./units');

function split(ms, parts) {
  if (!Number.isFinite(ms)) throw new TypeError('duration must be a finite number');
  let rest = Math.abs(Math.trunc(ms));
  const out = [];
  for (const [unit, size] of UNITS) {
    const n = Math.floor(rest / size);
    if (n > 0) {
      out.push([unit, n]);
      rest -= n * size;
    }
    if (out.length === parts) break;
  }
  return out.length ? out : [['ms', 0]];
}

function brief(ms, { parts = 2, sep = ' ' } = {}) {
  const sign = ms < 0 ? '-' : '';
  return sign + split(ms, parts).map(([u, n]) => `${n}${u}`).join(sep);
}

function long(ms, locale = 'en', { parts = 2 } = {}) {
  const table = names(locale);
  return split(ms, parts)
    .map(([u, n]) => `${n} ${table[u][n === 1 ? 0 : 1]}`)
    .join(', ');
}

module.exports = { brief, long };
