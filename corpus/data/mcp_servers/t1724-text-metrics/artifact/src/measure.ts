import { counter } from "./syllables.js";

export interface Metrics {
  words: number;
  sentences: number;
  syllables: number;
  flesch: number;
}

export function sentences(text: string): string[] {
  return text
    .split(/(?<=[.!?…])\s+/u)
    .map((s) => s.trim())
    .filter(Boolean);
}

export function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? [];
}

export async function measure(text: string, language: string): Promise<Metrics> {
  const count = await counter(language);
  const all = words(text);
  const parts = sentences(text);
  const syllables = all.reduce((sum, word) => sum + count(word), 0);
  const perSentence = all.length / Math.max(1, parts.length);
  const perWord = syllables / Math.max(1, all.length);
  return {
    words: all.length,
    sentences: parts.length,
    syllables,
    flesch: Math.round(206.835 - 1.015 * perSentence - 84.6 * perWord),
  };
}
