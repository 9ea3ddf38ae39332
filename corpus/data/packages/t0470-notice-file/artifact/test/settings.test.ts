import { expect, it } from "vitest";
import { settings } from "../src/settings";

it("given settings win", () => {
  expect(settings("/nowhere", { allow: ["MIT"] }).allow).toEqual(["MIT"]);
});

it("refuses names that would reach a prototype", () => {
  const override = JSON.parse('{"__proto__": "MIT"}');
  expect(() => settings("/nowhere", { override })).toThrow(TypeError);
});
