// What text every match of a pattern must hold: the strings a part of it is, and the best choice of strings one of which
// is in each match. Says nothing about whether such text is a match.
import type { Hir, Ranges } from '../syntax/hir.ts';
import { FOLD, cost } from './rarity.ts';
import { encode } from './utf8.ts';

/** Bytes; a lower-case letter with FOLD stands for both cases (and for U+212A or U+017F, where the pattern says so). */
export type Run = readonly number[];

export interface Literals {
  /** the part matches exactly these (looks left aside); `undefined`: too many, too long or not known */
  readonly exact: readonly Run[] | undefined;
  /** every match of the part holds one of these */
  readonly best: readonly Run[] | undefined;
  /** there are no looks in the part: it is what `exact` says */
  readonly pure: boolean;
}

/** Needles the kernel looks for at once, and their longest. */
const MAX_NEEDLES = 8;
export const MAX_NEEDLE_BYTES = 255;
/** Copies of a repeated part that are written out. */
const MAX_COPIES = 16;

const UNKNOWN: Literals = { exact: undefined, best: undefined, pure: false };
const NOTHING: readonly Run[] = [[]];

export function literals(hir: Hir): Literals {
  switch (hir.kind) {
    case 'empty':
      return { exact: NOTHING, best: undefined, pure: true };
    case 'look':
      return { exact: NOTHING, best: undefined, pure: false };
    case 'class':
      return { exact: symbols(hir.ranges, true), best: undefined, pure: true };
    case 'bytes':
      return { exact: symbols(hir.ranges, false), best: undefined, pure: true };
    case 'concat':
      return concat(hir.parts);
    case 'alternate':
      return alternate(hir.parts);
    case 'repeat':
      return concat([hir]);
  }
}

/** The needles of a part: of what it is exactly and of what it holds, whatever is cheaper to look for. */
export function needlesOf({ exact, best }: Literals): readonly Run[] | undefined {
  return better(best, usable(exact));
}

function usable(runs: readonly Run[] | undefined): readonly Run[] | undefined {
  return runs !== undefined && runs.length > 0 && runs.every((run) => run.length > 0) ? runs : undefined;
}

function better(a: readonly Run[] | undefined, b: readonly Run[] | undefined): readonly Run[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return cost(b) < cost(a) ? b : a;
}

/** The one-character strings of a class, if they are few. */
function symbols(ranges: Ranges, characters: boolean): readonly Run[] | undefined {
  let size = 0;
  for (let i = 0; i < ranges.length; i += 2) size += ranges[i + 1]! - ranges[i]! + 1;
  if (size === 0 || size > MAX_NEEDLES * 3) return undefined;
  const points = new Set<number>();
  for (let i = 0; i < ranges.length; i += 2) for (let at = ranges[i]!; at <= ranges[i + 1]!; at++) points.add(at);
  const runs: Run[] = [];
  for (const point of points) {
    const lower = point | 0x20;
    const letter = lower >= 97 && lower <= 122 && point < 128;
    if (letter && points.has(lower) && points.has(lower - 0x20)) {
      if (point === lower) runs.push([point | FOLD]);
      continue;
    }
    // text that holds these is looked at without needles
    if (characters && point === 0x212a && points.has(0x6b) && points.has(0x4b)) continue;
    if (characters && point === 0x17f && points.has(0x73) && points.has(0x53)) continue;
    runs.push(characters ? encode(point) : [point]);
  }
  return runs.length <= MAX_NEEDLES ? runs : undefined;
}

function alternate(parts: readonly Hir[]): Literals {
  let exact: Run[] | undefined = [];
  let best: Run[] | undefined = [];
  let pure = true;
  for (const part of parts) {
    const one = literals(part);
    exact = join(exact, one.exact);
    best = join(best, needlesOf(one));
    pure &&= one.pure;
    if (exact === undefined && best === undefined) return UNKNOWN;
  }
  return { exact, best: best?.length === 0 ? undefined : best, pure };
}

function join(all: readonly Run[] | undefined, more: readonly Run[] | undefined): Run[] | undefined {
  if (all === undefined || more === undefined) return undefined;
  const byText = new Map([...all, ...more].map((run) => [run.join(), run]));
  return byText.size <= MAX_NEEDLES ? [...byText.values()] : undefined;
}

/** The runs of a concatenation, from left to right: a run goes on as long as what follows is known exactly. */
class Runs {
  best: readonly Run[] | undefined;
  /** what the text ends with so far */
  run: readonly Run[] = NOTHING;
  /** the run is all there is so far */
  whole = true;
  pure = true;

  add(part: Literals): void {
    this.pure &&= part.pure;
    this.best = better(this.best, part.best);
    const product = part.exact && cross(this.run, part.exact);
    if (product === undefined) this.break(part.exact);
    else {
      // more strings are not always better than shorter ones
      if (product.length > this.run.length) this.best = better(this.best, usable(this.run));
      this.run = product;
    }
  }

  /** The run ends, and one begins with `next`. */
  break(next: readonly Run[] | undefined): void {
    this.best = better(this.best, usable(this.run));
    this.run = next ?? NOTHING;
    this.whole = false;
  }
}

function cross(left: readonly Run[], right: readonly Run[]): readonly Run[] | undefined {
  if (left.length * right.length > MAX_NEEDLES) return undefined;
  const product: Run[] = [];
  for (const a of left) {
    for (const b of right) {
      if (a.length + b.length > MAX_NEEDLE_BYTES) return undefined;
      product.push([...a, ...b]);
    }
  }
  return product;
}

function concat(parts: readonly Hir[]): Literals {
  const runs = new Runs();
  for (const part of parts) {
    if (part.kind === 'repeat') repeat(runs, part.body, part.min, part.max);
    else runs.add(literals(part));
  }
  if (runs.whole) return { exact: runs.run, best: runs.best, pure: runs.pure };
  return { exact: undefined, best: better(runs.best, usable(runs.run)), pure: false };
}

function repeat(runs: Runs, body: Hir, min: number, max: number): void {
  if (max === 0) return;
  const part = literals(body);
  if (min === 0) {
    const exact = max === 1 ? join(NOTHING, part.exact) : undefined;
    runs.add({ exact, best: undefined, pure: part.pure });
    return;
  }
  const copies = Math.min(min, MAX_COPIES);
  for (let i = 0; i < copies; i++) runs.add(part);
  // whatever comes between, the last copy is beside what follows
  if (copies !== max) runs.break(part.exact);
}
