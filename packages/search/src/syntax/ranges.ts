// Sets as sorted flat ranges. Pure arithmetic: knows neither Unicode nor patterns.
import type { Ranges } from './hir.ts';

const LAST_POINT = 0x10ffff;
const LAST_BYTE = 0xff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Every Unicode scalar value. */
export const ALL_SCALARS: Ranges = [0, FIRST_SURROGATE - 1, LAST_SURROGATE + 1, LAST_POINT];
export const ALL_BYTES: Ranges = [0, LAST_BYTE];

/** Sorted, disjoint and joined, from pairs in any order. */
export function normalise(pairs: readonly number[]): number[] {
  let sorted = true;
  for (let i = 2; i < pairs.length && sorted; i += 2) sorted = pairs[i]! > pairs[i - 1]! + 1;
  if (sorted) return [...pairs];
  const order: [number, number][] = [];
  for (let i = 0; i < pairs.length; i += 2) order.push([pairs[i]!, pairs[i + 1]!]);
  order.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [low, high] of order) {
    const end = out.length - 1;
    if (end > 0 && low <= out[end]! + 1) out[end] = Math.max(out[end]!, high);
    else out.push(low, high);
  }
  return out;
}

export function intersect(a: Ranges, b: Ranges): number[] {
  const out: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const low = Math.max(a[i]!, b[j]!);
    const high = Math.min(a[i + 1]!, b[j + 1]!);
    if (low <= high) out.push(low, high);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return out;
}

/** What is in `all` and not in `ranges`. */
export function subtract(all: Ranges, ranges: Ranges): number[] {
  const out: number[] = [];
  let j = 0;
  for (let i = 0; i < all.length; i += 2) {
    let low = all[i]!;
    const high = all[i + 1]!;
    while (j < ranges.length && ranges[j + 1]! < low) j += 2;
    for (let k = j; k < ranges.length && ranges[k]! <= high; k += 2) {
      if (ranges[k]! > low) out.push(low, ranges[k]! - 1);
      low = Math.max(low, ranges[k + 1]! + 1);
    }
    if (low <= high) out.push(low, high);
  }
  return out;
}

function unite(a: Ranges, b: Ranges): number[] {
  return normalise([...a, ...b]);
}

/** What is in one of the two only. */
export function differ(a: Ranges, b: Ranges): number[] {
  return unite(subtract(a, b), subtract(b, a));
}

/** Is `point` in the set? */
export function has(ranges: Ranges, point: number): boolean {
  let low = 0;
  let high = ranges.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point > ranges[2 * middle + 1]!) low = middle + 1;
    else high = middle;
  }
  return 2 * low < ranges.length && ranges[2 * low]! <= point;
}
