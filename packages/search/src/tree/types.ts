// What a walk finds, in a form that lies in shared memory, is written to disk as it is, and is compared with the tree later.

/** The `ctime` of a file of which no index can say anything: it always counts as changed, and indexing it again helps nothing. */
export const NEVER_INDEXED = -1;

/**
 * Files, sorted by path (bytes, ascending; paths are relative to the root, `/` between names, no leading one). Every column
 * lies in shared memory so that threads read it without a copy.
 */
export interface FileTable {
  readonly count: number;
  /** all paths, one after another */
  readonly pathBytes: Uint8Array;
  /** count + 1 offsets into `pathBytes` */
  readonly pathOffsets: Uint32Array;
  /** change times in milliseconds with fraction; a file whose `ctime`, `size` or `ino` differs has changed */
  readonly ctime: Float64Array;
  readonly size: Float64Array;
  readonly ino: Float64Array;
  /** bits of match/types.ts */
  readonly flags: Uint8Array;
}

/** An entry that rules leave out, for globs that bring it back. */
export interface Excluded {
  readonly path: string;
  readonly directory: boolean;
}

/** Something whose change makes a part of the walk out of date. */
export interface Stamp {
  /** directories: relative to the root; rule files: absolute */
  readonly path: string;
  /** 0 for a rule file that is not there */
  readonly ctime: number;
  readonly ino: number;
}

/** Everything but the files themselves that a walk finds. */
export interface TreeFacts {
  /** directories that were read, '' for the root, sorted */
  readonly directories: readonly Stamp[];
  /** files and directories that rules or their leading dot leave out, in directories that were read */
  readonly excluded: readonly Excluded[];
  /** ignore files that were read or would have been, and git's configuration files: when one changes, all rules are read again */
  readonly rules: readonly Stamp[];
  /** milliseconds since the epoch at which the walk began; what is stamped within two seconds of it may have changed since */
  readonly startedAt: number;
}

/** What the tree is now, against one generation of the index. Plain data over shared memory; never changed once given out. */
export interface Overlay {
  /** grows whenever anything changed, be it the content of a file that is in `changed` or `added` already */
  readonly epoch: number;
  /** per segment, bits of files whose bytes are not the indexed ones: to be scanned whole, whatever the index says */
  readonly changed: readonly Uint32Array[];
  /** per segment, bits of files not to be searched there: not in the tree any more, or dead in the generation */
  readonly gone: readonly Uint32Array[];
  /** files of the tree that no segment holds: relative paths, sorted by bytes */
  readonly added: readonly string[];
  /** what rules or a leading dot leave out now, for globs (`Globs.live`) */
  readonly excluded: readonly Excluded[];
  /** files that cannot be named in UTF-8 and are therefore not searched, as nearly as they can be written */
  readonly unnamed: readonly string[];
}

/** Keeps an overlay up to date. */
export interface Freshness {
  /** `watch`: a fence and what the watchers told; `sweep`: every file is looked at in each `sync` */
  readonly mode: 'watch' | 'sweep';
  /** files in `changed` and `added` of the last overlay, without those that no index could say anything of */
  readonly dirty: number;
  /**
   * The overlay, once every change made before the call is known. Rejects with SearchError `ABORTED` when the signal comes
   * first, `CLOSED` after `close`, `NOT_FOUND` while the root is not there.
   */
  sync(signal?: AbortSignal): Promise<Overlay>;
  /** a verifier saw another stat than the table's */
  noteChanged(segment: number, file: number): void;
  /** what the last `sync` knew of directories, excluded entries and rule files: what a new generation is published with */
  facts(): TreeFacts;
  close(): void;
}
