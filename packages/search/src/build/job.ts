// What a build asks of its threads and what they answer, as plain data and shared memory. Nothing here reads a file.
import type { FileTable } from '../tree/types.ts';
import type { Ranges } from './ranges.ts';

export interface BuildJob {
  /** absolute, without a slash at the end */
  readonly root: string;
  /** paths are given; stamps and flags are the threads' to fill in */
  readonly files: FileTable;
  readonly ranges: Ranges;
  /** least files worth a shard of their own */
  readonly least: number;
  /** number of files done, counted by all threads */
  readonly done: Int32Array;
  /** while its first word is not 0, threads work only a little at a time; undefined: no consideration is asked for */
  readonly pause: Int32Array | undefined;
  /** where shards are written */
  readonly folder: string;
  /** bytes of posting lists in one thread's memory at which a shard is ended */
  readonly poolBytes: number;
  readonly maxFileBytes: number;
  readonly withhold: string | undefined;
}

/** A shard as a thread wrote it. */
export interface BuiltShard {
  readonly file: string;
  /** index of its first file */
  readonly firstFile: number;
  /** flat [file, offset, length, ...] */
  readonly docs: Uint32Array;
}

export type ThreadAnswer =
  | { readonly shards: readonly BuiltShard[] }
  | { readonly failed: { readonly code: 'MEMORY' | 'DISK' | 'FAILED'; readonly message: string } };
