// What a search engine of this tool is: one query in, every matching line out, heaviest file first.
import { stat } from 'node:fs/promises';
import type { Access } from '../../../lib/access.ts';
import type { Part } from '@hanzo/search/documents';
import { openToRead } from '../disk/open.ts';
import { compareBytes } from '../list.ts';
import { SNIFF_BYTES } from '../text/encoding.ts';
import { isAsciiText } from '../text/fold.ts';
import { compilePattern, type Pattern, type PatternOptions } from './dialect.ts';
import { countLines, WHOLE_LIMIT, wholeLines } from './huge.ts';
import { matchingLines, ruledOut, searchable } from './scan.ts';
import { walk } from './walk.ts';

/** Files above this are not read by a search over a tree; one named by itself always is. */
const FILE_LIMIT = 16 * 1024 * 1024;
/** Files read at once. */
const PARALLEL = 8;
/** A glob with one of these in it asks for documents, which a search over a tree else passes over. */
const DOCUMENT_GLOB = /\.(pdf|docx|pptx|xlsx|odt|ods|odp|zip|tar|tgz|tar\.gz)(?![\w.])/i;

export interface Query extends PatternOptions {
  readonly pattern: string;
  /** real path of a directory or a file */
  readonly root: string;
  readonly glob: string | undefined;
}

/** A file, or one part of a document, with its matching lines (1-based, ascending; in a part from its start). */
export interface FileHits {
  readonly file: string;
  readonly lines: readonly number[];
  /** matching lines of the whole file */
  readonly weight: number;
  readonly part?: Part;
}

export interface Found {
  /** by weight descending, then path ascending, then part */
  readonly hits: readonly FileHits[];
  /** files that match, and matching lines in all of them */
  readonly files: number;
  readonly total: number;
  /** the deadline came first: what is there is right, and there may be more */
  readonly partial: boolean;
  /** files over FILE_LIMIT that were left out */
  readonly tooLarge: number;
}

interface SearchOptions {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly access: Pick<Access, 'isSecret' | 'holdsKey' | 'refuseKey'>;
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
  readonly #hits: FileHits[] = [];
  #files = 0;
  readonly #query: Query;
  readonly #pattern: Pattern;
  readonly #options: SearchOptions;
  readonly #end: number;
  readonly #documents: boolean;
  #partial = false;
  #tooLarge = 0;

  constructor(query: Query, pattern: Pattern, options: SearchOptions) {
    this.#query = query;
    this.#pattern = pattern;
    this.#options = options;
    this.#end = performance.now() + options.deadlineMs;
    this.#documents = query.glob !== undefined && DOCUMENT_GLOB.test(query.glob);
  }

  async tree(): Promise<void> {
    const running = new Set<Promise<void>>();
    const files = walk(this.#query.root, {
      glob: this.#query.glob,
      secret: (file) => this.#options.access.isSecret(file),
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
    const bytes = await readUpTo(file, Math.min(limit, WHOLE_LIMIT));
    if (bytes === 'too large') {
      if (limit !== Infinity) this.#tooLarge++;
      else await this.#huge(file);
      return;
    }
    if (!bytes) return;
    if (limit === Infinity) this.#options.access.refuseKey(file, bytes);
    else if (this.#options.access.holdsKey(file, bytes)) return;
    if (this.#documents || limit === Infinity) {
      const parts = await documentParts(file, bytes, this.#options.signal);
      if (parts) return this.#document(file, parts);
    }
    if (ruledOut(bytes, this.#pattern, this.#query.ignoreCase)) return;
    const content = searchable(bytes);
    if (!content) return;
    const lines = matchingLines(content.text, content.ascii, this.#pattern, this.#query);
    if (lines.length > 0) this.#add([{ file, lines, weight: lines.length }]);
  }

  /** A file too large to be held, in pieces that end with a line. */
  async #huge(file: string): Promise<void> {
    const found: number[] = [];
    let before = 0;
    for await (const piece of wholeLines(file)) {
      if (this.#stop()) break;
      if (before === 0) this.#options.access.refuseKey(file, piece);
      const content = searchable(piece);
      // a NUL in a later piece ends the search, as in a file that is held
      if (!content) break;
      if (!ruledOut(piece, this.#pattern, this.#query.ignoreCase)) {
        for (const line of matchingLines(content.text, content.ascii, this.#pattern, this.#query))
          found.push(before + line);
      }
      before += countLines(piece);
    }
    if (found.length > 0) this.#add([{ file, lines: found, weight: found.length }]);
  }

  #document(file: string, parts: readonly Part[]): void {
    const found = parts.flatMap((part) => {
      const lines = matchingLines(part.text, isAsciiText(part.text), this.#pattern, this.#query);
      return lines.length > 0 ? [{ part, lines }] : [];
    });
    const weight = found.reduce((sum, each) => sum + each.lines.length, 0);
    if (found.length > 0) this.#add(found.map((each) => ({ file, weight, ...each })));
  }

  #add(hits: readonly FileHits[]): void {
    this.#files++;
    for (const each of hits) this.#hits.push(each);
  }

  found(): Found {
    // a stable sort keeps the parts of a document in their order
    const hits = this.#hits.sort((a, b) => b.weight - a.weight || compareBytes(a.file, b.file));
    return {
      hits,
      files: this.#files,
      total: hits.reduce((sum, each) => sum + each.lines.length, 0),
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
  const handle = await openToRead(file).catch(() => undefined);
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

/** The parts of a document; undefined for any other file. */
async function documentParts(file: string, bytes: Buffer, signal: AbortSignal): Promise<readonly Part[] | undefined> {
  const head = bytes.subarray(0, SNIFF_BYTES);
  if (head.toString('latin1', 0, 5) !== '%PDF-' && !head.includes(0)) return undefined;
  const { isDocument, readDocument } = await import('@hanzo/search/documents');
  if (!isDocument(file, head)) return undefined;
  const document = await readDocument(file, signal);
  return document.kind === 'unknown' ? undefined : document.parts;
}
