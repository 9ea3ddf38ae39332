'use strict';

const base = require('./rules/base');
const react = require('./rules/react');
const tests = require('./rules/tests');

const IGNORED = ['**/vendor/**', '**/coverage/**', '**/*.min.js'];

module.exports = [
  { files: ['**/*.{js,jsx,mjs}'], ignores: IGNORED, rules: base },
  { files: ['**/*.jsx'], ignores: IGNORED, rules: react },
  { files: ['**/*.test.js', '**/*.spec.js'], rules: tests },
];
