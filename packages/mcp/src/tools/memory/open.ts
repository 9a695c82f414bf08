// The way to the database for an action: opened with memory's tables, the documented JSON file imported once, notices told.
import path from 'node:path';
import process from 'node:process';
import type { ActionResult } from '@hanzo/tool';
import type { Db, Store } from '../../lib/store/index.ts';
import type { Ctx } from '../../local.ts';
import { TABLES } from './tables.ts';

interface Opened {
  readonly db: Db;
  /** what the next answer has to say */
  readonly notes: string[];
}

/** What was opened, by store; the import has been looked after then. */
const opened = new WeakMap<Store, Promise<Opened>>();

/** The file that earlier versions kept memory in (contract, local core tools 4.5 and 4.6). */
function documentOf(ctx: Ctx): string {
  const named = process.env['MEMORY_PATH'];
  return named ? path.resolve(ctx.env.config.cwd, named) : path.join(ctx.env.config.dataDir, 'memory.json');
}

/** Runs an action on the database; what has to be told besides its result comes as `note`. */
export async function withMemory(ctx: Ctx, work: (db: Db) => Promise<ActionResult>): Promise<ActionResult> {
  const { store } = ctx.env;
  let opening = opened.get(store);
  if (!opening) {
    opening = open(ctx);
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
}

async function open(ctx: Ctx): Promise<Opened> {
  const db = await ctx.env.store.open(TABLES);
  const { importOnce } = await import('./document/once.ts');
  return { db, notes: await importOnce(ctx, db, documentOf(ctx)) };
}
