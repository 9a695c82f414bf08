// Puts what was found in its order: weight descending, then path. Works on columns, since there may be hundreds of thousands.
import type { FileTable } from '../tree/types.ts';
import { HELD_BACK, SEARCHED, STATE, type Lot, type Results } from './job.ts';

/** A definition weighs more than all uses. */
export const DEFINITION = 2 ** 32;

/** Files that match, in columns. */
export interface Ranked {
  readonly count: number;
  /** per file: its table, and its index there */
  readonly table: readonly FileTable[];
  readonly tableOf: Uint16Array;
  readonly index: Uint32Array;
  readonly lines: Uint32Array;
  readonly weight: Float64Array;
  /** [ctime, size, ino] of what was read */
  readonly stamps: Float64Array;
}

/** What one job found. */
export interface Part {
  readonly lots: readonly Lot[];
  readonly results: Results;
}

/** What of the answer is not about order. */
export interface Tally {
  searched: number;
  total: number;
}

/** Which of the matching files are in the answer. */
export type Accept = (table: FileTable, index: number, heldBack: boolean) => boolean;

/** The matching files of all parts, in order. */
export function rank(parts: readonly Part[], accept: Accept, tally: Tally): Ranked {
  const tables: FileTable[] = [];
  const lists: Hits[] = [];
  for (const { lots, results } of parts) {
    let base = 0;
    for (const lot of lots) {
      let known = tables.indexOf(lot.table);
      if (known < 0) known = tables.push(lot.table) - 1;
      lists.push(hitsOf(lot, known, base, results, accept, tally));
      base += lot.files.length;
    }
  }
  return sort(tables, byPath(tables, lists));
}

/** Matching files in the order of their paths. */
interface Hits {
  length: number;
  readonly tableOf: Uint16Array;
  readonly index: Uint32Array;
  readonly lines: Uint32Array;
  readonly weight: Float64Array;
  readonly stamps: Float64Array;
}

function makeHits(room: number): Hits {
  return {
    length: 0,
    tableOf: new Uint16Array(room),
    index: new Uint32Array(room),
    lines: new Uint32Array(room),
    weight: new Float64Array(room),
    stamps: new Float64Array(room * 3),
  };
}

function hitsOf(lot: Lot, table: number, base: number, results: Results, accept: Accept, tally: Tally): Hits {
  const { state, count, definitions, stamps } = results;
  let matching = 0;
  for (let at = base; at < base + lot.files.length; at++) if (count[at] !== 0) matching++;
  const hits = makeHits(matching);
  for (let at = 0; at < lot.files.length; at++) {
    const slot = base + at;
    const what = state[slot]!;
    if ((what & STATE) !== SEARCHED) continue;
    tally.searched++;
    const lines = count[slot]!;
    const index = lot.files[at]!;
    if (lines === 0 || !accept(lot.table, index, (what & HELD_BACK) !== 0)) continue;
    const defined = definitions?.[slot] ?? 0;
    const k = hits.length++;
    hits.tableOf[k] = table;
    hits.index[k] = index;
    hits.lines[k] = lines;
    hits.weight[k] = defined * DEFINITION + lines - (definitions ? defined : 0);
    for (let word = 0; word < 3; word++) hits.stamps[k * 3 + word] = stamps[slot * 3 + word]!;
    tally.total += lines;
  }
  return hits;
}

/** Merges lists that are in order each. */
function byPath(tables: readonly FileTable[], lists: readonly Hits[]): Hits {
  let rest = lists.filter((each) => each.length > 0);
  // the longest is merged last, so that few of its files are moved more than once
  rest.sort((a, b) => a.length - b.length);
  while (rest.length > 1) {
    const [first, second, ...others] = rest;
    const merged = merge(tables, first!, second!);
    const place = others.findIndex((each) => each.length >= merged.length);
    rest = others.toSpliced(place < 0 ? others.length : place, 0, merged);
  }
  return rest[0] ?? makeHits(0);
}

function merge(tables: readonly FileTable[], a: Hits, b: Hits): Hits {
  const merged = makeHits(a.length + b.length);
  let left = 0;
  let right = 0;
  while (left < a.length || right < b.length) {
    const takeLeft = right >= b.length || (left < a.length && compare(tables, a, left, b, right) <= 0);
    const from = takeLeft ? a : b;
    const at = takeLeft ? left++ : right++;
    put(from, at, merged, merged.length++);
  }
  return merged;
}

function put(from: Hits, at: number, to: Hits, k: number): void {
  to.tableOf[k] = from.tableOf[at]!;
  to.index[k] = from.index[at]!;
  to.lines[k] = from.lines[at]!;
  to.weight[k] = from.weight[at]!;
  for (let word = 0; word < 3; word++) to.stamps[k * 3 + word] = from.stamps[at * 3 + word]!;
}

function compare(tables: readonly FileTable[], a: Hits, i: number, b: Hits, k: number): number {
  const left = tables[a.tableOf[i]!]!;
  const right = tables[b.tableOf[k]!]!;
  let x = left.pathOffsets[a.index[i]!]!;
  let y = right.pathOffsets[b.index[k]!]!;
  const xEnd = left.pathOffsets[a.index[i]! + 1]!;
  const yEnd = right.pathOffsets[b.index[k]! + 1]!;
  for (; x < xEnd && y < yEnd; x++, y++) {
    const difference = left.pathBytes[x]! - right.pathBytes[y]!;
    if (difference !== 0) return difference;
  }
  return xEnd - x - (yEnd - y);
}

/** By weight descending; what weighs the same stays in the order of paths. */
function sort(tables: readonly FileTable[], hits: Hits): Ranked {
  const order = orderOf(hits);
  const sorted = makeHits(hits.length);
  for (let k = 0; k < hits.length; k++) put(hits, order[k]!, sorted, k);
  return { ...sorted, count: hits.length, table: tables };
}

function orderOf(hits: Hits): Uint32Array {
  const { length, weight } = hits;
  let heaviest = 0;
  for (let k = 0; k < length; k++) heaviest = Math.max(heaviest, weight[k]!);
  const order = new Uint32Array(length);
  if (heaviest * length < Number.MAX_SAFE_INTEGER) {
    // one number holds both: typed arrays sort numbers several times faster than by a function
    const keys = new Float64Array(length);
    for (let k = 0; k < length; k++) keys[k] = (heaviest - weight[k]!) * length + k;
    keys.sort();
    for (let k = 0; k < length; k++) order[k] = keys[k]! % length;
    return order;
  }
  for (let k = 0; k < length; k++) order[k] = k;
  return order.sort((a, b) => weight[b]! - weight[a]! || a - b);
}
