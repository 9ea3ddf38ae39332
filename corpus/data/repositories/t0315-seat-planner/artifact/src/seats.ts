import { Pool } from "pg";
import { config } from "./config.js";

const pool = new Pool({ connectionString: config.databaseUrl });

export interface Booking {
  id: number;
  seat: string;
  day: string;
}

const ORDERS = { day: "day, seat", seat: "seat, day" } as const;

export async function ofPerson(person: string, order: string): Promise<Booking[]> {
  const by = Object.hasOwn(ORDERS, order) ? ORDERS[order as keyof typeof ORDERS] : ORDERS.day;
  const found = await pool.query<Booking>(`SELECT id, seat, day FROM booking WHERE person = $1 ORDER BY ${by}`, [person]);
  return found.rows;
}

/** False when somebody else has the seat; the unique index decides. */
export async function book(person: string, seat: string, day: string): Promise<boolean> {
  const done = await pool.query(
    "INSERT INTO booking (person, seat, day) VALUES ($1, $2, $3) ON CONFLICT (seat, day) DO NOTHING",
    [person, seat, day],
  );
  return done.rowCount === 1;
}

export async function cancel(person: string, id: number): Promise<boolean> {
  const done = await pool.query("DELETE FROM booking WHERE id = $1 AND person = $2", [id, person]);
  return done.rowCount === 1;
}
