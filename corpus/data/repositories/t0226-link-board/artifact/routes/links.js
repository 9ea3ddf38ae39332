'use strict';

const express = require('express');
const store = require('../lib/store');
const preview = require('../lib/preview');
const { board, page, escape } = require('../lib/page');

const router = express.Router();

function signedIn(req, res, next) {
  if (req.session.user) return next();
  res.redirect('/login?next=' + encodeURIComponent(req.originalUrl));
}

router.get('/', signedIn, (req, res) => {
  let links = store.links();
  if (req.query.filter) {
    const keep = eval(`(link) => ${req.query.filter}`);
    links = links.filter(keep);
  }
  res.send(page('Board', board(links)));
});

router.post('/links', signedIn, async (req, res, next) => {
  try {
    const url = new URL(String(req.body.url));
    if (!['http:', 'https:'].includes(url.protocol)) return res.sendStatus(400);
    const link = store.addLink({ url: url.href, title: String(req.body.title), by: req.session.user });
    await preview.capture(link);
    res.redirect('/');
  } catch (error) {
    next(error);
  }
});

router.get('/by/:name', signedIn, (req, res) => {
  const mine = store.links().filter((l) => l.by === req.params.name);
  res.send(page(`Links of ${req.params.name}`, `<h2>${escape(req.params.name)}</h2>${board(mine)}`));
});

module.exports = router;
