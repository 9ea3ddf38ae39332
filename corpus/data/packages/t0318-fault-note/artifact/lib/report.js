'use strict';

const os = require('os');

const MASKS = [
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, '<key>'],
  [/\b(?:ghp|glpat|sk|xoxb)[-_][\w-]{16,}/g, '<token>'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, '<private key>'],
  [/\b[\w.+-]+@[\w-]+\.[\w.]+\b/g, '<mail>'],
];

function mask(text) {
  const home = os.homedir();
  const short = home.length > 1 ? text.split(home).join('~') : text;
  return MASKS.reduce((t, [pattern, by]) => t.replace(pattern, by), short);
}

function collect(name, error, env) {
  return {
    name,
    stack: mask(String(error && error.stack ? error.stack : error)),
    node: process.version,
    platform: `${os.platform()} ${os.release()} ${os.arch()}`,
    variables: Object.keys(env).sort(),
  };
}

function render(report) {
  return Object.entries(report)
    .map(([k, v]) => `${k}: ${Array.isArray(v) ? v.join(' ') : v}`)
    .join('\n');
}

module.exports = { collect, mask, render };
