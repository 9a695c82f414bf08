// Which files of a generation are to be read for a query: the plan's candidates without what is gone, and what has changed.
import { FOLDS_TO_ASCII, NON_ASCII, NUL, UNREAD, WITHHELD } from '../match/types.ts';
import type { Plan } from '../plan/types.ts';
import type { DocSet, Generation, Segment } from '../store/types.ts';
import { hasBit, makeFileTable, pathOf, rangeOf } from '../tree/table.ts';
import type { FileTable, Overlay } from '../tree/types.ts';
import { type Blocks, type Lot, shared } from './job.ts';

/** What is asked of the index. */
export interface Scope {
  readonly plan: Plan;
  /** per segment, what its postings say of the plan: see `setsOf` */
  readonly sets: readonly (DocSet | undefined)[];
  /** relative to the root, '' for all */
  readonly directory: string;
  /** files whose start is withheld are candidates too */
  readonly withheld: boolean;
  /** lets a path through, if globs are to be applied here */
  readonly passes: ((path: string) => boolean) | undefined;
}

export interface Candidates {
  readonly lots: readonly Lot[];
  /** per lot, its segment; -1 for files that no segment holds */
  readonly segments: readonly number[];
  readonly files: number;
  /** what will be read, as far as is known */
  readonly bytes: number;
}

/** The documents of each segment that the plan asks for; undefined stands for all. */
export function setsOf({ segments }: Generation, { query, perFile }: Plan): (DocSet | undefined)[] {
  return segments.map((segment) => segment.candidates(query, perFile));
}

export function candidatesOf(generation: Generation, overlay: Overlay, scope: Scope): Candidates {
  const lots: Lot[] = [];
  const segments: number[] = [];
  let files = 0;
  let bytes = 0;
  const add = (lot: Lot, segment: number): void => {
    if (lot.files.length === 0) return;
    lots.push(lot);
    segments.push(segment);
    files += lot.files.length;
  };
  for (const [at, segment] of generation.segments.entries()) {
    const dead = generation.dead[at]!;
    const gone = overlay.gone[at]!;
    const changed = overlay.changed[at]!;
    const range = rangeOf(segment.files, scope.directory);
    const picked = pick(
      segment,
      scope.sets[at],
      scope,
      range,
      (file) => hasBit(dead, file) || hasBit(gone, file) || hasBit(changed, file),
    );
    bytes += picked.bytes;
    add(picked.lot, at);
    const differ: number[] = [];
    eachBit(changed, range, (file) => {
      if (hasBit(dead, file) || hasBit(gone, file)) return;
      if (scope.passes && !scope.passes(pathOf(segment.files, file))) return;
      differ.push(file);
      bytes += segment.files.size[file]!;
    });
    add(looseLot(segment.files, differ), at);
  }
  const added = below(overlay.added, scope);
  if (added.length > 0) add(looseLot(makeFileTable(added)), -1);
  return { lots, segments, files, bytes };
}

/** Files of which nothing is known, all of the table unless `files` says which. */
export function looseLot(table: FileTable, files?: readonly number[]): Lot {
  const list = files ? Uint32Array.from(files) : Uint32Array.from({ length: table.count }, (_, i) => i);
  return { table, files: shared(list), trusted: false, blocks: undefined };
}

/** Paths of a list that lie in the directory and pass the globs. */
function below(paths: readonly string[], scope: Pick<Scope, 'directory' | 'passes'>): string[] {
  const { directory, passes } = scope;
  const prefix = directory === '' ? '' : `${directory}/`;
  return paths.filter((path) => path.startsWith(prefix) && passes?.(path) !== false);
}

interface Range {
  readonly first: number;
  readonly end: number;
}

function pick(
  segment: Segment,
  set: DocSet | undefined,
  scope: Scope,
  range: Range,
  out: (file: number) => boolean,
): { lot: Lot; bytes: number } {
  const { plan, passes } = scope;
  const { files: table, docs } = segment;
  const never = NUL | UNREAD | (scope.withheld ? 0 : WITHHELD);
  const split = docs.count > table.count;
  // shared memory is dear to make: it is made when its size is known
  const files: number[] = [];
  const start: number[] | undefined = split && set ? [] : undefined;
  const list: number[] = [];
  let bytes = 0;
  const take = (file: number, from: number, to: number): void => {
    const flags = table.flags[file]!;
    if ((flags & never) !== 0 || (plan.nonAscii && (flags & NON_ASCII) === 0) || out(file)) return;
    if (passes && !passes(pathOf(table, file))) return;
    start?.push(list.length);
    files.push(file);
    if (from === to) {
      bytes += table.size[file]!;
      return;
    }
    for (let doc = from; doc < to; doc++) {
      if (!hasBit(set!, doc)) continue;
      list.push(doc);
      bytes += docs.length[doc]!;
    }
  };
  if (!set) {
    for (let file = range.first; file < range.end; file++) take(file, 0, 0);
  } else {
    eachCandidate(segment, set, plan, range, take);
  }
  start?.push(list.length);
  const blocks: Blocks | undefined =
    start && list.length > 0
      ? { docs, start: shared(Uint32Array.from(start)), list: shared(Uint32Array.from(list)) }
      : undefined;
  return { lot: { table, files: shared(Uint32Array.from(files)), trusted: true, blocks }, bytes };
}

/** Calls `take` for the files with a candidate document, ascending; with their documents where not all of them are. */
function eachCandidate(
  segment: Segment,
  set: Uint32Array,
  plan: Plan,
  range: Range,
  take: (file: number, from: number, to: number) => void,
): void {
  const { files: table, docs } = segment;
  const first = firstDoc(docs.file, range.first, docs.count);
  const end = firstDoc(docs.file, range.end, docs.count);
  // files that fold to ASCII are candidates whatever their grams say: they are met on the way
  let passed = range.first;
  const folding = (to: number): void => {
    for (; passed < to; passed++) if ((table.flags[passed]! & FOLDS_TO_ASCII) !== 0) take(passed, 0, 0);
  };
  let doc = first;
  eachBit(set, { first, end }, (found) => {
    if (found < doc) return;
    const file = docs.file[found]!;
    let from = found;
    while (from > first && docs.file[from - 1] === file) from--;
    doc = found + 1;
    while (doc < end && docs.file[doc] === file) doc++;
    if (plan.plusFolding) {
      folding(file);
      passed = file + 1;
    }
    const whole = doc - from === 1 || plan.perFile || (plan.plusFolding && (table.flags[file]! & FOLDS_TO_ASCII) !== 0);
    if (whole) take(file, 0, 0);
    else take(file, from, doc);
  });
  if (plan.plusFolding) folding(range.end);
}

/** The first document of a file that is not before `file`. */
function firstDoc(fileOf: Uint32Array, file: number, count: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fileOf[middle]! < file) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The bits that are set in a range, ascending. */
function eachBit(bits: Uint32Array, range: Range, visit: (at: number) => void): void {
  if (range.first >= range.end) return;
  const lastWord = (range.end - 1) >>> 5;
  for (let word = range.first >>> 5; word <= lastWord; word++) {
    let rest = bits[word]!;
    while (rest !== 0) {
      const lowest = rest & -rest;
      rest ^= lowest;
      const at = word * 32 + 31 - Math.clz32(lowest);
      if (at >= range.first && at < range.end) visit(at);
    }
  }
}
