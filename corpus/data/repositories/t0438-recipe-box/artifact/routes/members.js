'use strict';

const { randomInt } = require('crypto');
const express = require('express');
const { rateLimit } = require('express-rate-limit');
const { table } = require('../lib/db');
const { merge } = require('../lib/merge');

const router = express.Router();
const slow = rateLimit({ windowMs: 600_000, limit: 10 });

router.post('/code', slow, async (req, res, next) => {
  try {
    const mail = String(req.body.mail);
    const code = String(randomInt(100_000_000)).padStart(8, '0');
    const until = new Date(Date.now() + 600_000);
    const done = await table('members').updateOne({ mail }, { $set: { code, until } });
    if (done.matchedCount === 1) await table('outbox').insertOne({ to: mail, text: `Your code is ${code}` });
    res.sendStatus(204);
  } catch (error) {
    next(error);
  }
});

router.post('/sign-in', slow, async (req, res, next) => {
  try {
    const { mail, code } = req.body;
    const member = await table('members').findOne({ mail, code, until: { $gt: new Date() } });
    if (!member) return res.sendStatus(401);
    await table('members').updateOne({ _id: member._id }, { $unset: { code: '', until: '' } });
    req.session.regenerate((error) => {
      if (error) return next(error);
      req.session.member = String(member._id);
      res.sendStatus(204);
    });
  } catch (error) {
    next(error);
  }
});

router.patch('/preferences', (req, res) => {
  if (!req.session.member) return res.sendStatus(401);
  req.session.preferences = merge(req.session.preferences || { units: 'metric', card: {} }, req.body);
  res.json(req.session.preferences);
});

module.exports = router;
