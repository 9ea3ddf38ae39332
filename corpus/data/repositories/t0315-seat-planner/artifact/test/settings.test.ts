import { expect, it } from "vitest";
import { changed, localPath } from "../src/settings.js";

it("unknown fields are dropped", () => {
  expect(changed(undefined, { theme: "dark", admin: true })).toEqual({ theme: "dark", reminder: 30 });
});

it("stays on this site", () => {
  const at = "https://seats.office.example";
  expect(localPath("/bookings", at)).toBe("/bookings");
  expect(localPath("//elsewhere.example/x", at)).toBe("/");
  expect(localPath("javascript:alert(1)", at)).toBe("/");
});
