'use strict';

const { table } = require('./db');

function literal(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Recipes with an ingredient that begins with the text. */
function byIngredient(text) {
  return table('recipes').find({ ingredients: new RegExp(`^${literal(text)}`) }).limit(50).toArray();
}

/** Recipes whose title matches; `*` stands for anything. */
async function byTitle(text) {
  const pattern = new RegExp(text.replace(/\*/g, '.*'), 'i');
  const all = await table('recipes').find({}, { projection: { title: 1 } }).toArray();
  return all.filter((recipe) => pattern.test(recipe.title)).slice(0, 50);
}

module.exports = { byIngredient, byTitle, literal };
