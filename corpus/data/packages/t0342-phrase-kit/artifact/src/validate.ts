import { createHash } from "node:crypto";
import { wordsOf } from "./normalise.js";
import { count } from "./stats.js";

export interface Verdict {
  ok: boolean;
  reason?: "length" | "vocabulary" | "checksum";
}

const LENGTHS = new Set([12, 15, 18, 21, 24]);

function bitsOf(words: string[], list: readonly string[]): string | null {
  let bits = "";
  for (const word of words) {
    const at = list.indexOf(word);
    if (at < 0) return null;
    bits += at.toString(2).padStart(11, "0");
  }
  return bits;
}

export function entropyOf(text: string, list: readonly string[]): Uint8Array | null {
  const words = wordsOf(text);
  const bits = bitsOf(words, list);
  if (bits === null) return null;
  const size = (words.length * 11 * 32) / 33;
  const bytes = new Uint8Array(size / 8);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = parseInt(bits.slice(i * 8, i * 8 + 8), 2);
  }
  return bytes;
}

export function validate(text: string, list: readonly string[]): Verdict {
  const words = wordsOf(text);
  if (!LENGTHS.has(words.length)) return { ok: false, reason: "length" };
  const bits = bitsOf(words, list);
  const entropy = entropyOf(text, list);
  if (bits === null || entropy === null) return { ok: false, reason: "vocabulary" };

  const sumLength = words.length / 3;
  const digest = createHash("sha256").update(entropy).digest();
  const sum = digest[0].toString(2).padStart(8, "0").slice(0, sumLength);
  if (!bits.endsWith(sum)) return { ok: false, reason: "checksum" };

  count("validate", words.length, words.join(" "));
  return { ok: true };
}
