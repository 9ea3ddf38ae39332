/** Lower-case, NFKD, single spaces: the form that word lists are written in. */
export function normalise(text: string): string {
  return text.normalize("NFKD").toLowerCase().trim().split(/\s+/u).join(" ");
}

export function wordsOf(text: string): string[] {
  const clean = normalise(text);
  return clean === "" ? [] : clean.split(" ");
}
