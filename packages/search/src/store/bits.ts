// Sets of documents as bits: lists decoded into them, and what can be asked of them. Pure arithmetic on words.
import type { DocSet } from './types.ts';

export const wordsFor = (count: number): number => (count + 31) >>> 5;

/**
 * Adds a list of LEB128 deltas: `bytes[at, end)` holds the first document, then each gap less one; `base` is added to all.
 */
export function orDeltas(bytes: Uint8Array, at: number, end: number, into: DocSet, base: number): void {
  let doc = base - 1;
  while (at < end) {
    let value = bytes[at++]!;
    if (value > 127) {
      let shift = 7;
      let byte = bytes[at++]!;
      value &= 127;
      while (byte > 127) {
        value |= (byte & 127) << shift;
        shift += 7;
        byte = bytes[at++]!;
      }
      value |= byte << shift;
    }
    doc += value + 1;
    into[doc >>> 5]! |= 1 << (doc & 31);
  }
}

/** Adds a bitmap, document `base` being its first bit. */
export function orBitmap(bytes: Uint8Array, at: number, end: number, into: DocSet, base: number): void {
  const shift = base & 31;
  let word = base >>> 5;
  for (; at + 4 <= end; at += 4, word++) {
    const bits = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    into[word]! |= bits << shift;
    if (shift !== 0) into[word + 1]! |= bits >>> (32 - shift);
  }
  let bits = 0;
  for (let byte = 0; at + byte < end; byte++) bits |= bytes[at + byte]! << (byte * 8);
  if (bits === 0) return;
  into[word]! |= bits << shift;
  if (shift !== 0) into[word + 1]! |= bits >>> (32 - shift);
}

/** Adds a whole set, its first bit becoming `base`. */
export function orSet(set: DocSet, into: DocSet, base: number): void {
  const shift = base & 31;
  const start = base >>> 5;
  if (shift === 0) {
    for (let word = 0; word < set.length; word++) into[start + word]! |= set[word]!;
    return;
  }
  for (let word = 0; word < set.length; word++) {
    const bits = set[word]!;
    if (bits === 0) continue;
    into[start + word]! |= bits << shift;
    into[start + word + 1]! |= bits >>> (32 - shift);
  }
}

/** Keeps what is in both; false when nothing is left. */
export function andSet(set: DocSet, other: DocSet): boolean {
  let any = 0;
  for (let word = 0; word < set.length; word++) any |= set[word]! &= other[word]!;
  return any !== 0;
}
