// What a walk finds, in a form that lies in shared memory, is written to disk as it is, and is compared with the tree later.

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
