'use strict';

const { MongoClient, ObjectId } = require('mongodb');

const client = new MongoClient(process.env.MONGO_URL || 'mongodb://127.0.0.1/box');

function id(text) {
  return ObjectId.isValid(text) ? new ObjectId(String(text)) : null;
}

module.exports = { client, id, table: (name) => client.db().collection(name) };
