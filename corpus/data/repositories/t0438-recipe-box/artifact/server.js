'use strict';

const express = require('express');
const session = require('express-session');
const MongoStore = require('connect-mongo');
const { client } = require('./lib/db');
const members = require('./routes/members');
const recipes = require('./routes/recipes');

const secret = process.env.SESSION_SECRET;
if (!secret) throw new Error('SESSION_SECRET is not set');

const app = express();
app.set('trust proxy', 1);
app.use(express.json({ limit: '100kb' }));
app.use(
  session({
    secret,
    resave: false,
    saveUninitialized: false,
    store: MongoStore.create({ client }),
    cookie: { httpOnly: true, secure: true, sameSite: 'strict', maxAge: 7_200_000 },
  }),
);
app.use('/members', members);
app.use('/recipes', recipes);
app.use((error, req, res, next) => {
  console.error(error);
  res.status(error.status || 500).json({ error: 'request failed' });
});

client.connect().then(() => app.listen(8080, '127.0.0.1'));
