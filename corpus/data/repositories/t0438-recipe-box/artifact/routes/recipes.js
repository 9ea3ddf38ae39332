'use strict';

const express = require('express');
const _ = require('lodash');
const { card } = require('../lib/card');
const { id, table } = require('../lib/db');
const { byIngredient, byTitle } = require('../lib/search');

const router = express.Router();
const FIELDS = ['title', 'ingredients', 'steps'];
const wrap = (handler) => (req, res, next) => handler(req, res).catch(next);

router.use((req, res, next) => (req.session.member ? next() : res.sendStatus(401)));

router.get('/', wrap(async (req, res) => {
  const { title, ingredient } = req.query;
  res.json(title ? await byTitle(String(title)) : await byIngredient(String(ingredient || '')));
}));

router.post('/', wrap(async (req, res) => {
  const recipe = { ..._.pick(req.body, FIELDS), owner: req.session.member, approved: false };
  const done = await table('recipes').insertOne(recipe);
  res.status(201).json({ id: done.insertedId });
}));

router.put('/:id', wrap(async (req, res) => {
  const own = { _id: id(req.params.id), owner: req.session.member };
  const done = await table('recipes').updateOne(own, { $set: req.body });
  res.sendStatus(done.matchedCount === 1 ? 204 : 404);
}));

router.delete('/:id', wrap(async (req, res) => {
  const done = await table('recipes').deleteOne({ _id: id(req.params.id), owner: req.session.member });
  res.sendStatus(done.deletedCount === 1 ? 204 : 404);
}));

router.get('/:id/card', wrap(async (req, res) => {
  const recipe = await table('recipes').findOne({ _id: id(req.params.id) });
  if (!recipe) return res.sendStatus(404);
  const layout = req.query.layout ? String(req.query.layout) : null;
  res.set('content-security-policy', "default-src 'none'; style-src 'self'").send(card(recipe, layout));
}));

module.exports = router;
