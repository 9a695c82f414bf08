// The public contract of the engine: what is asked, what comes back, and in which order.

/** What to look for. Defaults: every boolean false. */
export interface Query {
  /** ripgrep's default dialect (Rust's `regex`), at most 10,000 characters */
  readonly pattern: string;
  /** the pattern is text, not an expression */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  /** only between word boundaries */
  readonly word?: boolean;
  /** a match may cross lines; every line it touches counts */
  readonly multiline?: boolean;
  /** the pattern is a JavaScript expression with look-around and back-references, run in a thread under a deadline */
  readonly backtrack?: boolean;
  /** like ripgrep's -g: later ones win, `!` leaves out, a match brings back what ignore files leave out */
  readonly globs?: readonly string[];
  /** absolute path of a directory below the root, or of any file, which is then searched whatever it is; default the root */
  readonly path?: string;
}

/** What a program may say about one search. */
export interface SearchOptions {
  readonly signal?: AbortSignal;
  /** milliseconds after which the answer is what was found so far; default 10,000 */
  readonly deadlineMs?: number;
  /**
   * false leaves a file (absolute path) out of the answer; asked only for files that match. `withheld` tells that its start
   * is one of `IndexOptions.withhold`. Lists are kept per function: a caller that passes the same one again is answered
   * from them.
   */
  readonly accept?: (file: string, withheld: boolean) => boolean;
  /** told at most ten times a second while a long search runs */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly phase: 'walk' | 'scan' | 'build';
  /** files (or bytes, while building) done, and how many there are as far as is known */
  readonly done: number;
  readonly total: number | undefined;
}

/** A file, or one part of a document, that has matching lines. */
export interface FileHits {
  /** absolute path */
  readonly file: string;
  /** matching lines; for a symbol definitions * 2^32 + references */
  readonly weight: number;
  /** matching lines */
  readonly count: number;
  /** in a document: which part of it (member of an archive, page, slide, sheet cell, paragraph) */
  readonly part?: { readonly entry?: string; readonly place?: string };
}

/** One matching line. */
export interface Hit {
  readonly file: string;
  /** 1-based; in a part of a document from the start of the part */
  readonly line: number;
  /** without its line end, not trimmed; invalid bytes are U+FFFD */
  readonly text: string;
  /** spans of the matches in `text`, UTF-16 units, flat [start, end, ...]; at most 100 */
  readonly spans: readonly number[];
  /** byte offset of the line in the file */
  readonly offset: number;
  /** lines before and after, where context was asked for and no other hit owns them */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly part?: { readonly entry?: string; readonly place?: string };
  /** only for symbols */
  readonly type?: 'definition' | 'reference';
}

/** A file that was not searched, and why. */
export interface Skipped {
  readonly file: string;
  readonly reason: string;
}

/** Part of the one ordered list. */
export interface Page {
  readonly hits: readonly Hit[];
  /** where the next page starts; `undefined` at the end */
  readonly next: number | undefined;
  /** a file is not any more what it was when it was counted */
  readonly changed: boolean;
}

/**
 * The answer to one query: an ordered list of matching lines. Order: file weight descending, then path ascending (by
 * bytes), then part, then line. Pages are offsets into that list, and concatenate to it.
 */
export interface Found {
  /** names this list; the same while the tree and the query are the same */
  readonly id: string;
  /** by weight descending, then path */
  readonly files: readonly FileHits[];
  /** how many these are: cheaper than the list, which is made when it is first asked for */
  readonly fileCount: number;
  /** matching lines in all files */
  readonly total: number;
  /** the deadline or the signal came first: what is there is right, and there may be more */
  readonly partial: boolean;
  /** files over the size limit, documents that could not be read */
  readonly skipped: readonly Skipped[];
  /** how the candidates were found */
  readonly by: 'index' | 'scan';
  /** files whose bytes were looked at */
  readonly searched: number;
  page(options: { readonly offset: number; readonly limit: number; readonly context?: number }): Promise<Page>;
}

/** A symbol: an identifier on word boundaries. `globs` default to the files that hold code. */
export interface SymbolQuery {
  readonly name: string;
  readonly globs?: readonly string[];
  readonly path?: string;
}

export interface Status {
  readonly root: string;
  /** `none`: not built (yet); `building`; `ready`; `off`: not wanted, or it cannot be had, and `reason` says why */
  readonly index: 'none' | 'building' | 'ready' | 'off';
  readonly reason?: string;
  /** where the index lies */
  readonly folder?: string;
  readonly generation?: number;
  readonly files?: number;
  /** bytes of the index on disk */
  readonly bytes?: number;
  readonly builtAt?: Date;
  /** how changes are noticed: by watchers, or by looking at every file before each search */
  readonly freshness: 'watch' | 'sweep';
  /** files known to differ from what was indexed */
  readonly dirty: number;
  readonly progress?: Progress;
}

export interface IndexOptions {
  /** folder that holds the indexes of all roots; default `hanzo/search` in the user's cache folder; false: no index, scan */
  readonly cache?: string | false;
  /** watch the tree for changes (default); false looks at every file before each search, which suits a short-lived process */
  readonly watch?: boolean;
  /** `auto` (default): build after the first search if there is none; `never`: use one that is there */
  readonly build?: 'auto' | 'never';
  /** threads; default the cores there are, at most 4 */
  readonly threads?: number;
  /** larger files are left out of a search over a tree; default 16 MiB */
  readonly maxFileBytes?: number;
  /** a file whose first 200 bytes (as Latin-1) match this expression source is left out unless `SearchOptions.accept` was asked and agrees */
  readonly withhold?: string;
  /** most bytes of all indexes in the cache folder together; default 4 GiB */
  readonly cacheBytes?: number;
}

/** The engine on one tree. */
export interface SearchIndex {
  readonly root: string;
  search(query: Query, options?: SearchOptions): Promise<Found>;
  symbol(query: SymbolQuery, options?: SearchOptions): Promise<Found>;
  /** builds or renews the index now; resolves when it is in use */
  build(options?: { readonly signal?: AbortSignal; readonly onProgress?: (progress: Progress) => void }): Promise<void>;
  status(): Status;
  close(): Promise<void>;
}

/** What went wrong, with a stable code. `PATTERN` carries where in the pattern. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly code: 'PATTERN' | 'GLOB' | 'NOT_FOUND' | 'ABORTED' | 'CLOSED';
  /** index into the pattern, in UTF-16 units */
  readonly position: number | undefined;

  constructor(code: SearchError['code'], message: string, position?: number) {
    super(message);
    this.code = code;
    this.position = position;
  }
}
