'use strict';

const { BEZIER, POWERS } = require('./lib/table');

function ease(name, t) {
  const match = /^(in|out|inOut)([A-Z][a-z]+)$/.exec(name);
  const power = match && POWERS[match[2]];
  const x = Math.min(1, Math.max(0, t));
  if (match && match[2] === 'Sine') {
    if (match[1] === 'in') return 1 - Math.cos((x * Math.PI) / 2);
    if (match[1] === 'out') return Math.sin((x * Math.PI) / 2);
    return (1 - Math.cos(Math.PI * x)) / 2;
  }
  if (!power) throw new RangeError(`no curve '${name}'`);
  if (match[1] === 'in') return x ** power;
  if (match[1] === 'out') return 1 - (1 - x) ** power;
  return x < 0.5 ? 2 ** (power - 1) * x ** power : 1 - (2 - 2 * x) ** power / 2;
}

function css(name) {
  const points = BEZIER[name];
  if (!points) throw new RangeError(`no curve '${name}'`);
  return `cubic-bezier(${points.join(', ')})`;
}

module.exports = { ease, css };
