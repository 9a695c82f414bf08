// One connection to the file: how it is opened, its statements, one transaction.
import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ToolError } from '@hanzo/tool';
import { identityOf, makePrivate } from './files.ts';
import type { Row, Tables, Tx, Value } from './types.ts';
import { claim, migrate, versionOf } from './schema.ts';
import { loadSqlite } from './sqlite.ts';

/** Statements kept prepared. */
const PREPARED = 128;
/** A larger file is not read as a whole before its first use; damage in it is found where it is met. */
const CHECKED_BYTES = 16 * 1024 * 1024;
/** Bytes the log is cut back to after it was written into the database. */
const LOG_BYTES = 4 * 1024 * 1024;

export interface Connection {
  /** which file this is, whatever stands under its name now */
  readonly identity: string | undefined;
  isCurrent(): boolean;
  /** puts a tool's tables in place */
  adopt(tables: Tables): void;
  /** `work` between `begin` and COMMIT, or ROLLBACK if it throws */
  transaction<T>(tables: Tables, begin: string, work: (tx: Tx) => T): T;
  close(): void;
}

/** Opens the file, making it if need be. Throws SQLite's own errors; a file that is not sound throws as a damaged one. */
export function connect(file: string, readOnly: boolean): Connection {
  const { DatabaseSync } = loadSqlite();
  const absent = readOnly && identityOf(file) === undefined;
  if (!readOnly) makePrivate(file);
  const identity = identityOf(file);
  const open = (where: string, only: boolean): Session =>
    new Session(new DatabaseSync(where, { timeout: 0, readOnly: only }));
  const main = open(absent ? ':memory:' : file, readOnly && !absent);
  /** in a file that may not be written, the tables of tools that have none there */
  const empty = new Map<string, Session>();
  let log: string | undefined;
  try {
    if (!readOnly) main.configure();
    check(main, file, absent);
    if (!readOnly || absent) main.transaction('BEGIN IMMEDIATE', (tx) => claim(tx, file));
    log = identityOf(`${file}-wal`);
  } catch (error) {
    main.close();
    throw error;
  }
  return {
    identity,
    // The log as well: whoever closes any descriptor of the database in this process, as a search through its folder does,
    // gives up the lock on it (POSIX), and another process may then delete the log that is written here.
    isCurrent: () => identityOf(file) === identity && (readOnly || identityOf(`${file}-wal`) === log),
    adopt(tables) {
      if (!readOnly || absent) return main.transaction('BEGIN IMMEDIATE', (tx) => migrate(tx, tables, file));
      const version = main.transaction('BEGIN', (tx) => versionOf(tx, tables.name));
      if (version > 0 && version < tables.migrations.length) {
        const why = 'a read-only server does not convert it; start one that may write once';
        throw new ToolError('CONFLICT', `${file} holds an older version of ${tables.name}; ${why}`, { version });
      }
      if (version > 0) return main.transaction('BEGIN', (tx) => migrate(tx, tables, file));
      const stand = open(':memory:', false);
      empty.set(tables.name, stand);
      return stand.transaction('BEGIN', (tx) => {
        claim(tx, file);
        migrate(tx, tables, file);
      });
    },
    transaction: (tables, begin, work) => (empty.get(tables.name) ?? main).transaction(begin, work),
    close() {
      for (const each of [main, ...empty.values()]) each.close();
    },
  };
}

/** Throws as SQLite does for a damaged file. */
function check(session: Session, file: string, absent: boolean): void {
  if (absent || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > CHECKED_BYTES) return;
  const found = session.transaction('BEGIN', (tx) => tx.get<{ quick_check: string }>('PRAGMA quick_check(1)'));
  if (found?.quick_check === 'ok') return;
  throw Object.assign(new Error(found?.quick_check ?? 'not sound'), { code: 'ERR_SQLITE_ERROR', errcode: 11 });
}

/** A connection's statements and its one transaction at a time. */
class Session implements Tx {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  configure(): void {
    // WAL: readers do not wait for the writer. NORMAL: what was committed lies with the operating system, so no death of a
    // process loses it (https://www.sqlite.org/pragma.html#pragma_synchronous); FULL would wait for the disk, 3 ms each time.
    this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${LOG_BYTES}`);
  }

  transaction<T>(begin: string, work: (tx: Tx) => T): T {
    this.#db.exec(begin);
    try {
      const result = work(this);
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has rolled back already.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  all<R extends Row>(sql: string, ...values: readonly Value[]): R[] {
    return this.#statement(sql).all(...values) as unknown as R[];
  }

  get<R extends Row>(sql: string, ...values: readonly Value[]): R | undefined {
    return this.#statement(sql).get(...values) as unknown as R | undefined;
  }

  each<R extends Row>(sql: string, ...values: readonly Value[]): IterableIterator<R> {
    // A statement of its own: one that is walked must not be started again in the middle.
    return this.#db.prepare(sql).iterate(...values) as unknown as IterableIterator<R>;
  }

  run(sql: string, ...values: readonly Value[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  script(sql: string): void {
    this.#db.exec(sql);
  }

  close(): void {
    this.#prepared.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known) return known;
    if (this.#prepared.size >= PREPARED) this.#prepared.clear();
    const made = this.#db.prepare(sql);
    this.#prepared.set(sql, made);
    return made;
  }
}
