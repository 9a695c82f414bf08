// What the verbs that work on a plane's database share: where it is, where to write, and how it is opened beside a running plane.
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { OpContext } from '../core/op.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Migration, Store } from '../ports/store.ts';
import { createStore, missing } from '../store/index.ts';

export interface VerbContext {
  /** a SQLite file's path, or `postgres://...` */
  readonly database: string;
  /** a line of the answer */
  print(line: string): void;
  /** a line beside it */
  warn(line: string): void;
}

/** Said to the person as it is; the verb ends with 2 for a wrong command and 1 for anything else. */
export class VerbError extends Error {
  override readonly name = 'VerbError';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const systemClock: Clock = { now: () => Date.now() };
export const systemIds: Ids = { hex: (bytes) => randomBytes(bytes).toString('hex'), uuid: () => randomUUID() };

/** What the record says of an act that came by no request. */
export function byHand(what: string): OpContext {
  return {
    requestId: systemIds.uuid(),
    signal: new AbortController().signal,
    method: 'POST',
    path: what,
    headers: new Map(),
    setHeader: () => undefined,
  };
}

export function isPostgres(database: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(database);
}

/** Runs `work` on the plane's store, which may be running meanwhile, and closes it. */
export async function withStore<T>(
  { database }: VerbContext,
  needed: readonly Migration[],
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (!isPostgres(database) && !existsSync(database))
    throw new VerbError(`there is no plane's database at ${database}: start the plane once, or name another`);
  const store = await createStore({ database, exclusive: false });
  try {
    if ((await missing(store, needed)).length > 0)
      throw new VerbError('the database is not of this version: start the plane once, which brings it up to date');
    return await work(store);
  } finally {
    await store.close();
  }
}
