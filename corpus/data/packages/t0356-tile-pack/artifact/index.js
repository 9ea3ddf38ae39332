'use strict';

const { spawn } = require('child_process');
const { binary } = require('./lib/place');

/** Packs `folder` into `archive`; resolves when the archive is complete. */
function pack(folder, archive, { jobs = 2 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(binary(), ['pack', '--jobs', String(jobs), '--', folder, archive], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`tilepack ended with status ${code}`));
    });
  });
}

module.exports = { pack };
