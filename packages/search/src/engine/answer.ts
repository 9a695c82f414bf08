// Makes the answer of what threads found: asks `accept`, ranks, and says what was left out and why.
import { UNREAD } from '../match/types.ts';
import type { Generation } from '../store/types.ts';
import { hasBit, pathOf, rangeOf } from '../tree/table.ts';
import type { FileTable, Overlay } from '../tree/types.ts';
import type { Skipped } from '../types.ts';
import { type Extra, FoundList, type Read } from './found.ts';
import { HELD_BACK, type How, type Lot, SEARCHED, STATE, TOO_LARGE } from './job.ts';
import { type Part, rank, type Tally } from './rank.ts';

/** How long the event loop is held at once. */
const SLICE_MS = 8;

export interface Gathered {
  readonly how: How;
  /** names the query */
  readonly key: string;
  readonly parts: readonly Part[];
  readonly extras: readonly Extra[];
  readonly skipped: readonly Skipped[];
  readonly partial: boolean;
  readonly by: 'index' | 'scan';
  /** files beside those of the parts whose bytes were looked at */
  readonly searched: number;
}

export async function answer(
  gathered: Gathered,
  accept: ((file: string, withheld: boolean) => boolean) | undefined,
  read: Read,
): Promise<FoundList> {
  const { how, parts } = gathered;
  const refused = accept ? await refusedBy(accept, how.root, parts) : undefined;
  const tally: Tally = { searched: gathered.searched, total: 0 };
  const ranked = rank(
    parts,
    (table, index, heldBack) => (refused ? refused.get(table)?.has(index) !== true : !heldBack),
    tally,
  );
  return new FoundList({
    how,
    query: gathered.key,
    ranked,
    extras: accept ? gathered.extras.filter((each) => accept(each.hits.file, false)) : gathered.extras,
    partial: gathered.partial,
    skipped: gathered.skipped,
    by: gathered.by,
    searched: tally.searched,
    read,
  });
}

/** The matching files that the program does not want. */
async function refusedBy(
  accept: (file: string, withheld: boolean) => boolean,
  root: string,
  parts: readonly Part[],
): Promise<Map<FileTable, Set<number>>> {
  const refused = new Map<FileTable, Set<number>>();
  let until = performance.now() + SLICE_MS;
  for (const { lot, at, slot, results } of eachItem(parts)) {
    if (results.count[slot] === 0 || (results.state[slot]! & STATE) !== SEARCHED) continue;
    const index = lot.files[at]!;
    if (!accept(`${root}/${pathOf(lot.table, index)}`, (results.state[slot]! & HELD_BACK) !== 0)) {
      let set = refused.get(lot.table);
      if (!set) refused.set(lot.table, (set = new Set()));
      set.add(index);
    }
    if (performance.now() < until) continue;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    until = performance.now() + SLICE_MS;
  }
  return refused;
}

/** Files that were met and are too large. */
export function tooLarge(how: How, parts: readonly Part[]): Skipped[] {
  const skipped: Skipped[] = [];
  for (const { lot, at, slot, results } of eachItem(parts)) {
    if ((results.state[slot]! & STATE) === TOO_LARGE) {
      skipped.push({ file: `${how.root}/${pathOf(lot.table, lot.files[at]!)}`, reason: largerThan(how.maxFileBytes) });
    }
  }
  return skipped;
}

/** Files that the index knows to be too large, or could not be read for it. */
export function unread(
  how: How,
  generation: Generation,
  overlay: Overlay,
  directory: string,
  passes: ((path: string) => boolean) | undefined,
): Skipped[] {
  const skipped: Skipped[] = [];
  for (const [at, { files }] of generation.segments.entries()) {
    const { first, end } = rangeOf(files, directory);
    for (const index of unreadOf(files)) {
      if (index < first || index >= end) continue;
      if ([generation.dead[at]!, overlay.gone[at]!, overlay.changed[at]!].some((bits) => hasBit(bits, index))) continue;
      const name = pathOf(files, index);
      if (passes?.(name) === false) continue;
      const large = files.size[index]! > how.maxFileBytes;
      skipped.push({
        file: `${how.root}/${name}`,
        reason: large ? largerThan(how.maxFileBytes) : 'cannot be read',
      });
    }
  }
  return skipped;
}

export function largerThan(bytes: number): string {
  return `larger than ${bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes} bytes`}`;
}

const unreadFiles = new WeakMap<FileTable, readonly number[]>();

function unreadOf(files: FileTable): readonly number[] {
  let list = unreadFiles.get(files);
  if (!list) {
    const found: number[] = [];
    for (let index = 0; index < files.count; index++) if ((files.flags[index]! & UNREAD) !== 0) found.push(index);
    unreadFiles.set(files, (list = found));
  }
  return list;
}

interface Item {
  readonly lot: Lot;
  readonly at: number;
  readonly slot: number;
  readonly results: Part['results'];
}

function* eachItem(parts: readonly Part[]): Generator<Item> {
  for (const { lots, results } of parts) {
    let base = 0;
    for (const lot of lots) {
      for (let at = 0; at < lot.files.length; at++) {
        // most items are of no interest: only those with a state that is
        const slot = base + at;
        if (results.count[slot] !== 0 || results.state[slot] !== SEARCHED) yield { lot, at, slot, results };
      }
      base += lot.files.length;
    }
  }
}
