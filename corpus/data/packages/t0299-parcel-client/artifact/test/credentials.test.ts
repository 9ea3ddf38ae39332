import { afterEach, expect, it, vi } from "vitest";
import { baseUrl, findToken } from "../src/credentials.js";

afterEach(() => vi.unstubAllEnvs());

it("prefers the option to the environment", async () => {
  vi.stubEnv("WAYBILL_TOKEN", "from-env");
  expect(await findToken("given")).toBe("given");
  expect(await findToken()).toBe("from-env");
});

it("refuses plain http", () => {
  vi.stubEnv("WAYBILL_URL", "http://waybill.example");
  expect(() => baseUrl()).toThrow(/https/);
});
