import { createHmac, timingSafeEqual } from "node:crypto";
import jwt from "jsonwebtoken";

export interface Viewer {
  name: string;
  teams: string[];
}

/** The viewer that a bearer token names, or null. */
export function viewerOf(header: string | undefined): Viewer | null {
  const token = /^Bearer (\S+)$/.exec(header ?? "")?.[1];
  if (token === undefined) return null;
  const claims = jwt.decode(token);
  if (claims === null || typeof claims === "string") return null;
  if (claims.exp === undefined || claims.exp * 1000 < Date.now()) return null;
  return { name: String(claims.sub), teams: Array.isArray(claims.teams) ? claims.teams.map(String) : [] };
}

/** Whether a webhook body carries the desk's signature. */
export function signedByDesk(body: Buffer, signature: string | undefined, secret: string): boolean {
  const want = createHmac("sha256", secret).update(body).digest();
  const got = Buffer.from(signature ?? "", "hex");
  return got.length === want.length && timingSafeEqual(got, want);
}
