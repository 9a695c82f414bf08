// Kysely on PostgreSQL through `pg`: the pool and its settings, numbers as numbers, outages as Problems. Knows no table.
import type { Pool, PoolClient, PoolConfig } from 'pg';
import { PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import { asProblem, refuseNul } from './errors.ts';

export interface PostgresOptions {
  /** `postgres://...` as libpq reads it */
  readonly url: string;
  /** connections at most */
  readonly connections: number;
  /** a statement that runs longer is ended, milliseconds */
  readonly statementTimeout: number;
  /** told of connections that end while nobody uses them */
  readonly onFault?: (error: unknown) => void;
}

/** OIDs of pg_type.dat: int8, and numeric, which sums of int8 give. */
const INT8 = 20;
const NUMERIC = 1700;

/** Settings of every connection, the listening one too. */
export async function connection(options: PostgresOptions): Promise<PoolConfig> {
  const { types } = (await import('pg')).default;
  return {
    connectionString: options.url,
    application_name: 'hanzo-cloud',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
        if (oid === INT8 && format !== 'binary') return asNumber;
        if (oid === NUMERIC && format !== 'binary') return asExact;
        return types.getTypeParser(oid, format as 'text');
      }) as typeof types.getTypeParser,
    },
  };
}

export async function openPool(options: PostgresOptions): Promise<Pool> {
  const { Pool: Constructor } = (await import('pg')).default;
  const pool = new Constructor({
    ...(await connection(options)),
    max: options.connections,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeout,
    lock_timeout: options.statementTimeout,
    idle_in_transaction_session_timeout: 60_000,
  });
  // without a listener an idle connection's end would end the process
  pool.on('error', (error) => options.onFault?.(error));
  return pool;
}

export function postgresDialect(pool: Pool): PostgresDialect {
  return new PostgresDialect({ pool: new Translating(pool) });
}

/** The pool as Kysely sees it, with outages told as Problems. */
class Translating implements PostgresPool {
  readonly #pool: Pool;
  readonly #clients = new WeakMap<PoolClient, PostgresPoolClient>();
  readonly options: object;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.options = pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await translated(this.#pool.connect());
    const known = this.#clients.get(client);
    if (known !== undefined) return known;
    // a connection that breaks while it is taken also fails its query, which is where it is handled
    client.on('error', () => undefined);
    const made = {
      query: async <R>(sql: string, parameters: readonly unknown[] = []) => {
        refuseNul(parameters);
        return (await translated(client.query(sql, parameters as unknown[]))) as unknown as PostgresQueryResult<R>;
      },
      release: (destroy?: boolean) => client.release(destroy),
      // Kysely also knows cursors, which nothing here uses
    } as PostgresPoolClient;
    this.#clients.set(client, made);
    return made;
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

async function translated<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw asProblem(error);
  }
}

function asNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is beyond what a number holds exactly`);
  return number;
}

/** A whole number as a number, as on SQLite; anything else stays the text it is. */
function asExact(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
