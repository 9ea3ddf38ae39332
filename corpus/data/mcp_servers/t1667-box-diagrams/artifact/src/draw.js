// Boxes that fit their text, alone and in a row.
export function frame(text, [corner, across, down]) {
  const lines = text.split("\n");
  const width = Math.max(...lines.map((l) => l.length));
  const edge = corner + across.repeat(width + 2) + corner;
  return [edge, ...lines.map((l) => `${down} ${l.padEnd(width)} ${down}`), edge];
}

export function row(names, glyphs) {
  const boxes = names.map((name) => frame(name, glyphs));
  return [0, 1, 2]
    .map((line) => boxes.map((box) => box[line]).join(line === 1 ? "--->" : "    "))
    .join("\n");
}
