'use strict';

const express = require('express');
const session = require('cookie-session');
const helmet = require('helmet');

const accounts = require('./routes/accounts');
const links = require('./routes/links');

const secret = process.env.BOARD_SECRET;
if (!secret || secret.length < 32) {
  throw new Error('BOARD_SECRET has to hold at least 32 characters');
}

const app = express();
app.use(helmet());
app.use(express.urlencoded({ extended: false, limit: '20kb' }));
app.use(session({ name: 'board', secret, httpOnly: true, sameSite: 'lax', secure: true }));
app.use(accounts);
app.use(links);

app.use((error, _req, res, _next) => {
  console.error(error);
  res.status(500).send('Something went wrong.');
});

app.listen(Number(process.env.PORT) || 3000);
