// Simple case folding of sets (CaseFolding.txt, status C and S), as ripgrep's -i means it. No full folding: "ss" is not "ß".
import type { Ranges } from './hir.ts';
import { has, normalise } from './ranges.ts';
import { FOLDINGS } from './tables.ts';
import { numbers } from './unicode.ts';

const KELVIN = 0x212a;
const LONG_S = 0x17f;

/** Characters that have others of their kind: their points ascending, the kind of each, and the points of each kind. */
interface Foldings {
  readonly points: Int32Array;
  readonly kinds: Int32Array;
  readonly members: readonly (readonly number[])[];
}

/** Made on first use. */
let table: Foldings | undefined;

function foldings(): Foldings {
  if (table !== undefined) return table;
  const members: number[][] = [];
  const kindOf = new Map<number, number>();
  const stream = numbers(FOLDINGS);
  let first = 0;
  for (let i = 0; i < stream.length;) {
    let point = (first += stream[i++]!);
    const kind: number[] = [point];
    for (let more = stream[i++]!; more > 0; more--) kind.push((point += stream[i++]!));
    for (const member of kind) kindOf.set(member, members.length);
    members.push(kind);
  }
  const points = Int32Array.from(kindOf.keys()).sort();
  table = { points, kinds: points.map((point) => kindOf.get(point)!), members };
  return table;
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
  const { points, kinds, members } = foldings();
  const inside = new Uint8Array(members.length);
  let at = 0;
  for (let i = 0; i < ranges.length && at < points.length; i += 2) {
    while (at < points.length && points[at]! < ranges[i]!) at++;
    for (; at < points.length && points[at]! <= ranges[i + 1]!; at++) inside[kinds[at]!]!++;
  }
  const more: number[] = [];
  for (let kind = 0; kind < inside.length; kind++) {
    if (inside[kind] === 0 || inside[kind] === members[kind]!.length) continue;
    for (const point of members[kind]!) more.push(point, point);
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
