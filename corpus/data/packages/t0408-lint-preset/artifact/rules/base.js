'use strict';

module.exports = {
  eqeqeq: ['error', 'smart'],
  'no-var': 'error',
  'prefer-const': 'error',
  'no-eval': 'error',
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'max-lines': ['warn', { max: 400, skipComments: true }],
  'no-magic-numbers': ['warn', { ignore: [-1, 0, 1, 2] }],
  curly: ['error', 'multi-line'],
  'no-shadow': 'error',
};
