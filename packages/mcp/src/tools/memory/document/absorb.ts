// What was parsed, put into the database: nothing twice, nothing newer lost.
import { isDone, setDone } from '../../../lib/document/keeper.ts';
import type { Db, Tx } from '../../../lib/store/index.ts';
import { type Draft, find, keep, purge, put, tagsOf } from '../entries.ts';
import { addKb, putFact } from '../knowledge.ts';
import { timeOf } from '../params.ts';
import { TABLES } from '../tables.ts';
import type { Parsed } from './parse.ts';

export interface Absorbed {
  /** entries that are new */
  imported: number;
  /** entries whose value took the place of an older one, which is a version now */
  updated: number;
  /** equal to what is there */
  unchanged: number;
  /** older than what is there; kept as versions of it */
  older: number;
  /** left out because their ttl has passed */
  expired: number;
  /** facts that are new */
  facts: number;
}

/** Entries and facts put in one transaction: a large document does not hold up everybody else. */
const AT_ONCE = 500;

/**
 * Puts a parsed document into the database, a part at a time. Broken off in the middle, it can be done again: what is there is
 * not doubled. `once`: nothing is done when this was noted as done, and it is noted with the last part; undefined then.
 */
export async function absorb(db: Db, { entries, facts, kbs }: Parsed, once?: string): Promise<Absorbed | undefined> {
  const result: Absorbed = { imported: 0, updated: 0, unchanged: 0, older: 0, expired: 0, facts: 0 };
  const parts = Math.max(1, Math.ceil(Math.max(entries.length, facts.length) / AT_ONCE));
  for (let part = 0; part < parts; part++) {
    const range = [part * AT_ONCE, (part + 1) * AT_ONCE] as const;
    const counted = await db.write((tx) => {
      const now = Date.now();
      if (once !== undefined && isDone(tx, TABLES, once)) return undefined;
      purge(tx, now);
      const counts = putPart(tx, { entries: entries.slice(...range), facts: facts.slice(...range) }, now);
      if (part === parts - 1) {
        const time = new Date(now).toISOString();
        for (const kb of kbs) addKb(tx, kb, time);
        if (once !== undefined) setDone(tx, TABLES, once);
      }
      return counts;
    });
    if (!counted) return undefined;
    for (const key of Object.keys(result) as (keyof Absorbed)[]) result[key] += counted[key];
  }
  return result;
}

function putPart(tx: Tx, { entries, facts }: Pick<Parsed, 'entries' | 'facts'>, now: number): Absorbed {
  const result: Absorbed = { imported: 0, updated: 0, unchanged: 0, older: 0, expired: 0, facts: 0 };
  for (const draft of entries) {
    if (draft.ttl !== undefined && timeOf(draft.ttl) <= now) result.expired++;
    else result[one(tx, draft, now)]++;
  }
  const time = new Date(now).toISOString();
  for (const fact of facts) if (putFact(tx, { ...fact, created: fact.created ?? time }).isNew) result.facts++;
  return result;
}

function one(tx: Tx, draft: Draft, now: number): 'imported' | 'updated' | 'unchanged' | 'older' {
  const before = find(tx, draft.namespace, draft.key);
  if (!before) {
    put(tx, draft, now);
    return 'imported';
  }
  const tags = [...new Set([...tagsOf(before), ...(draft.tags ?? [])])].slice(0, 64);
  if (before.value === draft.value) {
    if (tags.length > tagsOf(before).length) put(tx, { ...draft, tags, updated: before.updated }, now);
    return 'unchanged';
  }
  if (draft.updated !== undefined && draft.updated < before.updated) {
    keepOnce(tx, before.id, draft);
    return 'older';
  }
  put(tx, { ...draft, tags }, now);
  return 'updated';
}

/** A second import of the same file adds no second version. */
function keepOnce(tx: Tx, entry: number, draft: Draft): void {
  const value = draft.value ?? '';
  if (tx.get('SELECT 1 FROM memory_version WHERE entry = ? AND value = ?', entry, value)) return;
  keep(tx, entry, value, JSON.stringify(draft.tags ?? []), draft.updated ?? '');
}
