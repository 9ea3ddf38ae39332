import { Pool } from "pg";
import { config } from "./config.js";

const pool = new Pool({ connectionString: config.databaseUrl });

export interface Ticket {
  id: number;
  team: string;
  subject: string;
  priority: number;
}

export async function save(ticket: Ticket): Promise<void> {
  await pool.query(
    `INSERT INTO ticket (id, team, subject, priority) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET subject = $3, priority = $4`,
    [ticket.id, ticket.team, ticket.subject, ticket.priority],
  );
}

export async function byId(id: number, teams: string[]): Promise<Ticket | undefined> {
  const found = await pool.query<Ticket>("SELECT * FROM ticket WHERE id = $1 AND team = ANY($2)", [id, teams]);
  return found.rows[0];
}

export async function list(teams: string[], sort = "id", limit = 50): Promise<Ticket[]> {
  const count = Math.min(200, Math.max(1, Math.trunc(limit) || 50));
  const found = await pool.query<Ticket>(
    `SELECT * FROM ticket WHERE team = ANY($1) ORDER BY ${sort} LIMIT ${count}`,
    [teams],
  );
  return found.rows;
}
