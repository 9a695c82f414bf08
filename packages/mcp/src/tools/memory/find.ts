// Search: the entries in which every term occurs, the best first.
import type { Row, Tx, Value } from '../../lib/store/index.ts';
import { type Filter, where } from './entries.ts';
import { INSIDE, lies, START, WHOLE } from './fold.ts';

export type Match = 'substring' | 'prefix' | 'exact';

/** Code points of a term from which the index finds it; a shorter one is looked for in every entry. */
const INDEXED = 3;
/** Terms asked of the index; the others are looked for in what it gives. */
const ASKED = 16;
/** What a term in a key, a tag, the namespace, the value is worth. */
const FIELDS = [3, 2, 1, 1] as const;
const WORTH: readonly number[] = [0, 1, 2, 4];
/** What it is worth that the terms are the whole key. */
const NAMED = 100;
const LEAST: Readonly<Record<Match, number>> = { substring: INSIDE, prefix: START, exact: WHOLE };

interface Candidate extends Row {
  readonly id: number;
  readonly text: string;
  readonly updated: string;
  /** bm25 (https://www.sqlite.org/fts5.html#the_bm25_function): the smaller the better */
  readonly weight: number;
}

/**
 * The ids of the entries in which each of `terms` (folded, at least one) occurs in the key, a tag, the namespace or the
 * value: anywhere, at the start of a word (`prefix`), or as a word (`exact`). Whole words in keys come first, parts of words in values
 * last; then bm25; then what was changed last.
 */
export function search(tx: Tx, terms: readonly string[], match: Match, filter: Filter, now: number): number[] {
  const least = LEAST[match];
  const whole = terms.join(' ');
  const found: { id: number; score: number; weight: number; updated: string }[] = [];
  for (const { id, text, weight, updated } of candidates(tx, terms, filter, now)) {
    const score = scoreOf(text, terms, least, whole);
    if (score > 0) found.push({ id, score, weight, updated });
  }
  found.sort(
    (a, b) =>
      b.score - a.score ||
      a.weight - b.weight ||
      (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : b.id - a.id),
  );
  return found.map(({ id }) => id);
}

function candidates(tx: Tx, terms: readonly string[], filter: Filter, now: number): IterableIterator<Candidate> {
  const { sql, values } = where(filter, now);
  const long = terms.filter((term) => [...term].length >= INDEXED).sort((a, b) => b.length - a.length);
  if (long.length > 0) {
    // A string of FTS5: nothing in it is syntax (https://www.sqlite.org/fts5.html#fts5_strings).
    const asked = long.slice(0, ASKED).map((term) => `"${term.replaceAll('"', '""')}"`);
    return tx.each<Candidate>(
      `SELECT memory_entry.id, text, updated, bm25(memory_text, 8, 4, 1, 1) AS weight FROM memory_text
       JOIN memory_entry ON memory_entry.id = memory_text.rowid JOIN memory_fold ON memory_fold.id = memory_text.rowid
       WHERE memory_text MATCH ? AND ${sql}`,
      asked.join(' AND '),
      ...values,
    );
  }
  const short: Value[] = [...terms];
  return tx.each<Candidate>(
    `SELECT memory_entry.id, text, updated, 0 AS weight FROM memory_fold JOIN memory_entry USING (id)
     WHERE ${short.map(() => 'instr(text, ?) > 0').join(' AND ')} AND ${sql}`,
    ...short,
    ...values,
  );
}

/** 0 where a term is missing, or does not lie as it must. */
function scoreOf(text: string, terms: readonly string[], least: number, whole: string): number {
  const fields = split(text);
  let score = fields[0] === whole ? NAMED : 0;
  for (const term of terms) {
    let best = 0;
    for (const [i, field] of fields.entries()) {
      const how = lies(field, term);
      if (how >= least) best = Math.max(best, (WORTH[how] as number) * (FIELDS[i] as number));
    }
    if (best === 0) return 0;
    score += best;
  }
  return score;
}

/** Key, tags, namespace, value; the value may hold anything. */
function split(text: string): string[] {
  const key = text.indexOf('\u0001');
  const tags = text.indexOf('\u0001', key + 1);
  const namespace = text.indexOf('\u0001', tags + 1);
  return [text.slice(0, key), text.slice(key + 1, tags), text.slice(tags + 1, namespace), text.slice(namespace + 1)];
}
