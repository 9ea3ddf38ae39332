export interface Entry {
  done: boolean;
  text: string;
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
  const open = entries.filter((e) => !e.done);
  const target = open[number - 1];
  if (target === undefined) throw new RangeError(`there is no entry ${number}`);
  return entries.map((e) => (e === target ? { ...e, done: true } : e));
}
