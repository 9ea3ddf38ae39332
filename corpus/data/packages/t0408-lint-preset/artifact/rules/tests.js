'use strict';

// Tests repeat themselves and are full of numbers, on purpose.
module.exports = {
  'max-lines': 'off',
  'max-nested-callbacks': ['warn', 6],
  'no-magic-numbers': 'off',
  'no-console': 'off',
  'no-restricted-syntax': [
    'error',
    {
      selector: "CallExpression[callee.property.name='only']",
      message: 'A focused test hides all others: remove .only before you push.',
    },
    {
      selector: "CallExpression[callee.name='setTimeout']",
      message: 'Use the fake clock of the runner, real waits make tests flaky.',
    },
  ],
  'prefer-arrow-callback': ['error', { allowNamedFunctions: true }],
};
