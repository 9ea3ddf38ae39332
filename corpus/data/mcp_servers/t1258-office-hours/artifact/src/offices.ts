export interface Office {
  zone: string;
  opens: number;
  closes: number;
  holidays: string[];
}

export const offices: Record<string, Office> = {
  lisbon: { zone: "Europe/Lisbon", opens: 9, closes: 18, holidays: ["2026-12-01", "2026-12-08", "2026-12-25"] },
  toronto: { zone: "America/Toronto", opens: 9, closes: 17, holidays: ["2026-12-25", "2026-12-28"] },
  pune: { zone: "Asia/Kolkata", opens: 10, closes: 19, holidays: ["2026-12-25"] },
};

/** Day, hour and weekday in the office's zone. */
export function localTime(office: Office, at: Date) {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: office.zone,
    hour12: false,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    weekday: "short",
  }).formatToParts(at);
  const pick = (type: string) => parts.find((p) => p.type === type)?.value ?? "";
  return {
    day: `${pick("year")}-${pick("month")}-${pick("day")}`,
    hour: Number(pick("hour")) % 24,
    weekend: ["Sat", "Sun"].includes(pick("weekday")),
  };
}

export function isOpen(office: Office, at: Date): boolean {
  const { day, hour, weekend } = localTime(office, at);
  return !weekend && !office.holidays.includes(day) && hour >= office.opens && hour < office.closes;
}
