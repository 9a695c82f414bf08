// The way of an action to its tool's tables: opened once, the JSON file of earlier versions taken over once, notices told.
import path from 'node:path';
import process from 'node:process';
import type { ActionResult } from '@hanzo/tool';
import type { Config } from '../../config.ts';
import type { Db, Store, Tables, Tx } from '../store/index.ts';
import { readJson } from './read.ts';

/**
 * Puts a parsed document into the tables. `once` is noted in the tool's table of what is done (`isDone`) in the same
 * transaction as the last part. Undefined when another process has done it. Throws a sentence when it is no document of this
 * tool.
 */
export type TakeOver = (db: Db, document: unknown, once: string) => Promise<Taken | undefined>;

export interface Taken {
  /** what was imported, in words: `3 plans` */
  readonly what: string;
  /** what was left out or changed, in words */
  readonly problems: readonly string[];
}

/** Problems that an answer names. */
const NAMED = 5;

export interface Kept {
  /** they include `<name>_done (what TEXT PRIMARY KEY, at TEXT)` */
  readonly tables: Tables;
  /** environment variable that names the JSON file (contract, local core tools 4.5) */
  readonly variable: string;
  /** its name in the data folder otherwise (4.6) */
  readonly file: string;
  /** what to do when it could not be imported */
  readonly mend: string;
  /** loaded when there is such a file */
  load(): Promise<TakeOver>;
}

/** What of an action's context is needed here. */
interface Context {
  readonly env: { readonly store: Store; readonly config: Config };
}

interface Opened {
  readonly db: Db;
  /** what the next answer has to say */
  readonly notes: string[];
}

/** Makes the way to a tool's tables: it runs an action on them; what has to be told besides its result comes as `note`. */
export function keeper(kept: Kept): (ctx: Context, work: (db: Db) => Promise<ActionResult>) => Promise<ActionResult> {
  /** by store; the import has been looked after then */
  const opened = new WeakMap<Store, Promise<Opened>>();
  return async (ctx, work) => {
    const { store } = ctx.env;
    let opening = opened.get(store);
    if (!opening) {
      opening = open(ctx, kept);
      opened.set(store, opening);
      opening.catch(() => opened.delete(store));
    }
    const { db, notes } = await opening;
    const result = await work(db);
    const told = [...db.notices(), ...notes.splice(0)];
    if (told.length === 0) return result;
    const own = result.data['note'];
    return {
      ...result,
      data: { ...result.data, note: [...(own === undefined ? [] : [String(own)]), ...told].join('; ') },
    };
  };
}

async function open(ctx: Context, kept: Kept): Promise<Opened> {
  const { store, config } = ctx.env;
  const db = await store.open(kept.tables);
  const named = process.env[kept.variable];
  const file = named ? path.resolve(config.cwd, named) : path.join(config.dataDir, kept.file);
  return { db, notes: await importOnce(db, file, kept, store.readOnly) };
}

/** Imports the file unless that was done; it is read and never touched. */
async function importOnce(db: Db, file: string, kept: Kept, readOnly: boolean): Promise<string[]> {
  const what = `import ${file}`;
  if (await db.read((tx) => isDone(tx, kept.tables, what))) return [];
  const unread = (error: unknown): string =>
    `${file} was not imported and not touched: ${(error as Error).message}; ${kept.mend}`;
  let document: unknown;
  try {
    document = await readJson(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : [unread(error)];
  }
  if (readOnly) return [`${file} is not imported yet, as this server is read-only`];
  try {
    const takeOver = await kept.load();
    const taken = await takeOver(db, document, what);
    if (!taken) return [];
    const left = taken.problems.length === 0 ? '' : ` (${taken.problems.slice(0, NAMED).join('; ')})`;
    return [`imported ${taken.what} from ${file}, which stays as it is${left}`];
  } catch (error) {
    return [unread(error)];
  }
}

/** True when something was noted as done once. */
export function isDone(tx: Tx, tables: Tables, what: string): boolean {
  return tx.get(`SELECT 1 FROM ${tables.name}_done WHERE what = ?`, what) !== undefined;
}

/** Notes it as done. */
export function setDone(tx: Tx, tables: Tables, what: string): void {
  tx.run(`INSERT INTO ${tables.name}_done (what, at) VALUES (?, ?)`, what, new Date().toISOString());
}
