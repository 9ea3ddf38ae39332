'use strict';

const crypto = require('crypto');
const express = require('express');
const store = require('../lib/store');
const mail = require('../lib/mail');
const { page } = require('../lib/page');

const router = express.Router();

function matches(user, password) {
  const given = crypto.scryptSync(password, user.salt, 32);
  return crypto.timingSafeEqual(given, Buffer.from(user.hash, 'hex'));
}

router.get('/login', (req, res) => {
  res.send(page('Sign in', '<form method="post"><input name="name"><input name="password" type="password"><button>Go</button></form>'));
});

router.post('/login', (req, res) => {
  const user = store.user(String(req.body.name));
  if (!user || !matches(user, String(req.body.password))) {
    return res.status(401).send(page('Sign in', '<p>That did not match.</p>'));
  }
  req.session.user = user.name;
  res.redirect(req.query.next || '/');
});

router.post('/logout', (req, res) => {
  const back = String(req.body.back || '/');
  req.session = null;
  // Only paths of this site: one slash, then no second one and no backslash.
  res.redirect(/^\/(?![/\\])/.test(back) ? back : '/');
});

router.post('/reset', async (req, res) => {
  const user = store.user(String(req.body.name));
  if (user) {
    const token = Math.random().toString(36).slice(2) + Date.now().toString(36);
    store.saveReset(user.name, token, Date.now() + 3_600_000);
    await mail.send(user.mail, 'Your new password', `Code: ${token}`);
  }
  res.send(page('Reset', '<p>If the account exists, a mail is on its way.</p>'));
});

router.post('/invite', (req, res) => {
  if (!req.session.user) return res.sendStatus(403);
  const code = crypto.randomBytes(24).toString('base64url');
  store.saveInvite(code, req.session.user);
  res.json({ code });
});

module.exports = router;
