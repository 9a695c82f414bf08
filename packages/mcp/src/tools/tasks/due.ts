// When something is due: ISO 8601 dates and times, and the moment from which an item is overdue.

const ISO =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

const DAY = 24 * 60 * 60 * 1000;

/** What is kept of a due date: a day as it is, a time in UTC. */
export interface Due {
  readonly due: string;
  /** milliseconds since 1970 from which it is overdue: for a day, when it has passed in UTC */
  readonly dueAt: number;
}

/** Reads an ISO date or time; a time without a zone is UTC. Undefined for anything else, and for a day no calendar has. */
export function dueOf(given: string): Due | undefined {
  const [, day = '', time, zone = 'Z'] = ISO.exec(given.trim()) ?? [];
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // 30 February would count as a day of March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined;
  if (time === undefined) return { due: day, dueAt: midnight + DAY };
  const at = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(at) ? undefined : { due: new Date(at).toISOString(), dueAt: at };
}
