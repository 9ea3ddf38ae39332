// Order matters: the first form that fits names the kind.
const FORMS: Array<[string, RegExp]> = [
  ["bech32", /^bc1[ac-hj-np-z02-9]{11,71}$/],
  ["hex", /^0x[0-9a-fA-F]{40}$/],
  ["base58", /^[13][1-9A-HJ-NP-Za-km-z]{25,34}$/],
];

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    GENERATOR.forEach((g, i) => {
      if ((top >>> i) & 1) sum ^= g;
    });
  }
  return sum >>> 0;
}

/** The checksum constant tells version 0 from later ones; both are accepted. */
function bech32(address: string): boolean {
  const data = [...address.slice(3)].map((c) => ALPHABET.indexOf(c));
  const sum = polymod([3, 3, 0, 2, 3, ...data]);
  return sum === 1 || sum === 0x2bc830a3;
}

export function kindOf(address: string): string | undefined {
  const kind = FORMS.find(([, pattern]) => pattern.test(address))?.[0];
  return kind === "bech32" && !bech32(address) ? undefined : kind;
}

export function ends(text: string): string {
  return text.length <= 16 ? text : `${text.slice(0, 8)}..${text.slice(-8)}`;
}
