// Sets of byte strings (one UTF-16 unit per byte), and what they say of grams.
import { ALL, and, NONE, or } from './query.ts';
import type { GramQuery } from './types.ts';
import type { Ranges } from '../syntax/hir.ts';

/** Classes of more symbols say nothing. */
export const MOST_SYMBOLS = 64;
/** Sets of more strings are given up for their beginnings and ends. */
export const MOST_STRINGS = 64;

/** 3: grams, 2: pairs */
export type Size = 2 | 3;

const NEWLINE = 10;

/** How many symbols a class has, counted no further than it takes to know that they are too many. */
export function countOf(ranges: Ranges): number {
  let count = 0;
  for (let i = 0; i < ranges.length && count <= MOST_SYMBOLS; i += 2) count += ranges[i + 1]! - ranges[i]! + 1;
  return count;
}

export function symbolsOf(ranges: Ranges): number[] {
  const symbols: number[] = [];
  for (let i = 0; i < ranges.length; i += 2) for (let at = ranges[i]!; at <= ranges[i + 1]!; at++) symbols.push(at);
  return symbols;
}

/** The UTF-8 bytes of a code point. */
export function utf8(point: number): string {
  if (point < 0x80) return String.fromCharCode(point);
  const last = 0x80 | (point & 63);
  if (point < 0x800) return String.fromCharCode(0xc0 | (point >> 6), last);
  const third = 0x80 | ((point >> 6) & 63);
  if (point < 0x1_0000) return String.fromCharCode(0xe0 | (point >> 12), third, last);
  return String.fromCharCode(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), third, last);
}

/** Every string of one followed by every one of the other. */
export function product(left: readonly string[], right: readonly string[]): string[] {
  // a literal is joined byte by byte; a set would read it whole each time
  if (left.length === 1 && right.length === 1) return [left[0]! + right[0]!];
  const strings = new Set<string>();
  for (const begin of left) for (const end of right) strings.add(begin + end);
  return [...strings];
}

/** The ends (or beginnings) of strings, as long as there are not too many of them. */
export function ends(strings: Iterable<string>, length: number): string[] {
  return cut(strings, length, (text, bytes) => (bytes === 0 ? '' : text.slice(-bytes)));
}

export function beginnings(strings: Iterable<string>, length: number): string[] {
  return cut(strings, length, (text, bytes) => text.slice(0, bytes));
}

function cut(strings: Iterable<string>, length: number, of: (text: string, bytes: number) => string): string[] {
  let kept = new Set<string>();
  for (const text of strings) kept.add(of(text, length));
  for (let bytes = length - 1; kept.size > MOST_STRINGS; bytes--)
    kept = new Set([...kept].map((text) => of(text, bytes)));
  return [...kept];
}

/** The leaf of `size` bytes at `at`; undefined for one that is not indexed. */
function leafAt(text: string, at: number, size: Size): GramQuery | undefined {
  const a = text.charCodeAt(at);
  const b = text.charCodeAt(at + 1);
  if (b === NEWLINE) return undefined;
  if (size === 3) {
    const c = text.charCodeAt(at + 2);
    return a === NEWLINE && c === NEWLINE ? undefined : { kind: 'gram', gram: (a << 16) | (b << 8) | c };
  }
  // a line of one byte has no gram that starts with its line end and that byte
  return a === NEWLINE ? undefined : { kind: 'pair', pair: (a << 8) | b };
}

/** A document that holds one of the strings satisfies this. */
export function condition(strings: readonly string[], size: Size): GramQuery {
  if (strings.length === 0) return NONE;
  // a long list of long strings is cut down in proportion
  const most = Math.max(8, Math.floor(96 / strings.length));
  const each = strings.map((text) => leavesOf(text, size, most));
  if (each.some((list) => list.size === 0)) return ALL;
  const [first] = each;
  // what all strings share is said once
  const common = new Map([...(first ?? [])].filter(([key]) => each.every((list) => list.has(key))));
  const rest = each.map((list) => and([...list].flatMap(([key, leaf]) => (common.has(key) ? [] : [leaf]))));
  return and([...common.values(), or(rest)]);
}

/** Where pairs are asked for, a string long enough says more by its grams. */
function leavesOf(text: string, size: Size, most: number): Map<number, GramQuery> {
  const found = new Map<number, GramQuery>();
  const places = text.length - size + 1;
  const step = Math.max(1, places / most);
  if (size === 2 && text.length > 2) {
    const grams = leavesOf(text, 3, most);
    if (grams.size > 0) return grams;
  }
  for (let place = 0; place < places; place += step) {
    const leaf = leafAt(text, Math.floor(place), size);
    if (leaf?.kind === 'gram') found.set(leaf.gram, leaf);
    else if (leaf?.kind === 'pair') found.set(0x100_0000 + leaf.pair, leaf);
  }
  return found;
}

/** What must lie across the seam of strings that end in `left` and go on with `right`: one OR for each way to cut a leaf. */
export function seam(left: readonly string[], right: readonly string[], size: Size): GramQuery[] {
  const conditions: GramQuery[] = [];
  for (let before = 1; before < size; before++) {
    const after = size - before;
    if (left.some((text) => text.length < before) || right.some((text) => text.length < after)) continue;
    const heads = new Set(left.map((text) => text.slice(-before)));
    const tails = new Set(right.map((text) => text.slice(0, after)));
    if (heads.size * tails.size > MOST_STRINGS) continue;
    const whole: GramQuery[] = product([...heads], [...tails]).map((text) => leafAt(text, 0, size) ?? ALL);
    conditions.push(or(whole));
  }
  return conditions;
}
