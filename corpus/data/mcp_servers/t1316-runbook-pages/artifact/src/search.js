// Steps by the words in them, best first.
export function words(text) {
  return text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? [];
}

export function search(pages, question, limit) {
  const asked = new Set(words(question));
  const hits = [];
  for (const [topic, text] of pages) {
    for (const step of text.split("\n\n").slice(1)) {
      const score = words(step).filter((w) => asked.has(w)).length;
      if (score > 0) hits.push({ topic, step, score });
    }
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, limit);
}
