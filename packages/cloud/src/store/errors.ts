// What the two databases' errors mean, in one place: conflicts a caller decides on, and outages everybody is told of alike.
import { Problem } from '../core/problem.ts';

/** SQLite's extended result codes (sqlite.org/rescode.html). */
const SQLITE = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
  constraintForeignKey: 787,
  constraintPrimaryKey: 1555,
  constraintUnique: 2067,
} as const;

/** PostgreSQL's SQLSTATE codes (appendix A of its manual). */
const POSTGRES = {
  foreignKey: '23503',
  unique: '23505',
  serialization: '40001',
  deadlock: '40P01',
  diskFull: '53100',
} as const;

function code(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}

function sqliteCode(error: unknown): number | undefined {
  const number = (error as { errcode?: unknown } | null | undefined)?.errcode;
  return code(error) === 'ERR_SQLITE_ERROR' && typeof number === 'number' ? number : undefined;
}

/** A row with that key is there already. */
export function isConflict(error: unknown): boolean {
  const number = sqliteCode(error);
  return (
    code(error) === POSTGRES.unique || number === SQLITE.constraintUnique || number === SQLITE.constraintPrimaryKey
  );
}

/** A row that this one points to is not there, or others still point to it. */
export function isDangling(error: unknown): boolean {
  return code(error) === POSTGRES.foreignKey || sqliteCode(error) === SQLITE.constraintForeignKey;
}

/** SQLite: another process is writing. */
export function isBusy(error: unknown): boolean {
  return ((sqliteCode(error) ?? 0) & 0xff) === SQLITE.busy;
}

/** The transaction did nothing and may be done again. */
export function isRepeatable(error: unknown): boolean {
  return code(error) === POSTGRES.serialization || code(error) === POSTGRES.deadlock;
}

const UNREACHABLE = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  // 08 connection exceptions, 57P0x shutdown, 53300 too many connections
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);
/** `pg` has no codes for what it finds out by itself. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** An outage as a Problem that says what to do; any other error as it is. */
export function asProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const number = sqliteCode(error);
  if (number !== undefined) {
    const kind = number & 0xff;
    if (kind === SQLITE.full) return diskFull(error);
    if (kind === SQLITE.busy)
      return unavailable('The database is held by another process for too long; try again.', error);
    if (kind === SQLITE.readOnly)
      return unavailable('The database cannot be written: its file or folder is read-only.', error);
    if (kind === SQLITE.ioError || kind === SQLITE.cannotOpen)
      return unavailable('The database file cannot be read or written.', error);
    if (kind === SQLITE.corrupt || kind === SQLITE.notADatabase)
      return unavailable('The database file is damaged; restore a backup.', error);
    return error;
  }
  if (code(error) === POSTGRES.diskFull) return diskFull(error);
  const message = error instanceof Error ? error.message : '';
  if (UNREACHABLE.has(code(error)) || LOST.test(message))
    return unavailable('The database does not answer; nothing was changed that was not confirmed. Try again.', error);
  return error;
}

/** PostgreSQL keeps no U+0000 in a text, so neither store does. Throws Problem 400 for one among the values of a statement. */
export function refuseNul(values: readonly unknown[]): void {
  if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
    throw new Problem(400, 'A text in the input holds the character U+0000, which cannot be kept: leave it out.', {
      code: 'invalid_input',
    });
  }
}

function diskFull(cause: unknown): Problem {
  return new Problem(503, 'The disk of the database is full: nothing was written.', { code: 'store_full', cause });
}

function unavailable(detail: string, cause: unknown): Problem {
  return new Problem(503, detail, { code: 'store_unavailable', cause });
}
