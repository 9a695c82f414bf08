// What a search asks of its threads, as plain data and shared memory: which files, where results go, and how it is stopped.
// Nothing here reads a file.
import type { ScanSpec } from '../match/types.ts';
import type { DocTable } from '../store/types.ts';
import type { FileTable } from '../tree/types.ts';

/** Files of one table, in its order. The items of all lots of a job are numbered one after another. */
export interface Lot {
  readonly table: FileTable;
  /** index into the table, per item */
  readonly files: Uint32Array;
  /** the table's stamps and flags are what was indexed: a file that has them still needs no second look at its kind */
  readonly trusted: boolean;
  /** where only some blocks of large files can match: the items' blocks, see `blocksOf` */
  readonly blocks: Blocks | undefined;
}

export interface Blocks {
  readonly docs: DocTable;
  /** per item, one more at the end: where its documents start in `list`; an empty run stands for the whole file */
  readonly start: Uint32Array;
  readonly list: Uint32Array;
}

/** What became of an item; 0: nobody has looked yet. */
export const SEARCHED = 1;
/** not there any more, not a regular file, or not readable */
export const GONE = 2;
export const TOO_LARGE = 3;
export const BINARY = 4;
/** left out by the globs of the query */
export const RULED_OUT = 5;
/** bits beside the state: what was read is not what the table says; its start is one that is withheld */
export const DIFFERS = 0x40;
export const HELD_BACK = 0x80;
export const STATE = 0x3f;

/** Columns of results in shared memory, one entry per item. */
export interface Results {
  readonly state: Uint8Array;
  /** matching lines */
  readonly count: Uint32Array;
  /** of these, definitions; only for symbols */
  readonly definitions: Uint32Array | undefined;
  /** [ctime, size, ino] of what was read */
  readonly stamps: Float64Array;
}

/** Words of a job's control block, read and written atomically. */
export const NEXT = 0;
export const STOP = 1;
export const DONE = 2;
/** how many items there are */
export const KNOWN = 3;
const CONTROL_WORDS = 4;

/** How one file is searched; equal for all files of a query. */
export interface How {
  /** names the specification, so that a thread compiles it once */
  readonly key: string;
  readonly spec: ScanSpec;
  /** absolute, without a slash at the end (empty for the root of the file system) */
  readonly root: string;
  readonly maxFileBytes: number;
  /** source of the expression for starts that are withheld */
  readonly withhold: string | undefined;
  /** the name whose definitions are told from its uses */
  readonly symbol: string | undefined;
  /** a short read is a file's end (tree/mounts.ts): a file need not be asked for its size before it is read */
  readonly sized?: boolean;
  /** the query's globs, if a thread is to apply them */
  readonly globs: readonly string[] | undefined;
}

export interface SearchJob {
  readonly how: How;
  readonly lots: readonly Lot[];
  readonly results: Results;
  readonly control: Int32Array;
}

export function makeControl(items: number): Int32Array {
  const control = new Int32Array(new SharedArrayBuffer(CONTROL_WORDS * 4));
  control[KNOWN] = items;
  return control;
}

/** A copy in shared memory. */
export function shared(values: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(values.length * 4));
  copy.set(values);
  return copy;
}
