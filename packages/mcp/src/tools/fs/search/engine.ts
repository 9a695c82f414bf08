// What a search engine of this tool is: one query in, every matching line out, heaviest file first.
import { open, stat } from 'node:fs/promises';
import { compareBytes } from '../list.ts';
import { compilePattern, type Pattern, type PatternOptions } from './dialect.ts';
import { matchingLines, ruledOut, searchable } from './scan.ts';
import { walk } from './walk.ts';

/** Files above this are not read by a search over a tree; one named by itself always is. */
export const FILE_LIMIT = 16 * 1024 * 1024;
/** Files read at once. */
const PARALLEL = 8;

export interface Query extends PatternOptions {
  readonly pattern: string;
  /** real path of a directory or a file */
  readonly root: string;
  readonly glob: string | undefined;
}

/** A file with its matching lines (1-based, ascending). */
export interface FileHits {
  readonly file: string;
  readonly lines: readonly number[];
}

export interface Found {
  /** by number of matching lines descending, then path ascending */
  readonly files: readonly FileHits[];
  readonly total: number;
  /** the deadline came first: what is there is right, and there may be more */
  readonly partial: boolean;
  /** files over FILE_LIMIT that were left out */
  readonly tooLarge: number;
}

export interface SearchOptions {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly secret: (file: string) => boolean;
}

export interface SearchEngine {
  search(query: Query, options: SearchOptions): Promise<Found>;
}

/** The engine that reads every file. */
export const scanEngine: SearchEngine = {
  async search(query, options) {
    const pattern = await compilePattern(query.pattern, query);
    const run = new Run(query, pattern, options);
    const what = await stat(query.root);
    if (what.isDirectory()) await run.tree();
    else await run.file(query.root, Infinity);
    return run.found();
  },
};

class Run {
  readonly #files: FileHits[] = [];
  readonly #query: Query;
  readonly #pattern: Pattern;
  readonly #options: SearchOptions;
  readonly #end: number;
  #partial = false;
  #tooLarge = 0;

  constructor(query: Query, pattern: Pattern, options: SearchOptions) {
    this.#query = query;
    this.#pattern = pattern;
    this.#options = options;
    this.#end = performance.now() + options.deadlineMs;
  }

  async tree(): Promise<void> {
    const running = new Set<Promise<void>>();
    const files = walk(this.#query.root, {
      glob: this.#query.glob,
      secret: this.#options.secret,
      stop: () => this.#stop(),
    });
    for await (const file of files) {
      if (this.#stop()) break;
      const one: Promise<void> = this.file(file, FILE_LIMIT).finally(() => running.delete(one));
      running.add(one);
      if (running.size >= PARALLEL) await Promise.race(running);
    }
    await Promise.all(running);
  }

  async file(file: string, limit: number): Promise<void> {
    const bytes = await readUpTo(file, limit);
    if (bytes === 'too large') {
      this.#tooLarge++;
      return;
    }
    if (!bytes || ruledOut(bytes, this.#pattern, this.#query.ignoreCase)) return;
    const content = searchable(bytes);
    if (!content) return;
    const lines = matchingLines(content.text, content.ascii, this.#pattern, this.#query);
    if (lines.length > 0) this.#files.push({ file, lines });
  }

  found(): Found {
    const files = this.#files.sort((a, b) => b.lines.length - a.lines.length || compareBytes(a.file, b.file));
    return {
      files,
      total: files.reduce((sum, each) => sum + each.lines.length, 0),
      partial: this.#partial,
      tooLarge: this.#tooLarge,
    };
  }

  #stop(): boolean {
    this.#options.signal.throwIfAborted();
    if (performance.now() > this.#end) this.#partial = true;
    return this.#partial;
  }
}

/** The bytes of a file; undefined if it cannot be read, which a search passes over. */
async function readUpTo(file: string, limit: number): Promise<Buffer | 'too large' | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    if (size > limit) return 'too large';
    return await handle.readFile();
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
