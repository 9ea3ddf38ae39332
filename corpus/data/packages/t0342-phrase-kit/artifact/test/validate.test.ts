import { describe, expect, it } from "vitest";
import { normalise, validate } from "../src/index.js";

const list = Array.from({ length: 2048 }, (_, i) => `w${i}`);

describe("normalise", () => {
  it("folds case and spaces", () => {
    expect(normalise("  W1\n w2 ")).toBe("w1 w2");
  });
});

describe("validate", () => {
  it("rejects odd lengths", () => {
    expect(validate("w1 w2", list)).toEqual({ ok: false, reason: "length" });
  });
  it("rejects unknown words", () => {
    expect(validate(Array(12).fill("nope").join(" "), list).reason).toBe("vocabulary");
  });
});
