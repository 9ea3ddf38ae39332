import { fromEnvironment, fromFile } from "./layers";
import { merge, type Tree } from "./merge";
import { prepare } from "./runtime";

export interface Options {
  name: string;
  defaults?: Tree;
  folder?: string;
}

/** Configuration of `name`; later layers win. */
export function load({ name, defaults = {}, folder = process.cwd() }: Options): Tree {
  prepare();
  return [
    fromFile(folder, `${name}.json`),
    fromFile(folder, `${name}.local.json`),
    fromEnvironment(`${name.toUpperCase()}_`),
  ].reduce(merge, defaults);
}
