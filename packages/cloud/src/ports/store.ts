// Port: where rows live. SQLite and PostgreSQL behind one interface; what differs between them is hidden here.
import type { Kysely, Transaction } from 'kysely';

/**
 * A migration runs once per database, in a transaction, in the order given. `up` is written with the schema builder and the
 * column types below, so that it runs on both stores.
 */
export interface Migration {
  /** `tool-0001-activations` */
  readonly name: string;
  up(db: Transaction<never>, types: ColumnTypes): Promise<void>;
}

/** Column types that both stores have, as `sql` fragments' names. */
export interface ColumnTypes {
  /** 64-bit; comes back as number */
  readonly integer: 'integer' | 'bigint';
  readonly text: 'text';
  readonly bytes: 'blob' | 'bytea';
  /** JSON kept as text, read with JSON.parse: the same bytes come back */
  readonly json: 'text';
}

export interface TransactionOptions {
  /**
   * PostgreSQL only; SQLite's are always serializable. Default `serializable`: what was read is still true when the work is
   * done. `read committed` is for work that locks the rows it depends on (`forUpdate`) and would else be repeated too often.
   */
  readonly isolation?: 'serializable' | 'read committed';
}

export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** `T` is the caller's own tables: an app declares them and touches no others */
  db<T>(): Kysely<T>;
  /**
   * Work that is done whole or not at all. On PostgreSQL serialization failures and deadlocks are tried again (the work must
   * be repeatable); on SQLite writers wait their turn.
   */
  transaction<T, R>(work: (db: Transaction<T>) => Promise<R>, options?: TransactionOptions): Promise<R>;
  /**
   * The number of a scope's state, for what is kept in memory: `touch` inside a transaction raises it, and every node notices
   * at once (same process) or within a second (others).
   */
  generation(key: string): Promise<number>;
  touch<T>(db: Transaction<T>, key: string): Promise<void>;
  /** resolves when the store answers */
  ping(): Promise<void>;
  close(): Promise<void>;
}
