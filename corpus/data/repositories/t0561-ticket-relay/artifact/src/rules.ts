import type { Ticket } from "./tickets.js";

// "[Tag one][Tag two] text": the tags decide on the priority.
const TAGGED = /^(\[?[\w\s-]+\]?\s*)+:/;
const URGENT = /\b(?:down|outage|urgent)\b/i;
const INTERNAL = /^\[internal\]/i;

export function priorityOf(subject: string): number {
  if (URGENT.test(subject)) return 1;
  return TAGGED.test(subject) ? 2 : 3;
}

export function isShown(ticket: Ticket): boolean {
  return !INTERNAL.test(ticket.subject);
}
