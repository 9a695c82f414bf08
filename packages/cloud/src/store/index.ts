// The store: one interface on an embedded SQLite file or on PostgreSQL.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { Kysely, sql, type Transaction } from 'kysely';
import type { Store, TransactionOptions } from '../ports/store.ts';
import { isRepeatable } from './errors.ts';
import { Generations } from './generations.ts';
import { CHANNEL, Listener } from './listener.ts';
import { lockFile } from './lock.ts';
import { openPool, postgresDialect, type PostgresOptions } from './postgres.ts';
import { SqliteDatabase, SqliteDialect } from './sqlite.ts';

export { isConflict, isDangling } from './errors.ts';
export { migrate, missing } from './migrate.ts';

export interface StoreOptions {
  /** a file's path, `:memory:`, or `postgres://...` */
  readonly database: string;
  /**
   * SQLite: refuse while another process has the file open in the same way; default true. A verb that works beside a running
   * plane says false.
   */
  readonly exclusive?: boolean;
  /** SQLite: `full` (default) also survives a power failure, `normal` only the end of the process */
  readonly synchronous?: 'full' | 'normal';
  /** PostgreSQL: connections at most, default 10, beside one that listens */
  readonly connections?: number;
  /** PostgreSQL: a statement that runs longer is ended, milliseconds, default 30,000 */
  readonly statementTimeout?: number;
  /** told of what fails where nobody waits for an answer */
  readonly onFault?: (error: unknown) => void;
}

/** How often work is done again after it lost against other nodes' before the caller is told. */
const ATTEMPTS = 12;

/**
 * Opens the store; its tables are made by `migrate`. A SQLite file and its folder are made when they are missing, readable by
 * their owner only. Rejects when another plane has the file open.
 */
export async function createStore(options: StoreOptions): Promise<Store> {
  return /^postgres(?:ql)?:\/\//.test(options.database) ? openPostgres(options) : openSqlite(options);
}

/** milliseconds that only rise */
const rising = (): number => performance.now();

function openSqlite({ database, exclusive = true, synchronous = 'full' }: StoreOptions): Store {
  let lock: { release(): void } | undefined;
  if (database !== ':memory:') {
    mkdirSync(path.dirname(path.resolve(database)), { recursive: true, mode: 0o700 });
    // the mode of the files that SQLite puts beside it follows this one's
    closeSync(openSync(database, 'a', 0o600));
    chmodSync(database, 0o600);
    if (exclusive) lock = lockFile(database);
  }
  let opened: SqliteDatabase;
  try {
    opened = new SqliteDatabase({ file: database, synchronous, busyTimeout: 5000 });
  } catch (error) {
    lock?.release();
    throw new Error(`${database} cannot be opened as a SQLite database: ${(error as Error).message}`, { cause: error });
  }
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect(opened) });
  const generations = new Generations(kysely, rising);
  const touched = new WeakMap<object, Set<string>>();
  let closed = false;
  return {
    dialect: 'sqlite',
    db: <T>() => kysely as Kysely<T>,
    async transaction<T, R>(work: (db: Transaction<T>) => Promise<R>) {
      return opened.within({}, () => committed(kysely, generations, touched, work));
    },
    generation: (key) => generations.get(key),
    async touch(db, key) {
      await generations.raise(db as Transaction<unknown>, key);
      touched.get(db)?.add(key);
    },
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      if (closed) return;
      closed = true;
      // Kysely closes what it has used; what it never used is closed here
      await kysely.destroy();
      await opened.close();
      lock?.release();
    },
  };
}

async function openPostgres(options: StoreOptions): Promise<Store> {
  const settings: PostgresOptions = {
    url: options.database,
    connections: options.connections ?? 10,
    statementTimeout: options.statementTimeout ?? 30_000,
    onFault: options.onFault,
  };
  const pool = await openPool(settings);
  const kysely = new Kysely<unknown>({ dialect: postgresDialect(pool) });
  const generations = new Generations(kysely, rising);
  const touched = new WeakMap<object, Set<string>>();
  const listener = new Listener(
    settings,
    (key) => generations.drop(key),
    () => generations.dropAll(),
  );
  let closed = false;
  try {
    await sql`select 1`.execute(kysely);
  } catch (error) {
    await pool.end();
    throw error;
  }
  await listener.start();
  return {
    dialect: 'postgres',
    db: <T>() => kysely as Kysely<T>,
    async transaction<T, R>(work: (db: Transaction<T>) => Promise<R>, how: TransactionOptions = {}) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await committed(kysely, generations, touched, work, how.isolation ?? 'serializable');
        } catch (error) {
          if (!isRepeatable(error) || attempt === ATTEMPTS) throw error;
          // spread out, so that those that met do not meet again
          await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(200, 2 ** attempt)));
        }
      }
    },
    generation: (key) => generations.get(key),
    async touch(db, key) {
      await generations.raise(db as Transaction<unknown>, key);
      await sql`select pg_notify(${CHANNEL}, ${key})`.execute(db);
      touched.get(db)?.add(key);
    },
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      if (closed) return;
      closed = true;
      await listener.close();
      await kysely.destroy();
      if (!pool.ending) await pool.end();
    },
  };
}

/** One attempt; what it touched is forgotten before its caller goes on. */
async function committed<T, R>(
  kysely: Kysely<unknown>,
  generations: Generations,
  touched: WeakMap<object, Set<string>>,
  work: (db: Transaction<T>) => Promise<R>,
  isolation?: 'serializable' | 'read committed',
): Promise<R> {
  const keys = new Set<string>();
  const builder = kysely.transaction();
  const result = await (isolation === undefined ? builder : builder.setIsolationLevel(isolation)).execute((db) => {
    touched.set(db, keys);
    return work(db as Transaction<T>);
  });
  for (const key of keys) generations.drop(key);
  return result;
}
