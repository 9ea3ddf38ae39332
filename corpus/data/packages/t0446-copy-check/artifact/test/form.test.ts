import { expect, it } from "vitest";
import { ends, kindOf } from "../src/form.js";

it("knows the form of an address", () => {
  expect(kindOf("0x" + "0".repeat(40))).toBe("hex");
  expect(kindOf("not an address")).toBeUndefined();
});

it("refuses a wrong checksum", () => {
  expect(kindOf("bc1qexampleexampleexampleexampleexample00a")).toBeUndefined();
});

it("shows both ends", () => {
  expect(ends("0123456789abcdefghij")).toBe("01234567..cdefghij");
});
