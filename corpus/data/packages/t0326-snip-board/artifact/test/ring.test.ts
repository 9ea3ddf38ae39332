import { expect, it } from "vitest";
import { Ring } from "../src/ring.js";

it("moves a repeated text to the front", () => {
  const ring = new Ring(3);
  ring.add("a");
  ring.add("b");
  ring.add("a");
  expect(ring.items).toEqual(["a", "b"]);
});

it("forgets the oldest", () => {
  const ring = new Ring(2);
  for (const t of ["a", "b", "c"]) ring.add(t);
  expect(ring.items).toEqual(["c", "b"]);
  expect(() => ring.at(3)).toThrow(RangeError);
});
