// Simple case folding of sets (CaseFolding.txt, status C and S), as ripgrep's -i means it. No full folding: "ss" is not "ß".
import type { Ranges } from './hir.ts';
import { has, normalise } from './ranges.ts';
import { FOLDINGS } from './tables.ts';
import { numbers } from './unicode.ts';

const KELVIN = 0x212a;
const LONG_S = 0x17f;

/** Code points that fold to the same one, as arrays of two and more; made on first use. */
let groups: readonly (readonly number[])[] | undefined;

function foldings(): readonly (readonly number[])[] {
  if (groups !== undefined) return groups;
  const made: number[][] = [];
  const stream = numbers(FOLDINGS);
  let first = 0;
  for (let i = 0; i < stream.length;) {
    first += stream[i++]!;
    const group = [first];
    for (let more = stream[i++]!; more > 0; more--) group.push(group.at(-1)! + stream[i++]!);
    made.push(group);
  }
  groups = made;
  return made;
}

/** The set and whatever folds to the same as one of its members. */
export function foldScalars(ranges: Ranges): number[] {
  if (ranges.length === 0) return [];
  if (ranges.at(-1)! < 0x80) {
    // Text of a pattern is mostly this; the two that fold into ASCII need no table.
    const folded = foldBytes(ranges);
    if (has(folded, 0x6b)) folded.push(KELVIN, KELVIN);
    if (has(folded, 0x73)) folded.push(LONG_S, LONG_S);
    return normalise(folded);
  }
  const more: number[] = [];
  for (const group of foldings()) {
    const inside = group.filter((point) => has(ranges, point)).length;
    if (inside > 0 && inside < group.length) for (const point of group) more.push(point, point);
  }
  return more.length === 0 ? [...ranges] : normalise([...ranges, ...more]);
}

/** The same among ASCII letters only, for bytes. */
export function foldBytes(ranges: Ranges): number[] {
  const out = [...ranges];
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i]!;
    const high = ranges[i + 1]!;
    // Parts within a-z and A-Z, moved to the other case.
    if (low <= 0x7a && high >= 0x61) out.push(Math.max(low, 0x61) - 32, Math.min(high, 0x7a) - 32);
    if (low <= 0x5a && high >= 0x41) out.push(Math.max(low, 0x41) + 32, Math.min(high, 0x5a) + 32);
  }
  return normalise(out);
}
