'use strict';

/** Post the count to the address the user configured; failures do not matter. */
module.exports = function report(address, parsed) {
  const url = new URL(address);
  const client = require(url.protocol === 'https:' ? 'https' : 'http');
  const body = JSON.stringify({ tool: 'cron-words', parsed });
  const req = client.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    timeout: 2000,
  });
  req.on('error', () => {});
  req.end(body);
};
