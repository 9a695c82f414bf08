// Entries in the database: how they are found by key, put, kept as versions, removed. Nothing here knows of calls.
import { nearest, shorten, ToolError } from '@hanzo/tool';
import type { Row, Tx, Value } from '../../lib/store/index.ts';
import { fold } from '../../lib/fold.ts';
import { ALL, MOST_VALUE, NEVER, timeOf } from './params.ts';

/** Earlier values kept of an entry. */
const VERSIONS = 50;
/** Entries up to which each is taken out of the index by itself. */
const FEW = 200;
/** Keys looked at for the nearest one. */
const NEAR = 5000;

/** An entry as it lies in the table. */
export interface Entry extends Row {
  readonly id: number;
  readonly namespace: string;
  readonly key: string;
  readonly value: string;
  /** JSON array */
  readonly tags: string;
  /** JSON object */
  readonly metadata: string | null;
  /** ISO 8601, UTC */
  readonly created: string;
  readonly updated: string;
  readonly ttl: string | null;
  readonly expires: number | null;
}

/** What an entry is to be; what is left out stays as it is. */
export interface Draft {
  readonly namespace: string;
  readonly key: string;
  readonly value?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** an ISO date, or `never` */
  readonly ttl?: string | undefined;
  readonly append?: boolean | undefined;
  /** when it was made and changed, where that is known; default now */
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
}

/** What a filter lets through, as SQL over `memory_entry` under its own name. Expired entries never are. */
export interface Filter {
  readonly key?: string | undefined;
  readonly tag?: string | undefined;
  /** undefined and `*`: any */
  readonly namespace?: string | undefined;
}

export function where(filter: Filter, now: number): { sql: string; values: Value[] } {
  const parts = ['(expires IS NULL OR expires > ?)'];
  const values: Value[] = [now];
  if (filter.key !== undefined) {
    parts.push('memory_entry.key = ?');
    values.push(filter.key);
  }
  if (filter.namespace !== undefined && filter.namespace !== ALL) {
    parts.push('memory_entry.namespace = ?');
    values.push(filter.namespace);
  }
  if (filter.tag !== undefined) {
    parts.push('EXISTS (SELECT 1 FROM json_each(memory_entry.tags) AS t WHERE t.value = ?)');
    values.push(filter.tag);
  }
  return { sql: parts.join(' AND '), values };
}

export function select(tx: Tx, filter: Filter, now: number): Entry[] {
  const { sql, values } = where(filter, now);
  return tx.all<Entry>(`SELECT * FROM memory_entry WHERE ${sql} ORDER BY namespace, key`, ...values);
}

export function find(tx: Tx, namespace: string, key: string): Entry | undefined {
  return tx.get<Entry>('SELECT * FROM memory_entry WHERE key = ? AND namespace = ?', key, namespace);
}

/** Removes what has expired, so that its key is free. Every change begins with it. */
export function purge(tx: Tx, now: number): void {
  const expired = tx.all<{ id: number }>('SELECT id FROM memory_entry WHERE expires <= ?', now);
  if (expired.length > 0) remove(tx, expired);
}

export const tagsOf = (entry: { readonly tags: string }): string[] => JSON.parse(entry.tags) as string[];

/** Writes an entry, new or over the one of that key, whose value becomes a version. `before` is what was there. */
export function put(tx: Tx, draft: Draft, now: number): { entry: Entry; before: Entry | undefined } {
  const before = find(tx, draft.namespace, draft.key);
  const time = new Date(now).toISOString();
  const ttl = draft.ttl === undefined ? (before?.ttl ?? null) : draft.ttl === NEVER ? null : draft.ttl;
  const made = {
    namespace: draft.namespace,
    key: draft.key,
    value: valueOf(draft, before),
    tags: draft.tags === undefined ? (before?.tags ?? '[]') : JSON.stringify([...new Set(draft.tags)]),
    metadata: draft.metadata === undefined ? (before?.metadata ?? null) : JSON.stringify(draft.metadata),
    created: before?.created ?? draft.created ?? time,
    updated: draft.updated ?? time,
    ttl,
    expires: ttl === null ? null : timeOf(ttl),
  };
  if (!before) {
    const { namespace, key, value, tags, metadata, created, updated, expires } = made;
    const { id } = tx.run(
      'INSERT INTO memory_entry (namespace, key, value, tags, metadata, created, updated, ttl, expires) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      namespace,
      key,
      value,
      tags,
      metadata,
      created,
      updated,
      ttl,
      expires,
    );
    index(tx, { id, ...made });
    return { entry: { id, ...made }, before };
  }
  if (before.value !== made.value) keep(tx, before.id, before.value, before.tags, before.updated);
  tx.run(
    'UPDATE memory_entry SET value = ?, tags = ?, metadata = ?, updated = ?, ttl = ?, expires = ? WHERE id = ?',
    made.value,
    made.tags,
    made.metadata,
    made.updated,
    made.ttl,
    made.expires,
    before.id,
  );
  const entry = { id: before.id, ...made };
  if (before.value !== made.value || before.tags !== made.tags) {
    unindex(tx, before.id);
    index(tx, entry);
  }
  return { entry, before };
}

function valueOf(draft: Draft, before: Entry | undefined): string {
  if (draft.value === undefined) return before?.value ?? '';
  const old = draft.append ? (before?.value ?? '') : '';
  const value = old === '' ? draft.value : `${old}\n${draft.value}`;
  if (value.length <= MOST_VALUE) return value;
  const why = `would have ${value.length} characters, more than ${MOST_VALUE}`;
  throw new ToolError('INVALID_PARAMS', `'value': '${shorten(draft.key)}' ${why}; begin another key`, {
    param: 'value',
  });
}

/** Adds a version to an entry and lets the oldest go. */
export function keep(tx: Tx, entry: number, value: string, tags: string, at: string): void {
  tx.run('INSERT INTO memory_version (entry, value, tags, at) VALUES (?, ?, ?, ?)', entry, value, tags, at);
  tx.run(
    'DELETE FROM memory_version WHERE entry = ?1 AND id NOT IN (SELECT id FROM memory_version WHERE entry = ?1 ORDER BY id DESC LIMIT ?2)',
    entry,
    VERSIONS,
  );
}

/** Removes entries with their versions. */
export function remove(tx: Tx, entries: readonly { readonly id: number }[]): void {
  const ids = JSON.stringify(entries.map(({ id }) => id));
  const total = tx.get<{ n: number }>('SELECT count(*) AS n FROM memory_entry')?.n ?? 0;
  // To take most of them out of the index one by one takes longer than to put the rest in again.
  const again = entries.length > FEW && entries.length > total / 2;
  if (again) tx.run("INSERT INTO memory_text (memory_text) VALUES ('delete-all')");
  else for (const { id } of entries) tx.run('DELETE FROM memory_text WHERE rowid = ?', id);
  for (const [table, column] of [
    ['memory_fold', 'id'],
    ['memory_version', 'entry'],
    ['memory_entry', 'id'],
  ] as const) {
    tx.run(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`, ids);
  }
  if (!again) return;
  tx.run(
    'INSERT INTO memory_text (rowid, key, tags, namespace, value) SELECT id, key, tags, namespace, value FROM memory_fold',
  );
}

function index(tx: Tx, entry: Entry): void {
  const folded = [entry.key, tagsOf(entry).join('\n'), entry.namespace, entry.value].map(fold);
  tx.run('INSERT INTO memory_fold (id, key, tags, namespace, value) VALUES (?, ?, ?, ?, ?)', entry.id, ...folded);
  tx.run('INSERT INTO memory_text (rowid, key, tags, namespace, value) VALUES (?, ?, ?, ?, ?)', entry.id, ...folded);
}

function unindex(tx: Tx, id: number): void {
  tx.run('DELETE FROM memory_text WHERE rowid = ?', id);
  tx.run('DELETE FROM memory_fold WHERE id = ?', id);
}

/** NOT_FOUND for a key, with the nearest one and the namespaces that have it. */
export function missing(tx: Tx, key: string, namespace: string, now: number): ToolError {
  const elsewhere = select(tx, { key }, now).map((entry) => entry.namespace);
  const meant = elsewhere.length > 0 ? undefined : nearestKey(tx, key, namespace, now);
  const hint =
    elsewhere.length > 0
      ? `; it is in ${elsewhere
          .slice(0, 5)
          .map((each) => `'${shorten(each)}'`)
          .join(', ')}`
      : meant === undefined
        ? ''
        : `; did you mean '${shorten(meant)}'?`;
  const place = namespace === ALL ? 'any namespace' : `namespace '${shorten(namespace)}'`;
  return new ToolError('NOT_FOUND', `there is no '${shorten(key)}' in ${place}${hint}`, {
    key: shorten(key, 200),
    ...(meant === undefined ? {} : { nearest: meant }),
    ...(elsewhere.length > 0 ? { namespaces: elsewhere.slice(0, 20) } : {}),
  });
}

export function nearestKey(tx: Tx, key: string, namespace: string | undefined, now: number): string | undefined {
  const { sql, values } = where({ namespace }, now);
  const keys = tx.all<{ key: string }>(
    `SELECT key FROM memory_entry WHERE ${sql} ORDER BY updated DESC LIMIT ${NEAR}`,
    ...values,
  );
  return nearest(
    key,
    keys.map((each) => each.key),
  );
}
