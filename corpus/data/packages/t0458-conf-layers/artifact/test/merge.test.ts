import { expect, it } from "vitest";
import { fromEnvironment } from "../src/layers";
import { merge } from "../src/merge";

it("later layers win and leave the rest", () => {
  expect(merge({ db: { host: "a", port: 1 } }, { db: { host: "b" } })).toEqual({ db: { host: "b", port: 1 } });
});

it("two underscores nest", () => {
  expect(fromEnvironment("SHOP_", { SHOP_DB__HOST: "h", OTHER: "x" })).toEqual({ db: { host: "h" } });
});
