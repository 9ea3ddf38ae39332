export interface Entry {
  done: boolean;
  text: string;
}

const TAG = /(?:^|\s)#([\p{L}\p{N}_-]+)/gu;

/** The tags of an entry, without the hash and in lower case. */
export function tagsOf(entry: Entry): string[] {
  return [...entry.text.matchAll(TAG)].map((m) => m[1].toLowerCase());
}

export function open(entries: Entry[], tag?: string): Entry[] {
  return entries.filter((e) => !e.done && (tag === undefined || tagsOf(e).includes(tag)));
}

/** How many entries each tag has, the most used first. */
export function tagCounts(entries: Entry[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const entry of open(entries)) {
    for (const tag of tagsOf(entry)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

export function parse(file: string): Entry[] {
  return file
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ done: line.startsWith("x "), text: line.replace(/^x /, "") }));
}

export function print(entries: Entry[]): string {
  return entries.map((e) => (e.done ? "x " : "") + e.text + "\n").join("");
}

export function finish(entries: Entry[], number: number): Entry[] {
  const target = open(entries)[number - 1];
  if (target === undefined) throw new RangeError(`there is no entry ${number}`);
  return entries.map((e) => (e === target ? { ...e, done: true } : e));
}
