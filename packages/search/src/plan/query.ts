// Conditions over grams: built simple, and kept small. Whatever is done here may only make a condition weaker, never stronger.
import type { GramQuery } from './types.ts';

export const ALL: GramQuery = { kind: 'all' };
export const NONE: GramQuery = { kind: 'none' };

/** All of them. */
export function and(parts: Iterable<GramQuery>): GramQuery {
  const kept = new Map<string, GramQuery>();
  for (const part of parts) {
    if (part.kind === 'none') return NONE;
    if (part.kind === 'all') continue;
    for (const inner of part.kind === 'and' ? part.parts : [part]) kept.set(keyOf(inner), inner);
  }
  return wrap('and', [...kept.values()], ALL);
}

/** At least one of them. */
export function or(parts: Iterable<GramQuery>): GramQuery {
  const kept = new Map<string, GramQuery>();
  for (const part of parts) {
    if (part.kind === 'all') return ALL;
    if (part.kind === 'none') continue;
    for (const inner of part.kind === 'or' ? part.parts : [part]) kept.set(keyOf(inner), inner);
  }
  return wrap('or', [...kept.values()], NONE);
}

function wrap(kind: 'and' | 'or', parts: readonly GramQuery[], neutral: GramQuery): GramQuery {
  const [first] = parts;
  if (first === undefined) return neutral;
  return parts.length === 1 ? first : { kind, parts };
}

function keyOf(query: GramQuery): string {
  switch (query.kind) {
    case 'gram':
      return String(query.gram);
    case 'pair':
      return `+${query.pair}`;
    case 'and':
    case 'or':
      return `${query.kind}(${query.parts.map(keyOf).join(' ')})`;
    default:
      return query.kind;
  }
}

/** How many lists it takes to evaluate. */
export function leaves(query: GramQuery): number {
  if (query.kind === 'and' || query.kind === 'or') return query.parts.reduce((sum, part) => sum + leaves(part), 0);
  return query.kind === 'gram' || query.kind === 'pair' ? 1 : 0;
}

/** A condition of at most `budget` leaves that holds wherever the given one does. */
export function shrink(query: GramQuery, budget: number): GramQuery {
  if (leaves(query) <= budget) return query;
  switch (query.kind) {
    case 'and':
      return shrinkAnd(query.parts, budget);
    case 'or':
      return shrinkOr(query.parts, budget);
    default:
      return ALL;
  }
}

/** Parts of an AND may be left out; those that are kept are spread over it. */
function shrinkAnd(parts: readonly GramQuery[], budget: number): GramQuery {
  if (budget < 1) return ALL;
  const sized = parts.map((part) => ({ part, size: leaves(part) }));
  const total = sized.reduce((sum, { size }) => sum + size, 0);
  const kept: GramQuery[] = [];
  let seen = 0;
  let used = 0;
  for (const { part, size } of sized) {
    seen += size;
    if (used + size <= budget && used + size <= (seen * budget) / total + 1) {
      kept.push(part);
      used += size;
    }
  }
  if (kept.length > 0) return and(kept);
  const rarest = sized.toSorted((a, b) => a.size - b.size || rarity(b.part) - rarity(a.part))[0];
  return rarest === undefined ? ALL : shrink(rarest.part, budget);
}

/** No part of an OR may be left out: each gets its share, down to one leaf. */
function shrinkOr(parts: readonly GramQuery[], budget: number): GramQuery {
  const share = Math.floor(budget / parts.length);
  if (share > 1) return or(parts.map((part) => shrink(part, share)));
  // parts that agree on their leaf count once
  const single = or(parts.map(rarestLeaf));
  return leaves(single) <= budget ? single : ALL;
}

function rarestLeaf(query: GramQuery): GramQuery {
  if (query.kind === 'or') return ALL;
  if (query.kind !== 'and') return query;
  let best: GramQuery = ALL;
  for (const part of query.parts) {
    if ((part.kind === 'gram' || part.kind === 'pair') && rarity(part) > rarity(best)) best = part;
  }
  if (best.kind !== 'all') return best;
  const smallest = query.parts.toSorted((a, b) => leaves(a) - leaves(b))[0];
  return smallest ?? ALL;
}

/** Guesses how seldom a gram is in text; only the order matters. */
function rarity(query: GramQuery): number {
  if (query.kind === 'pair') return 1 + byteRarity(query.pair >>> 8) + byteRarity(query.pair & 255);
  if (query.kind !== 'gram') return 0;
  return 1 + byteRarity(query.gram >>> 16) + byteRarity((query.gram >>> 8) & 255) + byteRarity(query.gram & 255);
}

const COMMON = ' \n\tetaoinsrlcdu_';

function byteRarity(byte: number): number {
  if (byte > 127) return 6;
  const place = COMMON.indexOf(String.fromCharCode(byte));
  if (place >= 0) return place < 8 ? 0 : 1;
  return byte >= 97 && byte <= 122 ? 2 : 4;
}
