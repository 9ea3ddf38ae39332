/** Three-letter windows of a word, padded so that its start weighs more. */
export function trigrams(text) {
  const padded = `  ${text.toLowerCase()} `;
  const found = new Set();
  for (let i = 0; i + 3 <= padded.length; i += 1) found.add(padded.slice(i, i + 3));
  return found;
}

export function buildIndex(glossary) {
  return Object.fromEntries(Object.keys(glossary).map((term) => [term, [...trigrams(term)]]));
}

/** Terms by similarity to the question, best first. */
export function closest(index, question, count = 3) {
  const asked = trigrams(question);
  return Object.entries(index)
    .map(([term, grams]) => {
      const shared = grams.filter((g) => asked.has(g)).length;
      return { term, score: shared / (grams.length + asked.size - shared) };
    })
    .filter(({ score }) => score > 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ term }) => term);
}
