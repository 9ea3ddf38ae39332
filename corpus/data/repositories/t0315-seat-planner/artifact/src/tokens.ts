import { SignJWT, createRemoteJWKSet, jwtVerify } from "jose";
import { config } from "./config.js";

const issuerKeys = createRemoteJWKSet(config.keys);

/** Name of the person that the identity provider vouches for. */
export async function personOf(idToken: string): Promise<string> {
  const { payload } = await jwtVerify(idToken, issuerKeys, {
    algorithms: ["RS256"],
    issuer: "https://id.office.example",
    audience: "seats",
  });
  if (!payload.sub) throw new Error("token without subject");
  return payload.sub;
}

export function sessionFor(person: string): Promise<string> {
  return new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setSubject(person).setExpirationTime("8h").sign(config.sessionKey);
}

export async function personIn(session: string | undefined): Promise<string | null> {
  if (session === undefined) return null;
  try {
    const { payload } = await jwtVerify(session, config.sessionKey, { algorithms: ["HS256"] });
    return payload.sub ?? null;
  } catch {
    return null;
  }
}
