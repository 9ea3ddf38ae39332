import { collect, type Package } from "./collect";
import { settings, type Settings } from "./settings";

export interface Result {
  text: string;
  refused: Package[];
}

/** NOTICE text of the project in `folder`, and what the list does not allow. */
export function notice(folder: string, given: Partial<Settings> = {}): Result {
  const { allow, override } = settings(folder, given);
  const all = collect(folder).map((p) => ({ ...p, licence: override[p.name] ?? p.licence }));
  const refused = allow.length === 0 ? [] : all.filter((p) => !allow.includes(p.licence));
  const text = all.map((p) => `${p.name} ${p.version} (${p.licence})\n\n${p.text}\n`).join("-".repeat(60) + "\n");
  return { text, refused };
}
