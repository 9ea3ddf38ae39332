const FUNCTIONS = new Set(["min", "max", "sqrt", "abs", "round", "log", "exp"]);
const TOKEN = /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<name>[a-z][a-z0-9_]*)|(?<op>\*\*|[-+*/%(),]))/uy;

export type Formula = (values: Record<string, number>) => number;

function tokens(formula: string, variables: string[]): string[] {
  const out: string[] = [];
  TOKEN.lastIndex = 0;
  const source = formula.trimEnd();
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(source)?.groups;
    if (!groups) throw new Error(`cannot read the formula at position ${at + 1}`);
    const { number, name, op } = groups;
    if (name === undefined) {
      out.push(number ?? op);
    } else if (FUNCTIONS.has(name)) {
      out.push(`Math.${name}`);
    } else if (variables.includes(name)) {
      out.push(`v[${variables.indexOf(name)}]`);
    } else {
      throw new Error(`unknown name ${name}`);
    }
  }
  return out;
}

/** Compiles a formula. Its text reaches the compiler only as checked tokens. */
export function compile(formula: string, variables: string[]): Formula {
  if (formula.length > 500) throw new Error("longer than 500 characters");
  const body = tokens(formula, variables).join(" ");
  const run = new Function("v", `"use strict"; return (${body});`) as (v: number[]) => number;
  return (values) => {
    const result = run(variables.map((name) => values[name]));
    if (typeof result !== "number" || !Number.isFinite(result)) throw new Error("not a finite number");
    return result;
  };
}
