import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const FILE = join(homedir(), ".config", "waybill", "credentials.json");

export async function findToken(option?: string): Promise<string> {
  const direct = option ?? process.env.WAYBILL_TOKEN;
  if (direct) return direct;
  try {
    const parsed: unknown = JSON.parse(await readFile(FILE, "utf8"));
    if (typeof parsed === "object" && parsed !== null && "token" in parsed) {
      return String(parsed.token);
    }
  } catch {
    // falls through to the error below
  }
  throw new Error(`no token: set WAYBILL_TOKEN or write ${FILE}`);
}

export function baseUrl(): URL {
  const url = new URL(process.env.WAYBILL_URL ?? "https://api.waybill.example");
  if (url.protocol !== "https:") throw new Error(`WAYBILL_URL has to be https, got ${url.protocol}`);
  return url;
}
