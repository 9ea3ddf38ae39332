'use strict';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ESCAPE = /\u001b\[[0-9;]*m/g;
const WIDE = /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60]/;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;

function graphemes(text) {
  return Array.from(segmenter.segment(text), (s) => s.segment);
}

function width(text) {
  let n = 0;
  for (const g of graphemes(text.replace(ESCAPE, ''))) n += WIDE.test(g) || EMOJI.test(g) ? 2 : 1;
  return n;
}

module.exports = { graphemes, width };
