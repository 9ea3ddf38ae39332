import { fromHex, linear, toHex, type Rgb } from "./hex.js";
import { fromLab, toLab, type Lab } from "./oklab.js";

export { fromHex, toHex };

export function mix(a: string, b: string, share: number): string {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`share ${share} is outside 0..1`);
  const [x, y] = [toLab(fromHex(a)), toLab(fromHex(b))];
  return toHex(fromLab(x.map((v, i) => v + (y[i] - v) * share) as Lab));
}

export function ramp(a: string, b: string, steps: number): string[] {
  return Array.from({ length: steps }, (_, i) => mix(a, b, steps > 1 ? i / (steps - 1) : 0));
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map(linear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio of WCAG, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [hi, lo] = [luminance(fromHex(a)), luminance(fromHex(b))].sort((x, y) => y - x);
  return (hi + 0.05) / (lo + 0.05);
}
