// The journal: the last thoughts, numbered, over all sessions of the user.
import { shorten, ToolError } from '@hanzo/tool';
import type { Ctx } from '../../local.ts';
import { TABLES } from './tables.ts';

/** Entries kept; the oldest go. */
const MOST_ENTRIES = 1000;

export interface Entry {
  readonly id: number;
  readonly action: string;
  readonly text: string;
  readonly answer: string;
  readonly about: number | null;
  readonly created: string;
}

type EntryRow = Entry & Record<string, string | number | null>;

/**
 * Keeps an entry and answers its number. `about` must be one that is kept: NOT_FOUND otherwise, before anything is written.
 * Where nothing can be written (--access read-only) the number is undefined.
 */
export async function keep(
  ctx: Ctx,
  { action, text, answer, about }: { action: string; text: string; answer: string; about?: number | undefined },
): Promise<number | undefined> {
  if (ctx.env.store.readOnly) return undefined;
  const db = await ctx.env.store.open(TABLES);
  return db.write((tx) => {
    if (about !== undefined && !tx.get('SELECT id FROM think_entry WHERE id = ?', about)) throw missing(about);
    const { id } = tx.run(
      'INSERT INTO think_entry (action, text, answer, about, created) VALUES (?, ?, ?, ?, ?)',
      action,
      text,
      answer,
      about ?? null,
      new Date().toISOString(),
    );
    tx.run('DELETE FROM think_entry WHERE id <= ?', id - MOST_ENTRIES);
    return id;
  });
}

export async function read(ctx: Ctx, id: number): Promise<Entry> {
  const db = await ctx.env.store.open(TABLES);
  const row = await db.read((tx) => tx.get<EntryRow>('SELECT * FROM think_entry WHERE id = ?', id));
  if (!row) throw missing(id);
  return row;
}

/** Newest first. */
export async function last(ctx: Ctx, offset: number, limit: number): Promise<{ entries: Entry[]; total: number }> {
  const db = await ctx.env.store.open(TABLES);
  return db.read((tx) => ({
    entries: tx.all<EntryRow>('SELECT * FROM think_entry ORDER BY id DESC LIMIT ? OFFSET ?', limit, offset),
    total: tx.get<{ n: number }>('SELECT count(*) AS n FROM think_entry')?.n ?? 0,
  }));
}

function missing(id: number): ToolError {
  return new ToolError(
    'NOT_FOUND',
    `there is no thought ${shorten(String(id), 20)}; the last ${MOST_ENTRIES} are kept, and list shows them`,
    { id },
  );
}
