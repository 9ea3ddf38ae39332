// A grey square in place of unreadable files.
const PACKED = [
  "89504e470d0a1a0a0000000d4948445200000008000000080806000000c40fbe",
  "8b000000184944415478da6364f8cf50cf4004601c55485f850012400ef79690",
  "7ea80000000049454e44ae426082",
];

function unpack(rows) {
  return Buffer.from(rows.join(""), "hex");
}

export const placeholder = unpack(PACKED).toString("base64");
