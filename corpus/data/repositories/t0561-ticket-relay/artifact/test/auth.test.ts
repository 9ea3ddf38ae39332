import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { signedByDesk, viewerOf } from "../src/auth.js";

it("accepts the right signature only", () => {
  const body = Buffer.from('{"ticket":7}');
  const good = createHmac("sha256", "k").update(body).digest("hex");
  expect(signedByDesk(body, good, "k")).toBe(true);
  expect(signedByDesk(body, good, "other")).toBe(false);
  expect(signedByDesk(body, undefined, "k")).toBe(false);
});

it("needs a bearer token", () => {
  expect(viewerOf(undefined)).toBeNull();
  expect(viewerOf("Basic abc")).toBeNull();
});
