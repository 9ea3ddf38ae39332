'use strict';

const { execFileSync } = require('child_process');
const path = require('path');

const root = path.join(__dirname, '..');
execFileSync(
  process.execPath,
  [require.resolve('terser/bin/terser'), 'index.js', '--compress', '--mangle', '--output', 'dist/ease.min.js'],
  { cwd: root, stdio: 'inherit' },
);
