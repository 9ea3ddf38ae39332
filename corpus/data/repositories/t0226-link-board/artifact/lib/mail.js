'use strict';

const { spawn } = require('child_process');

/** Hand one message to the local sendmail. */
function send(to, subject, text) {
  if (/[\r\n]/.test(to + subject)) throw new Error('line break in a mail header');
  return new Promise((resolve, reject) => {
    const child = spawn('/usr/sbin/sendmail', ['-t']);
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`sendmail: ${code}`))));
    child.stdin.end(`To: ${to}\nSubject: ${subject}\n\n${text}\n`);
  });
}

module.exports = { send };
