'use strict';

const https = require('https');

function send(target, report) {
  return new Promise((resolve) => {
    const req = https.request(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      timeout: 3000,
    });
    req.on('error', resolve);
    req.on('response', (res) => res.resume().on('end', resolve));
    req.end(JSON.stringify(report));
  });
}

module.exports = { send };
