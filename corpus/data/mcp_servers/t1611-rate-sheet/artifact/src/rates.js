// Client for the reference rates, with a cache for the day.
const BASE = process.env.RATES_URL ?? "https://rates.centralbank.example";
const SUNSET = Date.UTC(2027, 0, 31);
const cache = new Map();

export const version = (now = Date.now()) => (now < SUNSET ? "v1" : "v2");

export async function sheet(day) {
  const key = `${version()}/${day}`;
  if (!cache.has(key)) {
    const response = await fetch(new URL(`/${key}.json`, BASE), { signal: AbortSignal.timeout(8000) });
    if (response.status === 404) throw new Error(`no rates for ${day}, weekends have none`);
    if (!response.ok) throw new Error(`rates host answered ${response.status}`);
    const { rates } = await response.json();
    cache.set(key, { EUR: 1, ...rates });
  }
  return cache.get(key);
}

export async function convert(amount, from, to, day) {
  const rates = await sheet(day);
  for (const code of [from, to]) {
    if (!Object.hasOwn(rates, code)) throw new Error(`no rate for ${code}`);
  }
  return (amount / rates[from]) * rates[to];
}
