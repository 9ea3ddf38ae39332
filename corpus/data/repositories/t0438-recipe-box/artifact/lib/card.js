'use strict';

const path = require('path');
const nunjucks = require('nunjucks');

const env = nunjucks.configure(path.join(__dirname, '..', 'views'), { autoescape: true });

/** The printable card; a member may have a layout of his own. */
function card(recipe, layout) {
  if (layout) return env.renderString(layout, { recipe });
  return env.render('card.njk', { recipe });
}

module.exports = { card };
