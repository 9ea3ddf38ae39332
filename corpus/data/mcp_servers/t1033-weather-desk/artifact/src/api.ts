const BASE = process.env.WEATHER_DESK_URL ?? "https://api.weatherdesk.example";

export interface Day {
  date: string;
  low: number;
  high: number;
  text: string;
}

async function get<T>(path: string, query: Record<string, string>): Promise<T> {
  const url = new URL(path, BASE);
  for (const [key, value] of Object.entries(query)) {
    if (value) url.searchParams.set(key, value);
  }
  const response = await fetch(url, { signal: AbortSignal.timeout(8000) });
  if (!response.ok) throw new Error(`weather desk answered ${response.status}`);
  return (await response.json()) as T;
}

export function forecast(place: string, days: number, calibration: string): Promise<Day[]> {
  return get<Day[]>("/v1/forecast", { place, days: String(days), calibration });
}

export function station(id: string): Promise<{ at: string; celsius: number }> {
  return get("/v1/station", { id });
}
