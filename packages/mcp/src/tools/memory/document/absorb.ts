// What was parsed, put into the database: nothing twice, nothing newer lost.
import type { Tx } from '../../../lib/store/index.ts';
import { type Draft, find, keep, put, tagsOf } from '../entries.ts';
import { addKb, putFact } from '../knowledge.ts';
import { timeOf } from '../params.ts';
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

/** Puts a parsed document into the database. `always`: what has no time of its own is newer than what is there. */
export function absorb(tx: Tx, { entries, facts, kbs }: Parsed, now: number): Absorbed {
  const result: Absorbed = { imported: 0, updated: 0, unchanged: 0, older: 0, expired: 0, facts: 0 };
  for (const draft of entries) {
    if (draft.ttl !== undefined && timeOf(draft.ttl) <= now) result.expired++;
    else result[one(tx, draft, now)]++;
  }
  const time = new Date(now).toISOString();
  for (const kb of kbs) addKb(tx, kb, time);
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
