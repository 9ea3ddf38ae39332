export type Leaf = string | number | boolean | null;
export interface Tree {
  [key: string]: Leaf | Leaf[] | Tree;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function merge(low: Tree, high: Tree): Tree {
  const out: Tree = { ...low };
  for (const [key, value] of Object.entries(high)) {
    const below = out[key];
    out[key] = isTree(value) && isTree(below) ? merge(below, value) : value;
  }
  return out;
}
