// What is looked up: recall, list, search, history, namespaces, stats.
import { statSync } from 'node:fs';
import { type ActionResult, nearest, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { toUri } from '../../lib/path.ts';
import type { Row, Tx } from '../../lib/store/index.ts';
import { type Entry, type Filter, missing, nearestKey, select, tagsOf, where } from './entries.ts';
import { search as searchIn } from './find.ts';
import { termsOf } from '../../lib/fold.ts';
import { withMemory } from './open.ts';
import { page, placeOf } from '../../lib/page.ts';
import { toItem, toJson } from './page.ts';
import { cursor, key, limit, query, tag, within } from './params.ts';
import { around, beginning } from './snippet.ts';

/** Names listed by `stats`. */
const NAMED = 50;
/** Namespaces looked at for the nearest one. */
const NAMES = 1000;

const SORTS = {
  updated: 'updated DESC, id DESC',
  created: 'created DESC, id DESC',
  key: 'key, namespace',
  namespace: 'namespace, key',
} as const;

const match = z.enum(['substring', 'prefix', 'exact']).default('substring');

export const recall = act({
  summary: 'whole values by key, tag, namespace or query',
  effect: 'read',
  input: z.strictObject({
    key: key.optional(),
    query: query.optional(),
    tag: tag.optional(),
    namespace: within,
    match,
    limit,
    cursor,
  }),
  run: (ctx, input) =>
    withMemory(ctx, (db) =>
      db.read((tx) => {
        const now = Date.now();
        const found = input.query === undefined ? all(tx, input, now) : matching(tx, input, input.query, now);
        if (found.total === 1 && input.cursor === undefined) {
          const entry = found.at(0);
          if (fits(ctx, entry)) return alone(entry);
        }
        return hinted(
          tx,
          input,
          now,
          page(ctx, found.total, input, 'entries', (i) => toItem(found.at(i))),
        );
      }),
    ),
});

/** One entry: what is known of it in the envelope, its value beside it, exactly as it was stored. */
function alone(entry: Entry): ActionResult {
  const { value, ...facts } = toJson(entry);
  return {
    data: { total: 1, count: 1, ...facts },
    bodies: [{ kind: 'text', key: 'value', text: String(value) }],
    paging: { cursor: null, more: false, total: 1 },
  };
}

const fits = (ctx: Ctx, entry: Entry): boolean =>
  Buffer.byteLength(ctx.env.config.jsonOnly ? JSON.stringify(entry.value) : entry.value) <= ctx.maxOutput &&
  (entry.metadata?.length ?? 0) + entry.tags.length < 1000;

export const list = act({
  summary: 'entries, values cut',
  effect: 'read',
  input: z.strictObject({
    key: key.optional(),
    tag: tag.optional(),
    namespace: within,
    sort: z.enum(['updated', 'created', 'key', 'namespace']).default('updated'),
    limit,
    cursor,
  }),
  run: (ctx, input) =>
    withMemory(ctx, (db) =>
      db.read((tx) => {
        const now = Date.now();
        const found = all(tx, input, now, SORTS[input.sort]);
        const result = page(ctx, found.total, input, 'entries', (i) => {
          const entry = found.at(i);
          return toItem(entry, beginning(entry.value));
        });
        return hinted(tx, input, now, result);
      }),
    ),
});

export const search = act({
  summary: 'entries in which every word of query occurs, best first, values cut around it',
  effect: 'read',
  input: z.strictObject({ query, match, tag: tag.optional(), namespace: within, limit, cursor }),
  run: (ctx, input) =>
    withMemory(ctx, (db) =>
      db.read((tx) => {
        const now = Date.now();
        const found = matching(tx, input, input.query, now);
        const terms = termsOf(input.query);
        const result = page(ctx, found.total, input, 'entries', (i) => {
          const entry = found.at(i);
          return toItem(entry, around(entry.value, terms));
        });
        return hinted(tx, input, now, result);
      }),
    ),
});

function matching(tx: Tx, input: Filter & { match: z.output<typeof match> }, text: string, now: number): Ordered {
  const terms = termsOf(text);
  if (terms.length > 0) {
    const ids = searchIn(tx, terms, input.match, input, now);
    return { total: ids.length, at: (index) => byId(tx, ids[index] as number) };
  }
  throw new ToolError('INVALID_PARAMS', "'query' holds nothing to look for; give one or more words, or use list", {
    param: 'query',
  });
}

/** An ordered list of entries, of which a page is read. */
interface Ordered {
  readonly total: number;
  at(index: number): Entry;
}

/** The entries a filter lets through; those of the page that `paging` asks for are read at once. */
function all(tx: Tx, input: Filter & Paged, now: number, order: string = SORTS.updated): Ordered {
  const { sql, values } = where(input, now);
  const total = tx.get<{ n: number }>(`SELECT count(*) AS n FROM memory_entry WHERE ${sql}`, ...values)?.n ?? 0;
  const from = placeOf(input.cursor, total).item;
  const ids = tx.all<{ id: number }>(
    `SELECT id FROM memory_entry WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...values,
    input.limit,
    from,
  );
  return { total, at: (index) => byId(tx, ids[index - from]?.id as number) };
}

interface Paged {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

function byId(tx: Tx, id: number): Entry {
  // Read in the same transaction in which its id was.
  return tx.get<Entry>('SELECT * FROM memory_entry WHERE id = ?', id) as Entry;
}

/** Beside an empty list: the namespace or the key that was perhaps meant. */
function hinted(tx: Tx, { key: wanted, namespace }: Filter, now: number, result: ActionResult): ActionResult {
  if (result.data['total'] !== 0) return result;
  const { sql, values } = where({ namespace }, now);
  if (namespace !== undefined && !tx.get(`SELECT 1 FROM memory_entry WHERE ${sql} LIMIT 1`, ...values)) {
    const names = tx.all<{ name: string }>(`SELECT DISTINCT namespace AS name FROM memory_entry LIMIT ${NAMES}`);
    const meant = nearest(
      namespace,
      names.map(({ name }) => name),
    );
    const hint = meant === undefined ? '' : `; did you mean '${shorten(meant)}'?`;
    return { ...result, data: { ...result.data, note: `nothing is in namespace '${shorten(namespace)}'${hint}` } };
  }
  const meant = wanted === undefined ? undefined : nearestKey(tx, wanted, namespace, now);
  return meant === undefined ? result : { ...result, data: { ...result.data, nearest: meant } };
}

interface Version extends Row {
  readonly value: string;
  readonly tags: string;
  readonly at: string;
}

export const history = act({
  summary: 'the values key had, newest first',
  effect: 'read',
  input: z.strictObject({ key, namespace: within, limit, cursor }),
  run: (ctx, input) =>
    withMemory(ctx, (db) =>
      db.read((tx) => {
        const now = Date.now();
        const entries = select(tx, input, now);
        if (entries.length === 0) throw missing(tx, input.key, input.namespace ?? '*', now);
        const versions = entries.flatMap((entry) => {
          const earlier = tx.all<Version>(
            'SELECT value, tags, at FROM memory_version WHERE entry = ? ORDER BY id DESC',
            entry.id,
          );
          const current = { value: entry.value, tags: entry.tags, at: entry.updated };
          return [current, ...earlier].map((version, i) => ({ ...version, entry, number: earlier.length + 1 - i, i }));
        });
        return page(ctx, versions.length, input, 'versions', (i) => {
          const version = versions[i] as (typeof versions)[number];
          const { namespace } = version.entry;
          const now_ = version.i === 0 ? ', current' : '';
          const shown = tagsOf(version).map((each) => ` #${each}`);
          return {
            json: {
              version: version.number,
              namespace,
              tags: tagsOf(version),
              at: version.at,
              current: version.i === 0,
              value: version.value,
            },
            long: 'value',
            head: `[${namespace}] version ${version.number} (${version.at}${now_})${shown.join('')}`,
          };
        });
      }),
    ),
});

export const namespaces = act({
  summary: 'namespaces with their counts',
  effect: 'read',
  input: z.strictObject({ limit, cursor }),
  run: (ctx, input) =>
    withMemory(ctx, (db) =>
      db.read((tx) => {
        const { sql, values } = where({}, Date.now());
        const rows = tx.all<{ namespace: string; entries: number; updated: string }>(
          `SELECT namespace, count(*) AS entries, max(updated) AS updated FROM memory_entry WHERE ${sql} GROUP BY namespace ORDER BY namespace`,
          ...values,
        );
        const from = Number(/^\d{1,9}$/.exec(input.cursor ?? '0')?.[0] ?? Number.NaN);
        if (!(from <= rows.length)) {
          throw new ToolError('INVALID_PARAMS', "'cursor' is none of this list; pass paging.cursor as it was given", {
            param: 'cursor',
          });
        }
        const shown = rows.slice(from, from + input.limit);
        const next = from + shown.length;
        const more = next < rows.length;
        return {
          data: { total: rows.length, namespaces: shown },
          paging: { cursor: more ? String(next) : null, more, total: rows.length },
        };
      }),
    ),
});

export const stats = act({
  summary: 'counts, tags, size',
  effect: 'read',
  input: z.strictObject({ namespace: within }),
  run: (ctx, input) =>
    withMemory(ctx, (db) =>
      db.read((tx) => {
        const { sql, values } = where(input, Date.now());
        const count = (text: string, ...given: typeof values): number =>
          tx.get<{ n: number }>(`SELECT count(*) AS n FROM ${text}`, ...given)?.n ?? 0;
        const sums = tx.get<{ entries: number; characters: number; oldest: string | null; newest: string | null }>(
          `SELECT count(*) AS entries, coalesce(sum(length(value)), 0) AS characters, min(created) AS oldest, max(updated) AS newest
           FROM memory_entry WHERE ${sql}`,
          ...values,
        );
        const groups = (column: string, from: string): Record<string, number> => {
          const rows = tx.all<{ name: string; n: number }>(
            `SELECT ${column} AS name, count(*) AS n FROM ${from} WHERE ${sql} GROUP BY name ORDER BY n DESC, name LIMIT ${NAMED}`,
            ...values,
          );
          return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
        };
        return {
          data: {
            ...sums,
            versions: count('memory_version'),
            facts: count('memory_fact'),
            namespaces: groups('namespace', 'memory_entry'),
            tags: groups('t.value', 'memory_entry, json_each(memory_entry.tags) AS t'),
            file: toUri(ctx.env.store.file),
            bytes: statSync(ctx.env.store.file, { throwIfNoEntry: false })?.size ?? 0,
          },
        };
      }),
    ),
});
