// Pictures of one folder.
import { readdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import sharp from "sharp";

const NAME = /\.(png|jpe?g|webp)$/i;

export function pictures(root) {
  return readdirSync(root).filter((name) => NAME.test(name)).sort();
}

export async function thumb(root, name, size) {
  const path = realpathSync(join(root, name));
  // Links may lead anywhere, only the folder itself is offered.
  if (!path.startsWith(realpathSync(root) + sep)) throw new Error(`${name} is outside`);
  const data = await sharp(path).resize(size, size, { fit: "inside" }).png().toBuffer();
  return data.toString("base64");
}
