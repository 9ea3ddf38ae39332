import { expect, it } from "vitest";
import { contrast, mix, ramp } from "../src/index.js";

it("ends are kept", () => {
  expect(ramp("#f00", "#00f", 3)[0]).toBe("#ff0000");
  expect(ramp("#f00", "#00f", 3)[2]).toBe("#0000ff");
});

it("grey stays grey", () => {
  expect(mix("#000", "#fff", 0.5)).toMatch(/^#(..)\1\1$/);
});

it("contrast of black and white", () => {
  expect(contrast("#000", "#fff")).toBeCloseTo(21);
});
