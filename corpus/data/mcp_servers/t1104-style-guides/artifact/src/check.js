// Findings that need no opinion on the content.
const FILLERS = /\b(very|really|just|simply|basically|actually)\b/gi;

export function sentences(text) {
  return text.split(/(?<=[.!?])\s+/).filter((s) => s.trim());
}

export function check(text, limit) {
  const long = sentences(text).filter((s) => s.split(/\s+/).length > limit);
  const fillers = text.match(FILLERS) ?? [];
  return [
    ...long.map((s) => `long: ${s.slice(0, 60)}`),
    ...[...new Set(fillers.map((w) => w.toLowerCase()))].map((w) => `filler: ${w}`),
  ];
}
