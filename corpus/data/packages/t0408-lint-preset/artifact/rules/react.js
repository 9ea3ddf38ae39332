'use strict';

module.exports = {
  'react-hooks/rules-of-hooks': 'error',
  'react-hooks/exhaustive-deps': 'warn',
  'react/no-danger': 'error',
  'react/jsx-key': 'error',
  'jsx-a11y/alt-text': 'error',
};
