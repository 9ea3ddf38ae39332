'use strict';

module.exports = {
  thin: { side: '|', line: '-', cross: '+' },
  double: { side: '\u2551', line: '\u2550', cross: '\u256c' },
  none: { side: '', line: '', cross: '' },
};
