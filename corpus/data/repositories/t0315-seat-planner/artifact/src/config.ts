function need(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

export const config = {
  databaseUrl: need("DATABASE_URL"),
  sessionKey: new TextEncoder().encode(need("SESSION_KEY")),
  origin: new URL(need("ORIGIN")).origin,
  keys: new URL(process.env.ISSUER_KEYS ?? "https://id.office.example/keys"),
  maps: process.env.MAPS ?? "maps",
};

if (config.sessionKey.length < 32) throw new Error("SESSION_KEY is shorter than 32 bytes");
