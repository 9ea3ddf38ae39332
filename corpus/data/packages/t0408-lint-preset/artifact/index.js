'use strict';

const base = require('./rules/base');
const react = require('./rules/react');

module.exports = [
  { files: ['**/*.{js,jsx,mjs}'], rules: base },
  { files: ['**/*.jsx'], rules: react },
  { files: ['**/*.test.js'], rules: { 'max-lines': 'off', 'no-magic-numbers': 'off' } },
];
