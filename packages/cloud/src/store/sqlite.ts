// Kysely on `node:sqlite`: one connection that writes, in turns, and one that reads. Knows no table.
import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { Checkpoints } from './checkpoints.ts';
import { asProblem, isBusy, refuseNul } from './errors.ts';
import { Turn } from './turn.ts';

export interface SqliteOptions {
  /** a file's path, or `:memory:` */
  readonly file: string;
  /**
   * `full`: a commit is on the disk before it is answered. `normal`: it survives the end of the process at any moment, not
   * always a power failure (sqlite.org/pragma.html#pragma_synchronous).
   */
  readonly synchronous: 'full' | 'normal';
  /** how long to wait for another process that writes, milliseconds */
  readonly busyTimeout: number;
}

const MEMORY = ':memory:';
/** Pages of 4 KB in the write-ahead log from which the writer itself carries it into the file, should the thread not keep up. */
const LONGEST_LOG = 16_384;
const STATEMENTS_KEPT = 500;

/** One open database file with its two connections. */
export class SqliteDatabase {
  readonly turn: Turn = new Turn();
  readonly #writer: Connection;
  readonly #reader: Connection;
  /** the transaction that the running code belongs to */
  readonly #inside = new AsyncLocalStorage<object>();
  readonly #busyTimeout: number;
  readonly #checkpoints: Checkpoints | undefined;
  #closed = false;

  constructor({ file, synchronous, busyTimeout }: SqliteOptions) {
    const writer = new DatabaseSync(file, { timeout: busyTimeout });
    // secure_delete: what is deleted is overwritten. case_sensitive_like: as in PostgreSQL.
    writer.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON; ` +
        'PRAGMA secure_delete = ON; PRAGMA case_sensitive_like = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 67108864; ' +
        // waiting is done in `patiently`: SQLite's own would hold up everything else of this process
        `PRAGMA busy_timeout = 0; PRAGMA wal_autocheckpoint = ${LONGEST_LOG};`,
    );
    this.#busyTimeout = busyTimeout;
    this.#writer = new Connection(writer);
    if (file === MEMORY) {
      this.#reader = this.#writer;
      return;
    }
    const reader = new DatabaseSync(file, { timeout: busyTimeout, readOnly: true });
    this.#checkpoints = new Checkpoints(file);
    reader.exec('PRAGMA query_only = ON; PRAGMA case_sensitive_like = ON; PRAGMA cache_size = -32768;');
    this.#reader = new Connection(reader);
  }

  /** Runs `work` so that it is known which transaction its queries belong to. */
  within<T>(transaction: object, work: () => Promise<T>): Promise<T> {
    this.#refuseNested();
    return this.#inside.run(transaction, work);
  }

  /** In a transaction that is under way: nobody else writes. */
  write(query: CompiledQuery): QueryResult<unknown> {
    try {
      return this.#writer.run(query);
    } catch (error) {
      throw asProblem(error);
    }
  }

  /** Waits for writers of other processes; the caller has the turn. */
  async patiently(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const end = performance.now() + this.#busyTimeout;
    for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
      try {
        return this.#writer.run(query);
      } catch (error) {
        if (!isBusy(error) || performance.now() >= end) throw asProblem(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** A query outside of a transaction: it reads what is committed, or writes in its turn. */
  async alone(query: CompiledQuery): Promise<QueryResult<unknown>> {
    try {
      if (query.query.kind === 'SelectQueryNode' && this.#reader !== this.#writer) return this.#reader.run(query);
      // no step of a statement can be seen from outside: without a transaction under way it needs no turn
      if (this.turn.free) {
        const result = this.#writer.run(query);
        this.#checkpoints?.wrote();
        return result;
      }
    } catch (error) {
      if (!isBusy(error)) throw asProblem(error);
    }
    const own = {};
    await this.take(own);
    try {
      const result = await this.patiently(query);
      this.#checkpoints?.wrote();
      return result;
    } finally {
      this.turn.give(own);
    }
  }

  /** Waits for the turn. A transaction that asks for it again would wait for itself: it is told instead. */
  async take(holder: object): Promise<void> {
    this.#refuseNested();
    await this.turn.take(holder);
  }

  #refuseNested(): void {
    const inside = this.#inside.getStore();
    if (inside !== undefined && this.turn.holder === inside)
      throw new Error("inside of a transaction only the transaction's own handle may be used: this would never end");
  }

  /** the transaction whose work is running, as `within` was told */
  get current(): object | undefined {
    return this.#inside.getStore();
  }

  /** To be told when a transaction was committed. */
  committed(): void {
    this.#checkpoints?.wrote();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#checkpoints?.close();
    if (this.#reader !== this.#writer) this.#reader.close();
    this.#writer.close();
  }
}

/** A connection with its prepared statements, the last used kept. */
class Connection {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  run({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    refuseNul(parameters);
    const statement = this.#prepare(sql);
    const values = parameters.map(asInput);
    if (statement.columns().length > 0) {
      const rows = statement.all(...values);
      return { rows, numAffectedRows: BigInt(rows.length) };
    }
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#db.prepare(sql);
    if (!KEPT.test(sql)) {
      // what changes the schema also changes what the others give back
      this.#statements.clear();
      return statement;
    }
    this.#statements.set(sql, statement);
    if (this.#statements.size > STATEMENTS_KEPT) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }
}

const KEPT = /^\s*(?:select|insert|update|delete|with|begin|commit|rollback)\b/i;

function asInput(value: unknown): SQLInputValue {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  // any other kind is refused by the driver with its own words
  return value as SQLInputValue;
}

/** What Kysely holds for one query or one transaction. */
class Session implements DatabaseConnection {
  readonly #db: SqliteDatabase;
  /** who holds the turn for this session's transaction */
  #holder: object | undefined;
  /** a statement of the transaction has failed */
  #failed = false;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async begin(): Promise<void> {
    const holder = this.#db.current ?? {};
    await this.#db.take(holder);
    try {
      await this.#db.patiently(CompiledQuery.raw('begin immediate'));
      this.#holder = holder;
      this.#failed = false;
    } catch (error) {
      this.#db.turn.give(holder);
      throw error;
    }
  }

  end(how: 'commit' | 'rollback'): void {
    const holder = this.#holder;
    if (holder === undefined) return;
    if (how === 'commit') this.#refuseFailed();
    try {
      this.#db.write(CompiledQuery.raw(how));
    } catch (error) {
      // Kysely rolls back what could not be committed; a rollback that fails found nothing to undo
      if (how === 'commit') throw error;
    }
    this.#holder = undefined;
    this.#db.turn.give(holder);
    if (how === 'commit') this.#db.committed();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // the caller says which row type its query gives
    if (this.#holder === undefined) return (await this.#db.alone(query)) as QueryResult<R>;
    this.#refuseFailed();
    try {
      return this.#db.write(query) as QueryResult<R>;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  /**
   * As on PostgreSQL, a transaction in which a statement failed is over. SQLite itself has ended it after some errors (a full disk), and
   * what followed would be written by itself.
   */
  #refuseFailed(): void {
    if (this.#failed) throw new Error('a statement of this transaction has failed: nothing more can be done in it');
  }

  // oxlint-disable-next-line require-yield -- Kysely's interface asks for a generator; the whole is read at once
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}

class SqliteDriver implements Driver {
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Session> {
    return new Session(this.#db);
  }

  async beginTransaction(session: Session): Promise<void> {
    await session.begin();
  }

  async commitTransaction(session: Session): Promise<void> {
    session.end('commit');
  }

  async rollbackTransaction(session: Session): Promise<void> {
    session.end('rollback');
  }

  async releaseConnection(session: Session): Promise<void> {
    // a session that Kysely gives back in mid-transaction must not keep the others waiting
    session.end('rollback');
  }

  async destroy(): Promise<void> {
    await this.#db.close();
  }
}

/** The turns are ours: Kysely's own lock would keep readers out as well. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class SqliteDialect implements Dialect {
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  createDriver(): Driver {
    return new SqliteDriver(this.#db);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new Adapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}
