// The open database of a process: transactions one after the other, and what is done when the file is not what it was.
import { existsSync } from 'node:fs';
import { ToolError } from '@hanzo/tool';
import { type Connection, connect } from './connection.ts';
import { explain, isDamage } from './failure.ts';
import { identityOf, setAside } from './files.ts';
import type { Db, Tables, Tx } from './types.ts';
import { withLock } from './lock.ts';
import { patiently } from './patience.ts';
import { refuseNewer } from './schema.ts';

/** Milliseconds a transaction waits for other processes. */
const PATIENCE = 10_000;
/** Times a transaction is begun again because the file was replaced in the middle of it. */
const REPLACED = 3;

export interface DatabaseOptions {
  readonly file: string;
  readonly readOnly: boolean;
  /** milliseconds a transaction waits; default 10 s */
  readonly patience?: number;
}

export interface Database {
  use(tables: Tables): Promise<Db>;
  close(): Promise<void>;
}

interface User {
  readonly tables: Tables;
  readonly notices: string[];
}

/** Makes the database of a process. The file is opened with the first tool, and again whenever another stands in its place. */
export function openDatabase(options: DatabaseOptions): Database {
  const { file, readOnly, patience = PATIENCE } = options;
  const users = new Map<string, User>();
  const told: string[] = [];
  let connection: Connection | undefined;
  const abandoned: Connection[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  const tell = (notice: string): void => {
    if (notice === '') return;
    told.push(notice);
    for (const { notices } of users.values()) notices.push(notice);
  };

  /**
   * Lets go of a connection without closing it: closing writes its log into the file and deletes the log by its name, and neither
   * may be its own any more (https://www.sqlite.org/howtocorrupt.html, 2.4).
   */
  const abandon = (): void => {
    if (connection) abandoned.push(connection);
    connection = undefined;
  };

  /** A new connection with everybody's tables in it. A damaged file is set aside, once. */
  const open = async (): Promise<Connection> => {
    for (let again = 0; ; again++) {
      const seen = identityOf(file);
      let made: Connection | undefined;
      try {
        // SQLite would throw the log away with the file that is gone.
        if (seen === undefined && !readOnly && existsSync(`${file}-wal`)) {
          tell(setAside(file, undefined, 'of it only its log was left'));
        }
        const fresh = await patiently(patience, () => connect(file, readOnly));
        made = fresh;
        for (const { tables } of users.values()) await patiently(patience, () => fresh.adopt(tables));
        return fresh;
      } catch (error) {
        made?.close();
        if (!isDamage(error) || readOnly || again > 0) throw error;
        tell(setAside(file, seen, (error as Error).message));
      }
    }
  };

  const connected = async (): Promise<Connection> => {
    if (closed) throw new ToolError('INTERNAL_ERROR', 'this server is ending; its store is closed');
    if (connection?.isCurrent()) return connection;
    abandon();
    connection = readOnly ? await open() : await withLock(file, patience, open);
    return connection;
  };

  /** Runs a transaction; again, when the file was replaced in the middle of it: what was kept then is in the old one. */
  const transact = async <T>(tables: Tables, begin: string, work: (tx: Tx) => T): Promise<T> => {
    for (let again = 0; ; again++) {
      const current = await connected();
      try {
        const result = await patiently(patience, () =>
          current.transaction(tables, begin, (tx) => {
            if (begin === IMMEDIATE) refuseNewer(tx, tables, file);
            return work(tx);
          }),
        );
        if (current.isCurrent() || again >= REPLACED) return result;
      } catch (error) {
        if (!isDamage(error) || readOnly || again > 0) throw error;
        abandon();
        await withLock(file, patience, async () => tell(setAside(file, current.identity, (error as Error).message)));
      }
    }
  };

  /** One after the other, so that those who came first are served first. */
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work).catch((error: unknown) => {
      throw explain(error, file);
    });
    queue = turn.catch(() => undefined);
    return turn;
  };

  const adopt = async (tables: Tables): Promise<User> => {
    const known = users.get(tables.name);
    if (known) return known;
    const current = await connected();
    await patiently(patience, () => current.adopt(tables));
    const user: User = { tables, notices: [...told] };
    users.set(tables.name, user);
    return user;
  };

  return {
    use: (tables) =>
      queued(async () => {
        const { notices } = await adopt(tables);
        return {
          read: (work) => queued(() => transact(tables, DEFERRED, work)),
          write: (work) =>
            readOnly ? Promise.reject(refusal(tables.name)) : queued(() => transact(tables, IMMEDIATE, work)),
          notices: () => notices.splice(0),
        };
      }),
    close: () =>
      queued(async () => {
        closed = true;
        if (connection?.isCurrent()) connection.close();
      }),
  };
}

const DEFERRED = 'BEGIN';
const IMMEDIATE = 'BEGIN IMMEDIATE';

function refusal(name: string): ToolError {
  return new ToolError('PERMISSION_DENIED', `this server is read-only (--access read-only); ${name} was not changed`);
}
