// What the store promises to the tools that keep something in it.

/** What SQL takes and gives. Texts are stored as they are, NUL included; half a surrogate pair is not (it becomes U+FFFD). */
export type Value = string | number | bigint | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;

/** One transaction. Synchronous throughout, so that nothing else of this process happens in the middle of it. */
export interface Tx {
  all<R extends Row = Row>(sql: string, ...values: readonly Value[]): R[];
  /** the first row, undefined when there is none */
  get<R extends Row = Row>(sql: string, ...values: readonly Value[]): R | undefined;
  /** row by row, for what is not to be in memory at once */
  each<R extends Row = Row>(sql: string, ...values: readonly Value[]): IterableIterator<R>;
  /** `id` is the rowid of the last insert */
  run(sql: string, ...values: readonly Value[]): { readonly changes: number; readonly id: number };
  /** several statements, without values */
  script(sql: string): void;
}

/**
 * What a tool keeps: its tables. The n-th migration (from 0), SQL or code, takes them from version n to n + 1; all of them
 * run in order, in one transaction, in a database that has none yet. One that was released is never edited. Names of tables
 * begin with the tool's.
 */
export interface Tables {
  readonly name: string;
  readonly migrations: readonly (string | ((tx: Tx) => void))[];
}

/** The database as one tool sees it. `work` must do nothing but what it does through `tx`: it may be run again. */
export interface Db {
  /** reads one state of the database, whatever others write meanwhile */
  read<T>(work: (tx: Tx) => T): Promise<T>;
  /**
   * All of it or, when `work` throws, nothing; one writer at a time over all processes. Resolved means kept: it survives the
   * death of this process at any moment (not a loss of power in the second after). Rejects with TIMEOUT when others hold
   * the database for 10 s, PERMISSION_DENIED when it cannot be written, INTERNAL_ERROR when the disk is full.
   */
  write<T>(work: (tx: Tx) => T): Promise<T>;
  /** sentences the caller has to be told (a damaged database was set aside), each given once to each tool */
  notices(): string[];
}

export interface Store {
  /** absolute path of the database */
  readonly file: string;
  /** nothing is written: `write` rejects, and a database that is not there is an empty one */
  readonly readOnly: boolean;
  /** The database with these tables in it. Rejects with CONFLICT when a newer version of them, or another program, made the file. */
  open(tables: Tables): Promise<Db>;
  /** after it nothing opens any more */
  close(): Promise<void>;
}
