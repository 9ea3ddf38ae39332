import { expect, it } from "vitest";
import { finish, parse, print, tagCounts } from "../src/list.js";

it("counts the tags of open entries", () => {
  const list = parse("x soil #garden\nseeds #Garden #buy\nrake #garden\n");
  expect(tagCounts(list)).toEqual([["garden", 2], ["buy", 1]]);
});

it("reads what it writes", () => {
  const text = "x bread\nmilk\n";
  expect(print(parse(text))).toBe(text);
});

it("numbers count open entries only", () => {
  const after = finish(parse("x bread\nmilk\nsalt\n"), 2);
  expect(after.map((e) => e.done)).toEqual([true, false, true]);
});

it("refuses an unknown number", () => {
  expect(() => finish(parse("milk\n"), 5)).toThrow(/no entry 5/);
});
