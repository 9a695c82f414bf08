// A condition over grams, evaluated to a set of documents. It knows nothing of where lists come from.
import { andSet, orSet, wordsFor } from './bits.ts';
import type { DocSet } from './types.ts';
import type { GramQuery } from '../plan/types.ts';

export type Leaf = Extract<GramQuery, { readonly kind: 'gram' | 'pair' }>;

/** Where lists come from: a shard, or a segment seen by files. */
export interface Lists {
  readonly docs: number;
  /** bytes to read for a leaf; 0 when no document has it */
  cost(leaf: Leaf): number;
  /** adds the documents that have it */
  add(leaf: Leaf, into: DocSet): void;
}

/** Documents that satisfy the condition; undefined stands for all. The set is the caller's to change. */
export function evaluate(query: GramQuery, lists: Lists): DocSet | undefined {
  switch (query.kind) {
    case 'all':
      return undefined;
    case 'none':
      return empty(lists);
    case 'gram':
    case 'pair': {
      const set = empty(lists);
      lists.add(query, set);
      return set;
    }
    case 'or':
      return any(query.parts, lists);
    case 'and':
      return both(query.parts, lists);
  }
}

const empty = (lists: Lists): DocSet => new Uint32Array(wordsFor(lists.docs));

function any(parts: readonly GramQuery[], lists: Lists): DocSet | undefined {
  const set = empty(lists);
  for (const part of parts) {
    if (part.kind === 'gram' || part.kind === 'pair') {
      lists.add(part, set);
      continue;
    }
    const more = evaluate(part, lists);
    if (more === undefined) return undefined;
    orSet(more, set, 0);
  }
  return set;
}

/** The shortest list first, and no further list is read once nothing is left. */
function both(parts: readonly GramQuery[], lists: Lists): DocSet | undefined {
  const byCost = parts.map((part) => ({ part, cost: costOf(part, lists) })).sort((a, b) => a.cost - b.cost);
  if (byCost[0]?.cost === 0) return empty(lists);
  let set: DocSet | undefined;
  for (const { part } of byCost) {
    const next = evaluate(part, lists);
    if (next === undefined) continue;
    if (set === undefined) set = next;
    else if (!andSet(set, next)) return set;
  }
  return set;
}

/** About how many bytes are read for it. 0 only when it holds for no document. */
function costOf(query: GramQuery, lists: Lists): number {
  switch (query.kind) {
    case 'all':
      return Infinity;
    case 'none':
      return 0;
    case 'gram':
    case 'pair':
      return lists.cost(query);
    case 'or':
      return query.parts.reduce((sum, part) => sum + costOf(part, lists), 0);
    case 'and':
      return query.parts.reduce((least, part) => Math.min(least, costOf(part, lists)), Infinity);
  }
}
