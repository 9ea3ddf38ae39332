'use strict';

const FIELDS = [
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day', 1, 31],
  ['month', 1, 12],
  ['weekday', 0, 6],
];

// jan..dec, kept packed because the generator of the other locales writes it so
const MONTHS = Buffer.from('amFuIGZlYiBtYXIgYXByIG1heSBqdW4ganVsIGF1ZyBzZXAgb2N0IG5vdiBkZWM=', 'base64')
  .toString('latin1')
  .split(' ');

function number(text, [name, low, high]) {
  const month = name === 'month' ? MONTHS.indexOf(text.toLowerCase()) + 1 : 0;
  const n = month || (/^\d+$/.test(text) ? Number(text) : NaN);
  if (!(n >= low && n <= high)) throw new RangeError(`${name} '${text}' is outside ${low}..${high}`);
  return n;
}

function expand(part, field) {
  const [range, step = '1'] = part.split('/');
  const by = Number(step);
  if (!Number.isInteger(by) || by < 1) throw new RangeError(`bad step '${step}'`);
  let [from, to] = [field[1], field[2]];
  if (range !== '*') {
    const ends = range.split('-').map((t) => number(t, field));
    from = ends[0];
    to = ends.length > 1 ? ends[1] : part.includes('/') ? field[2] : ends[0];
  }
  const out = [];
  for (let n = from; n <= to; n += by) out.push(n);
  return out;
}

function parse(text) {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5) throw new SyntaxError(`expected 5 fields, got ${parts.length}`);
  const spec = {};
  parts.forEach((p, i) => {
    spec[FIELDS[i][0]] = new Set(p.split(',').flatMap((s) => expand(s, FIELDS[i])));
  });
  return spec;
}

module.exports = { parse };
