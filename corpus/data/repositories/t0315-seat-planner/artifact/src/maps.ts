import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { config } from "./config.js";

const FLOOR = /^[a-z]{1,3}\d{1,2}$/;

/** SVG of a floor with its cache tag. */
export async function floorMap(floor: string): Promise<{ svg: Buffer; tag: string } | null> {
  if (!FLOOR.test(floor)) return null;
  try {
    const svg = await readFile(join(config.maps, `${floor}.svg`));
    return { svg, tag: `"${createHash("sha1").update(svg).digest("hex")}"` };
  } catch {
    return null;
  }
}
