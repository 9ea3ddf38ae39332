'use strict';

const { spawn } = require('child_process');

function encode(data, kind, quality) {
  return new Promise((resolve, reject) => {
    const child = spawn('pixenc', ['--type', kind, '--quality', String(quality), '-'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const parts = [];
    child.on('error', reject);
    child.stdin.on('error', reject);
    child.stdout.on('data', (part) => parts.push(part));
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(parts));
      else reject(new Error(`pixenc ended with status ${code}`));
    });
    child.stdin.end(data);
  });
}

module.exports = { encode };
