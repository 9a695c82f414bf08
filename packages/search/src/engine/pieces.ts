// One named file searched from its start to its first NUL, in pieces of whole lines where it is too large to be held.
import { isAscii } from 'node:buffer';
import { FOLDS_TO_ASCII, NON_ASCII, NUL, UTF16, UTF8_MARK } from '../match/types.ts';
import { type Excerpt, type ShownLine, type Tools } from './excerpt.ts';
import { type How, STOP } from './job.ts';
import { LineCounter, showLines, spanner, type Wanted } from './lines.ts';
import { OpenFile } from './read.ts';

/** Up to this a file is held as a whole. */
const WHOLE = 16 * 1024 * 1024;
/** The same where pieces will not do: matches that cross lines, and UTF-16. Beyond it such a file is not searched. */
const WHOLE_AT_MOST = 512 * 1024 * 1024;
const PIECE = 4 * 1024 * 1024;
/** More hits than this in one piece are not asked for. */
const MOST = 0x7fffffff;

export interface NamedJob {
  readonly how: How;
  /** absolute path; links are followed */
  readonly file: string;
  /** the lines that are shown; undefined: only counted */
  readonly wanted: Wanted | undefined;
  readonly stamp: readonly number[] | undefined;
  /** ends the search between two pieces when its STOP is set: what was found so far is the result */
  readonly control?: Int32Array;
}

export interface NamedResult extends Excerpt {
  readonly count: number;
  readonly definitions: number;
  /** [ctime, size, ino] of what was read; undefined if it cannot be read */
  readonly stamp: readonly number[] | undefined;
  /** why it was not searched */
  readonly reason?: string;
}

const UNREADABLE: NamedResult = {
  lines: [],
  changed: true,
  count: 0,
  definitions: 0,
  stamp: undefined,
  reason: 'cannot be read',
};

/** Searches the file, a piece between two yields. */
export function* searchPieces(job: NamedJob, tools: Tools): Generator<void, NamedResult> {
  const file = new OpenFile();
  if (!file.open(job.file, true)) return UNREADABLE;
  try {
    const stamp = [file.ctime, file.size, file.ino];
    const search = new PieceSearch(job, tools);
    const done = file.size <= WHOLE ? search.whole(file, WHOLE) : yield* search.large(file);
    const { lines, count, definitions } = search;
    const changed = job.stamp !== undefined && job.stamp.some((each, k) => each !== stamp[k]);
    const short = job.wanted !== undefined && lines.length < job.wanted.take;
    return {
      lines,
      count,
      definitions,
      stamp,
      changed: changed || short,
      ...(done === undefined ? {} : { reason: done }),
    };
  } finally {
    file.close();
  }
}

class PieceSearch {
  readonly lines: ShownLine[] = [];
  count = 0;
  definitions = 0;
  readonly #job: NamedJob;
  readonly #tools: Tools;
  /** wanted hits that are still to be passed over, and to be shown */
  #skip: number;
  #take: number;
  #line = 1;

  constructor(job: NamedJob, tools: Tools) {
    this.#job = job;
    this.#tools = tools;
    this.#skip = job.wanted?.skip ?? 0;
    this.#take = job.wanted?.take ?? 0;
  }

  /** Searches what is held at once; answers why it was not. */
  whole(file: OpenFile, limit: number): string | undefined {
    const { scanner } = this.#tools;
    const read = file.whole(scanner, limit);
    if (read < 0) return read === -2 ? 'too large to be searched' : 'cannot be read';
    const { length, flags } = scanner.normalise(read);
    const usable = (flags & NUL) === 0 ? length : scanner.room(length).indexOf(0);
    this.#text(usable, flags & ~NUL, 0, usable, 0);
    return undefined;
  }

  *large(file: OpenFile): Generator<void, string | undefined> {
    const { scanner } = this.#tools;
    const start = file.block(scanner, 0, 3);
    if (start < 0) return 'cannot be read';
    const [a, b, c] = scanner.room(3);
    const wide = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
    if (wide || this.#job.how.spec.multiline) return this.whole(file, WHOLE_AT_MOST);
    let at = a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
    let kept = Buffer.alloc(0);
    let fresh = 0;
    for (let last = false; !last;) {
      if (this.#job.wanted && this.#take === 0) break;
      if (this.#job.control && Atomics.load(this.#job.control, STOP) === 1) break;
      const read = file.block(scanner, at, PIECE);
      if (read < 0) return 'cannot be read';
      const bytes = Buffer.concat([kept, scanner.room(PIECE).subarray(0, read)]);
      at += read;
      last = read < PIECE;
      const nul = bytes.indexOf(0, fresh);
      let length = bytes.length;
      if (nul >= 0) {
        length = nul;
        last = true;
      }
      // the last lines are left for the next piece, which has what stands behind them
      const edge = last ? length : startOfLines(bytes, length, (this.#job.wanted?.context ?? 0) + 1, fresh);
      if (edge > fresh || last) {
        const text = bytes.subarray(0, length);
        scanner.room(length).set(text);
        this.#text(length, flagsOf(text), fresh, edge, at - bytes.length);
        const from = startOfLines(bytes, edge, this.#job.wanted?.context ?? 0, 0);
        this.#line += countLines(bytes.subarray(0, from));
        kept = Buffer.from(bytes.subarray(from));
        fresh = edge - from;
      } else kept = bytes;
      yield;
    }
    return undefined;
  }

  /** The hits of the text in the room that start in `[fresh, edge)`; the text starts at byte `offset` of the file. */
  #text(length: number, flags: number, fresh: number, edge: number, offset: number): void {
    const { scanner, matcher, defines } = this.#tools;
    const { wanted, how, file } = this.#job;
    if (!wanted && !defines && fresh === 0 && edge === length) {
      this.count += scanner.count(length, flags);
      return;
    }
    const hits = scanner.lines(length, flags, MOST).spans;
    const first = firstFrom(hits, fresh);
    const end = firstFrom(hits, edge);
    this.count += end - first;
    const room = scanner.room(length);
    const bytes = Buffer.from(room.buffer, room.byteOffset, length);
    if (!wanted) {
      if (!defines) return;
      for (let k = first; k < end; k++) {
        if (defines(bytes.toString('utf8', hits[2 * k], hits[2 * k + 1]), file)) this.definitions++;
      }
      return;
    }
    const passed = Math.min(this.#skip, end - first);
    this.#skip -= passed;
    const take = Math.min(this.#take, end - first - passed);
    if (take === 0) return;
    this.#take -= take;
    const spansOf = spanner(bytes, matcher, how.spec.multiline);
    const shown = showLines(
      { bytes, hits, firstLine: this.#line, spansOf },
      { skip: first + passed, take, context: wanted.context },
    );
    for (const line of shown) {
      this.lines.push({
        ...line,
        offset: offset + inFile(line.offset, bytes, flags),
        ...(defines ? { type: defines(line.text, file) ? ('definition' as const) : ('reference' as const) } : {}),
      });
    }
  }
}

function inFile(offset: number, bytes: Buffer, flags: number): number {
  if ((flags & UTF16) !== 0) return 2 + 2 * bytes.toString('utf8', 0, offset).length;
  return (flags & UTF8_MARK) !== 0 ? offset + 3 : offset;
}

/** What `normalise` would say of text without a mark; that it folds is assumed, which only costs time. */
function flagsOf(text: Buffer): number {
  return isAscii(text) ? 0 : NON_ASCII | FOLDS_TO_ASCII;
}

/** Where the last `count` lines that end at `end` start, not before `least`. */
function startOfLines(bytes: Buffer, end: number, count: number, least: number): number {
  let at = end;
  for (let left = count; left > 0 && at > least; left--) at = at < 2 ? 0 : bytes.lastIndexOf(10, at - 2) + 1;
  return Math.max(at, least);
}

function firstFrom(hits: Uint32Array, offset: number): number {
  let low = 0;
  let high = hits.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hits[2 * middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countLines(bytes: Buffer): number {
  return new LineCounter(bytes, 0).at(bytes.length);
}
