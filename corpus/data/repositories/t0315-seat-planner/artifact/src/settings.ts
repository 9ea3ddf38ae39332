export interface Settings {
  theme: "light" | "dark";
  reminder: number;
}

const DEFAULTS: Settings = { theme: "light", reminder: 30 };

/** Only the known fields of the body are taken over. */
export function changed(now: Partial<Settings> | undefined, body: unknown): Settings {
  const given = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const out = { ...DEFAULTS, ...now };
  if (given.theme === "light" || given.theme === "dark") out.theme = given.theme;
  if (typeof given.reminder === "number" && given.reminder >= 0 && given.reminder <= 240) {
    out.reminder = Math.trunc(given.reminder);
  }
  return out;
}

/** A path of this site to go to after signing in. */
export function localPath(next: unknown, origin: string): string {
  if (typeof next !== "string") return "/";
  try {
    const url = new URL(next, origin);
    return url.origin === origin ? url.pathname.replace(/^\/+/, "/") : "/";
  } catch {
    return "/";
  }
}
