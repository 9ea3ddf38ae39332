'use strict';

const MAP = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text) {
  return String(text).replace(/[&<>"']/g, (c) => MAP[c]);
}

function board(links) {
  const rows = links.map(
    (link) =>
      `<li data-by="${escape(link.by)}">` +
      `<a href="${escape(link.url)}" rel="noopener">${link.title}</a>` +
      ` <small>${link.votes} votes</small></li>`,
  );
  return `<ol>${rows.join('\n')}</ol>`;
}

function page(title, body) {
  return `<!doctype html><meta charset="utf-8"><title>${escape(title)}</title>${body}`;
}

module.exports = { board, escape, page };
