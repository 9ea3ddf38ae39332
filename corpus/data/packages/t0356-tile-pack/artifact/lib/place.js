'use strict';

const path = require('path');

const FILE = path.join(__dirname, '..', 'vendor', 'tilepack');

function binary() {
  return process.env.TILE_PACK_BIN || FILE;
}

module.exports = { FILE, binary };
