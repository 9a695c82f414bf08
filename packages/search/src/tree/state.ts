// What is known of a tree against one generation: which indexed files are what they were, and what else there is. It is told
// what the disk says; it looks at nothing itself.
import type { Generation, Segment } from '../store/types.ts';
import {
  comparePaths,
  type FileStat,
  findPath,
  hasBit,
  lowerBound,
  makeBits,
  pathOf,
  putBit,
  rangeOf,
  sortPaths,
} from './table.ts';
import { type Excluded, type FileTable, NEVER_INDEXED, type Overlay, type Stamp, type TreeFacts } from './types.ts';
import type { Listing, Walked } from './walk.ts';

/** What is stamped so recently may change again under the same stamp: clocks of file systems tick in milliseconds. */
const RACY = 2000;
/** Files that are taken at a time. */
const STEP = 256;

interface Directory {
  /** NaN where the stamp cannot be trusted: the directory is read again in each sweep */
  ctime: number;
  ino: number;
  readonly below: Set<string>;
  readonly added: Set<string>;
  excluded: readonly Excluded[];
  unnamed: readonly string[];
}

/** Subdirectories that came and went with a listing. */
export interface Moves {
  readonly entered: readonly string[];
  readonly left: readonly string[];
}

export class TreeState {
  /** grows with every change */
  epoch = 1;
  readonly segments: readonly Segment[];
  readonly changed: readonly Uint32Array[];
  readonly gone: readonly Uint32Array[];
  readonly #dead: readonly Uint32Array[];
  readonly #directoryMap = new Map<string, Directory>();
  /** facts whose directories are not in the map yet: a look at a tree in which nothing changed does without it */
  #unread: { readonly facts: TreeFacts; readonly startedAt: number } | undefined;
  /** files in `changed` or added, with the stat they were last seen with */
  readonly #dirty = new Map<string, FileStat | undefined>();
  /** files that were seen to differ, whatever a later look says */
  readonly #noted = new Set<string>();
  #rules: Map<string, Stamp> = new Map();
  /** indexed files of which no index can say anything */
  #never: { readonly path: string; readonly size: number; readonly ino: number }[] | undefined;
  #overlay: Overlay | undefined;

  constructor(generation: Generation | undefined) {
    this.segments = generation?.segments ?? [];
    this.#dead = generation?.dead ?? [];
    this.changed = this.segments.map(({ files }) => makeBits(files.count));
    this.gone = this.segments.map(({ files }, i) => {
      const bits = makeBits(files.count);
      bits.set(this.#dead[i]!.subarray(0, bits.length));
      return bits;
    });
    if (generation) this.#remember(generation.facts);
  }

  /** Directories that are known, with their stamps. */
  directories(): Stamp[] {
    if (this.#unread) {
      const { facts, startedAt } = this.#unread;
      return facts.directories.map(({ path, ctime, ino }) => ({ path, ctime: believed(ctime, startedAt), ino }));
    }
    return Array.from(this.#directoryMap, ([path, { ctime, ino }]) => ({ path, ctime, ino }));
  }

  hasDirectory(path: string): boolean {
    return this.#directories.has(path);
  }

  /** Rule files with the stamps they were read with; a time of -1 fits nothing. */
  get rules(): ReadonlyMap<string, Stamp> {
    return this.#rules;
  }

  /** A rule file that came with its directory. */
  addRule(stamp: Stamp): void {
    this.#rules.set(stamp.path, Date.now() - stamp.ctime < RACY ? { ...stamp, ctime: -1 } : stamp);
  }

  /** Dirty files with the stat they were last seen with. */
  get dirty(): ReadonlyMap<string, FileStat | undefined> {
    return this.#dirty;
  }

  /** How many dirty files an index of now would say more of. */
  get pending(): number {
    this.#never ??= this.segments.flatMap(({ files }) =>
      neverIndexed(files).map((i) => ({ path: pathOf(files, i), size: files.size[i]!, ino: files.ino[i]! })),
    );
    let count = this.#dirty.size;
    for (const { path, size, ino } of this.#never) {
      const stat = this.#dirty.get(path);
      // the same file still, as far as can be told
      if (stat && stat.size === size && stat.ino === ino) count--;
    }
    return count;
  }

  /** Where an indexed file is: the newest segment that has it. */
  locate(path: string): { segment: number; file: number } | undefined {
    for (let segment = this.segments.length - 1; segment >= 0; segment--) {
      const file = findPath(this.segments[segment]!.files, path);
      if (file !== -1 && !hasBit(this.#dead[segment]!, file)) return { segment, file };
    }
    return undefined;
  }

  /** Is the file one that a search without globs reads? */
  hasFile(path: string): boolean {
    const at = this.locate(path);
    if (at) return !hasBit(this.gone[at.segment]!, at.file);
    return this.#directories.get(parentOf(path))?.added.has(path) ?? false;
  }

  /** The file is in the tree, and its stat (undefined: could not be had) was taken at `now`. */
  putFile(path: string, stat: FileStat | undefined, now: number): void {
    const at = this.locate(path);
    let news = false;
    let same = false;
    if (at) {
      const { files } = this.segments[at.segment]!;
      same = stat !== undefined && isSame(stat, files.ctime[at.file]!, files.size[at.file]!, files.ino[at.file]!);
      if (this.#noted.has(path)) same = false;
      news = putBit(this.gone[at.segment]!, at.file, false);
      if (putBit(this.changed[at.segment]!, at.file, !same)) news = true;
    } else {
      const added = this.#directories.get(parentOf(path))?.added;
      if (!added) return;
      news = !added.has(path);
      added.add(path);
    }
    if (same) this.#dirty.delete(path);
    else {
      const before = this.#dirty.get(path);
      if (!stat || !before || !isSame(stat, before.ctime, before.size, before.ino) || now - stat.ctime < RACY)
        news = true;
      this.#dirty.set(path, stat && { ctime: stat.ctime, size: stat.size, ino: stat.ino });
    }
    if (news) this.epoch++;
  }

  /** The file is not in the tree. */
  dropFile(path: string): void {
    const at = this.locate(path);
    let news = at !== undefined && putBit(this.gone[at.segment]!, at.file, true);
    if (this.#directories.get(parentOf(path))?.added.delete(path)) news = true;
    this.#dirty.delete(path);
    if (news) this.epoch++;
  }

  /** Something saw that the file is not what was indexed. */
  noteChanged(segment: number, file: number): void {
    if (!putBit(this.changed[segment]!, file, true)) return;
    const path = pathOf(this.segments[segment]!.files, file);
    this.#noted.add(path);
    this.#dirty.set(path, undefined);
    this.epoch++;
  }

  /** Something else changed that an answer may depend on. */
  touch(): void {
    this.epoch++;
  }

  /**
   * What a directory holds now, read at `now`. `statOf` looks at files that are new in it, or at `every` one. The entered directories must be listed next;
   * those that were left are forgotten with all that is below them.
   */
  applyListing(listing: Listing, statOf: (path: string) => FileStat | undefined, now: number, every: boolean): Moves {
    const { directory: path, stamp } = listing;
    if (!stamp) return { entered: [], left: this.leave(path) };
    let directory = this.#directories.get(path);
    if (!directory) {
      directory = { ctime: NaN, ino: 0, below: new Set(), added: new Set(), excluded: [], unnamed: [] };
      this.#directories.set(path, directory);
      if (path !== '') this.#directories.get(parentOf(path))?.below.add(path);
    }
    directory.ctime = now - stamp.ctime < RACY ? NaN : stamp.ctime;
    directory.ino = stamp.ino;
    const files = new Set(listing.files);
    const before = new Set(this.#filesIn(path));
    for (const each of before) if (!files.has(each)) this.dropFile(each);
    for (const each of listing.files) if (every || !before.has(each)) this.putFile(each, statOf(each), now);
    const below = new Set(listing.directories);
    const left = [...directory.below].filter((each) => !below.has(each)).flatMap((each) => this.leave(each));
    const entered = listing.directories.filter((each) => !directory.below.has(each));
    for (const each of entered) directory.below.add(each);
    if (
      !sameExcluded(directory.excluded, listing.excluded) ||
      directory.unnamed.join('\0') !== listing.unnamed.join('\0')
    ) {
      directory.excluded = listing.excluded;
      directory.unnamed = listing.unnamed;
      this.epoch++;
    }
    return { entered, left };
  }

  /** The directory is not in the tree any more. Returns all directories that were left. */
  leave(path: string): string[] {
    const left: string[] = [];
    const open = [path];
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      const directory = this.#directories.get(each);
      left.push(each);
      if (!directory) continue;
      open.push(...directory.below);
      for (const file of directory.added) this.#dirty.delete(file);
      this.#directories.delete(each);
    }
    if (path !== '') this.#directories.get(parentOf(path))?.below.delete(path);
    for (const [segment, { files }] of this.segments.entries()) {
      const { first, end } = rangeOf(files, path);
      for (let i = first; i < end; i++) {
        putBit(this.gone[segment]!, i, true);
        if (hasBit(this.changed[segment]!, i)) this.#dirty.delete(pathOf(files, i));
      }
    }
    this.epoch++;
    return left;
  }

  /**
   * Forgets all but the segments, and takes what a whole walk found, some files between two yields. Until the end only the
   * facts are right. Files of the index must be compared next.
   */
  *reset(walked: Walked): Generator<void, void> {
    this.#directoryMap.clear();
    this.#dirty.clear();
    for (const bits of this.gone) bits.fill(0xffffffff);
    this.#remember(walked.facts);
    for (const each of walked.unnamed) {
      const directory = this.#directories.get(parentOf(each));
      if (directory) directory.unnamed = [...directory.unnamed, each];
    }
    for (const [count, path] of walked.files.entries()) {
      if (count % STEP === STEP - 1) yield;
      const at = this.locate(path);
      if (at) {
        putBit(this.gone[at.segment]!, at.file, false);
        if (hasBit(this.changed[at.segment]!, at.file)) this.#dirty.set(path, undefined);
      } else {
        this.#directories.get(parentOf(path))?.added.add(path);
        this.#dirty.set(path, undefined);
      }
    }
    this.epoch++;
  }

  #remember(facts: TreeFacts): void {
    this.#unread = { facts, startedAt: facts.startedAt };
    // the time of a directory among rules says only that it is there
    this.#rules = new Map(
      facts.rules.map(
        (each) => [each.path, isTrusted(each.ctime, facts.startedAt) ? each : { ...each, ctime: -1 }] as const,
      ),
    );
  }

  get #directories(): Map<string, Directory> {
    const unread = this.#unread;
    if (unread) {
      this.#unread = undefined;
      this.#readDirectories(unread.facts, unread.startedAt);
    }
    return this.#directoryMap;
  }

  #readDirectories(facts: TreeFacts, startedAt: number): void {
    const directories = this.#directoryMap;
    for (const { path, ctime, ino } of facts.directories) {
      const directory = {
        ctime: believed(ctime, startedAt),
        ino,
        below: new Set<string>(),
        added: new Set<string>(),
        excluded: [],
        unnamed: [],
      };
      directories.set(path, directory);
      if (path !== '') directories.get(parentOf(path))?.below.add(path);
    }
    const excluded = new Map<string, Excluded[]>();
    for (const each of facts.excluded) {
      const parent = parentOf(each.path);
      const list = excluded.get(parent);
      if (list) list.push(each);
      else excluded.set(parent, [each]);
    }
    for (const [path, list] of excluded) {
      const directory = directories.get(path);
      if (directory) directory.excluded = list;
    }
  }

  /** Files that are right in a directory and searched. */
  *#filesIn(path: string): Generator<string> {
    const prefix = path === '' ? '' : `${path}/`;
    for (const [segment, { files }] of this.segments.entries()) {
      const { first, end } = rangeOf(files, path);
      for (let i = first; i < end; i++) {
        const file = pathOf(files, i);
        const slash = file.indexOf('/', prefix.length);
        if (slash !== -1) {
          // over all that is below the subdirectory: 0 is the byte after the slash
          i = lowerBound(files, Buffer.from(`${file.slice(0, slash)}0`), i) - 1;
        } else if (!hasBit(this.gone[segment]!, i)) yield file;
      }
    }
    // a copy: the reader takes files out while it reads
    yield* new Set(this.#directories.get(path)?.added);
  }

  /** The overlay of now; the same object while nothing changes. */
  overlay(): Overlay {
    if (this.#overlay?.epoch === this.epoch) return this.#overlay;
    const added: string[] = [];
    const excluded: Excluded[] = [];
    const unnamed: string[] = [];
    if (this.#unread) {
      for (const each of this.#unread.facts.excluded) excluded.push(each);
    } else {
      for (const directory of this.#directories.values()) {
        for (const each of directory.added) added.push(each);
        for (const each of directory.excluded) excluded.push(each);
        for (const each of directory.unnamed) unnamed.push(each);
      }
    }
    return (this.#overlay = {
      epoch: this.epoch,
      changed: this.changed.map(copyBits),
      gone: this.gone.map(copyBits),
      added: sortPaths(added),
      excluded: byPath(excluded),
      unnamed: sortPaths(unnamed),
    });
  }

  facts(): TreeFacts {
    const directories = this.directories().map((each) => ({
      ...each,
      ctime: Number.isNaN(each.ctime) ? -1 : each.ctime,
    }));
    return {
      directories: byPath(directories),
      excluded: this.overlay().excluded,
      rules: [...this.#rules.values()],
      startedAt: Date.now(),
    };
  }
}

/** May a stamp be believed that was read in a walk that began at `startedAt`? */
function isTrusted(ctime: number, startedAt: number): boolean {
  return startedAt - ctime >= RACY;
}

function believed(ctime: number, startedAt: number): number {
  return isTrusted(ctime, startedAt) ? ctime : NaN;
}

function isSame(stat: FileStat, ctime: number, size: number, ino: number): boolean {
  return stat.ctime === ctime && stat.size === size && stat.ino === ino;
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

function neverIndexed({ count, ctime }: FileTable): number[] {
  const found: number[] = [];
  for (let i = 0; i < count; i++) if (ctime[i] === NEVER_INDEXED) found.push(i);
  return found;
}

function sameExcluded(a: readonly Excluded[], b: readonly Excluded[]): boolean {
  return a.length === b.length && a.every((each, i) => each.path === b[i]!.path && each.directory === b[i]!.directory);
}

function copyBits(bits: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(bits.byteLength));
  copy.set(bits);
  return copy;
}

function byPath<T extends { readonly path: string }>(items: T[]): T[] {
  return items.sort((a, b) => comparePaths(a.path, b.path));
}
