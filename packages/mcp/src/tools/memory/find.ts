// Search: the entries in which every term occurs, the best first.
import type { Row, Tx, Value } from '../../lib/store/index.ts';
import { type Filter, where } from './entries.ts';
import { INSIDE, lies, NOWHERE, START, WHOLE } from '../../lib/fold.ts';

export type Match = 'substring' | 'prefix' | 'exact';

/** Code points of a term from which the index finds it; a shorter one is looked for in every entry. */
const INDEXED = 3;
/** Terms asked of the index; the others are looked for in what it gives. */
const ASKED = 16;
/** What a term is worth in each field. */
const FIELDS = { key: 3, tags: 2, namespace: 1, value: 1 } as const;
/** What it is worth how it lies there: nowhere, inside a word, at the start of one, as one. */
const WORTH: readonly number[] = [0, 1, 2, 4];
/** What it is worth that the terms are the whole key. */
const NAMED = 100;
/** Entries, the best by field and bm25, that are ordered by how the terms lie in them. */
const READ = 200;
const LEAST: Readonly<Record<Match, number>> = { substring: INSIDE, prefix: START, exact: WHOLE };

interface Folded extends Row {
  readonly id: number;
  readonly key: string;
  readonly tags: string;
  readonly namespace: string;
  readonly value: string;
}

/**
 * The ids of the entries in which each of `terms` (folded, at least one) occurs in the key, a tag, the namespace or the
 * value: anywhere, at the start of a word (`prefix`), or as a word (`exact`). Terms in keys come before terms in tags and in the
 * rest, whole words before parts of words (as substrings that counts for the best 200), then bm25, then what was changed last.
 */
export function search(tx: Tx, terms: readonly string[], match: Match, filter: Filter, now: number): number[] {
  const ids = candidates(tx, terms, filter, now);
  const read = match === 'substring' ? Math.min(READ, ids.length) : ids.length;
  const scored: { id: number; score: number }[] = [];
  for (const id of ids.slice(0, read)) {
    const score = scoreOf(tx.get<Folded>('SELECT * FROM memory_fold WHERE id = ?', id), terms, LEAST[match]);
    if (score > 0) scored.push({ id, score });
  }
  // Stable: what is equal stays in the order in which it was found.
  scored.sort((a, b) => b.score - a.score);
  return [...scored.map(({ id }) => id), ...ids.slice(read)];
}

/** What holds every term as a substring, by field, bm25 (https://www.sqlite.org/fts5.html#the_bm25_function) and time. */
function candidates(tx: Tx, terms: readonly string[], filter: Filter, now: number): number[] {
  const asked = terms
    .filter((term) => [...term].length >= INDEXED)
    .sort((a, b) => b.length - a.length)
    .slice(0, ASKED);
  const others = terms.filter((term) => !asked.includes(term));
  const values: Value[] = [];
  const bind = (value: Value): string => `?${values.push(value)}`;
  const tier = terms.slice(0, ASKED).map((term) => {
    const given = bind(term);
    return `CASE WHEN ${lie('key', given)} THEN ${FIELDS.key} WHEN ${lie('tags', given)} THEN ${FIELDS.tags} ELSE 1 END`;
  });
  const order = [`(memory_fold.key = ${bind(terms.join(' '))}) DESC`, `${tier.join(' + ')} DESC`];
  const conditions = others.map((term) => {
    const given = bind(term);
    return `(${(['value', 'key', 'tags', 'namespace'] as const).map((field) => lie(field, given)).join(' OR ')})`;
  });
  let from = 'memory_fold';
  if (asked.length > 0) {
    from = 'memory_text JOIN memory_fold ON memory_fold.id = memory_text.rowid';
    // Strings of FTS5: nothing in them is syntax (https://www.sqlite.org/fts5.html#fts5_strings).
    conditions.push(`memory_text MATCH ${bind(asked.map((term) => `"${term.replaceAll('"', '""')}"`).join(' AND '))}`);
    order.push(`bm25(memory_text, 8, 4, 1, 1)`);
  } else order.push('updated DESC');
  if (asked.length === 0 || isNarrow(filter) || hasExpired(tx, now)) {
    from += ' JOIN memory_entry ON memory_entry.id = memory_fold.id';
    const narrow = where(filter, now);
    let i = 0;
    conditions.push(narrow.sql.replaceAll('?', () => bind(narrow.values[i++] as Value)));
  }
  // One text instead of a row each: what passes between SQLite and here is the larger part of the time otherwise.
  const found = tx.get<{ ids: string }>(
    `SELECT json_group_array(id) AS ids FROM (
       SELECT memory_fold.id AS id FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${order.join(', ')}, memory_fold.id DESC LIMIT -1
     )`,
    ...values,
  );
  return JSON.parse(found?.ids ?? '[]') as number[];
}

const lie = (field: string, parameter: string): string => `instr(memory_fold.${field}, ${parameter}) > 0`;

const isNarrow = ({ key, tag, namespace }: Filter): boolean => [key, tag, namespace].some((each) => each !== undefined);

function hasExpired(tx: Tx, now: number): boolean {
  return tx.get('SELECT 1 FROM memory_entry WHERE expires <= ? LIMIT 1', now) !== undefined;
}

/** 0 where a term does not lie as it must. */
function scoreOf(folded: Folded | undefined, terms: readonly string[], least: number): number {
  if (!folded) return 0;
  let score = folded.key === terms.join(' ') ? NAMED : 0;
  for (const term of terms) {
    let best = 0;
    for (const field of ['key', 'tags', 'namespace', 'value'] as const) {
      // A long value is not looked at where it could not be worth more.
      if (best >= FIELDS[field] * (WORTH[WHOLE] as number)) continue;
      const how = lies(folded[field], term);
      best = Math.max(best, (WORTH[how >= least ? how : NOWHERE] as number) * FIELDS[field]);
    }
    if (best === 0) return 0;
    score += best;
  }
  return score;
}
