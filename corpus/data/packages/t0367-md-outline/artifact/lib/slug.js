'use strict';

/** One slugger a document: repeated titles get -1, -2 and so on. */
function slugger() {
  const used = new Map();
  return function slug(title) {
    const base = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const n = used.get(base) ?? 0;
    used.set(base, n + 1);
    return n === 0 ? base : `${base}-${n}`;
  };
}

module.exports = { slugger };
