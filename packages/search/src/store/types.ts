// The index on disk as its readers see it: immutable segments under generations.
import type { FileTable, TreeFacts } from '../tree/types.ts';
import type { GramQuery } from '../plan/types.ts';

/** A document: a file, or a block of a large one that ends with a line. Documents of a file are consecutive. */
export interface DocTable {
  readonly count: number;
  /** index into the segment's FileTable */
  readonly file: Uint32Array;
  /** bytes into the file's text (after its mark); 0 for a file of one document */
  readonly offset: Uint32Array;
  /** bytes */
  readonly length: Uint32Array;
}

/** A set of documents as bits, document d in word d >> 5 at bit d & 31. */
export type DocSet = Uint32Array;

/** One immutable segment: some files, their documents, and the postings of the documents' grams. */
export interface Segment {
  readonly name: string;
  readonly files: FileTable;
  readonly docs: DocTable;
  /** documents that satisfy the condition; undefined stands for all of them. The set may be changed by the caller. */
  candidates(query: GramQuery, perFile: boolean): DocSet | undefined;
  close(): void;
}

/** One generation: segments from old to new, and which of their files are superseded. */
export interface Generation {
  readonly number: number;
  readonly segments: readonly Segment[];
  /** per segment: bits of files that are gone or indexed again in a later segment */
  readonly dead: readonly Uint32Array[];
  readonly facts: TreeFacts;
  readonly builtAt: Date;
  /** on disk */
  readonly bytes: number;
  close(): void;
}
