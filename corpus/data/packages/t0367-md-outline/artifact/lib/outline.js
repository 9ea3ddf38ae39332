'use strict';

const { slugger } = require('./slug');

const OPEN = '<!-- outline -->';
const CLOSE = '<!-- /outline -->';

function* headings(text) {
  let fence = null;
  for (const line of text.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line);
    if (mark) {
      if (fence === null) fence = mark[1];
      else if (mark[1][0] === fence[0] && mark[1].length >= fence.length) fence = null;
      continue;
    }
    const found = fence === null && /^(#{1,6})\s+(.+?)\s*#*$/.exec(line);
    if (found) yield { level: found[1].length, title: found[2] };
  }
}

function outline(text, depth) {
  const slug = slugger();
  const rows = [];
  for (const { level, title } of headings(text)) {
    const id = slug(title);
    if (level < 2 || level > depth) continue;
    rows.push(`${'  '.repeat(level - 2)}- [${title}](#${id})`);
  }
  return rows.join('\n');
}

function refresh(text, depth = 3) {
  const start = text.indexOf(OPEN);
  const end = text.indexOf(CLOSE, start);
  if (start < 0 || end < 0) return text;
  const body = outline(text, depth);
  return `${text.slice(0, start)}${OPEN}\n${body}\n${text.slice(end)}`;
}

module.exports = { headings, outline, refresh };
