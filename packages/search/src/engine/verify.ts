// Searches the items of a job one by one, on whichever thread it is called. Writes results, decides nothing about the answer.
import type { LineScanner } from '../match/types.ts';
import { NUL, UTF16, UTF8_MARK, WITHHELD } from '../match/types.ts';
import { pathOf } from '../tree/table.ts';
import {
  BINARY,
  DIFFERS,
  GONE,
  HELD_BACK,
  RULED_OUT,
  SEARCHED,
  TOO_LARGE,
  type How,
  type Lot,
  type Results,
} from './job.ts';
import { OpenFile } from './read.ts';

/** Bytes of a file's start that are looked at for what is withheld. */
const START_BYTES = 200;
/** Time stamps younger than this when a file was read may stay as they are when it is written again. */
const RACY_MS = 2000;
/** More lines of one file than this are not told apart into definitions and uses. */
const MOST_LINES = 0x7fffffff;

/** What only some searches need; loaded by the side that makes the verifier. */
export interface Extras {
  /** is the line one that defines the query's symbol? */
  readonly defines?: (line: string, path: string) => boolean;
  /** do the query's globs let the path through? */
  readonly passes?: (path: string) => boolean;
}

export class Verifier {
  readonly #how: How;
  readonly #scanner: LineScanner;
  readonly #extras: Extras;
  readonly #withhold: RegExp | undefined;
  readonly #file = new OpenFile();
  readonly #since = Date.now() - RACY_MS;

  constructor(how: How, scanner: LineScanner, extras: Extras) {
    this.#how = how;
    this.#scanner = scanner;
    this.#extras = extras;
    this.#withhold = how.withhold === undefined ? undefined : new RegExp(how.withhold);
  }

  /** Searches item `at` of the lot, whose first item has number `base` in the results. */
  item(lot: Lot, at: number, base: number, results: Results): void {
    const index = lot.files[at]!;
    const slot = base + at;
    const name = pathOf(lot.table, index);
    if (this.#extras.passes?.(name) === false) {
      results.state[slot] = RULED_OUT;
      return;
    }
    if (this.#how.sized === true && !lot.trusted) {
      results.state[slot] = this.#blind(name, slot, results);
      return;
    }
    const file = this.#file;
    if (!file.open(`${this.#how.root}/${name}`)) {
      results.state[slot] = GONE;
      return;
    }
    try {
      this.#stamp(slot, results);
      const { table } = lot;
      const same =
        lot.trusted &&
        file.ctime === table.ctime[index] &&
        file.size === table.size[index] &&
        file.ino === table.ino[index];
      if (same) this.#known(lot, at, index, name, slot, results);
      else results.state[slot] = this.#unknown(name, slot, results) | (lot.trusted ? DIFFERS : 0);
    } finally {
      file.close();
    }
  }

  /** A file whose kind and blocks are those that were indexed. */
  #known(lot: Lot, at: number, index: number, name: string, slot: number, results: Results): void {
    const flags = lot.table.flags[index]!;
    const { blocks } = lot;
    const from = blocks?.start[at] ?? 0;
    const to = blocks?.start[at + 1] ?? 0;
    let count = 0;
    let definitions = 0;
    if (to > from && (flags & UTF16) === 0) {
      const mark = (flags & UTF8_MARK) === 0 ? 0 : 3;
      for (let k = from; k < to; k++) {
        const doc = blocks!.list[k]!;
        const length = this.#file.block(this.#scanner, mark + blocks!.docs.offset[doc]!, blocks!.docs.length[doc]!);
        if (length < 0) {
          results.state[slot] = GONE;
          return;
        }
        count += this.#lines(length, flags, name);
        definitions += this.#definitions;
      }
    } else {
      const length = this.#file.whole(this.#scanner, this.#how.maxFileBytes);
      if (length < 0) {
        results.state[slot] = GONE;
        return;
      }
      const text = (flags & (UTF8_MARK | UTF16)) === 0 ? length : this.#scanner.normalise(length).length;
      count = this.#lines(text, flags, name);
      definitions = this.#definitions;
    }
    results.count[slot] = count;
    if (results.definitions) results.definitions[slot] = definitions;
    results.state[slot] = SEARCHED | ((flags & WITHHELD) === 0 ? 0 : HELD_BACK);
  }

  #stamp(slot: number, { stamps }: Results): void {
    const { ctime, size, ino } = this.#file;
    stamps[slot * 3] = ctime;
    stamps[slot * 3 + 1] = size;
    stamps[slot * 3 + 2] = ino;
  }

  /** A file of which nothing is known, and whose stamps count only if lines match: most files are never asked for them. */
  #blind(name: string, slot: number, results: Results): number {
    const file = this.#file;
    if (!file.openBlind(`${this.#how.root}/${name}`)) return GONE;
    try {
      const read = file.wholeBlind(this.#scanner, this.#how.maxFileBytes);
      if (read >= 0 && this.#scanner.lacks(read)) return SEARCHED;
      const state = this.#text(read, name, slot, results);
      if (state !== SEARCHED && state !== (SEARCHED | HELD_BACK)) return state;
      if (results.count[slot] === 0) return state;
      if (!file.look()) return GONE;
      this.#stamp(slot, results);
      // what was read is what the stamps stand for, unless it was written since the search began
      return file.ctime < this.#since && file.size === read ? state : this.#unknown(name, slot, results);
    } finally {
      file.close();
    }
  }

  #unknown(name: string, slot: number, results: Results): number {
    return this.#text(this.#file.whole(this.#scanner, this.#how.maxFileBytes), name, slot, results);
  }

  /** Searches the `read` bytes in the room. */
  #text(read: number, name: string, slot: number, results: Results): number {
    if (read === -2) return TOO_LARGE;
    if (read < 0) return GONE;
    const held = this.#withhold?.test(this.#start(read)) === true ? HELD_BACK : 0;
    const { length, flags } = this.#scanner.normalise(read);
    if ((flags & NUL) !== 0) return BINARY;
    results.count[slot] = this.#lines(length, flags, name);
    if (results.definitions) results.definitions[slot] = this.#definitions;
    return SEARCHED | held;
  }

  #start(length: number): string {
    const bytes = this.#scanner.room(length).subarray(0, Math.min(length, START_BYTES));
    return Buffer.from(bytes).toString('latin1');
  }

  #definitions = 0;

  /** Matching lines of the text in the room; how many of them are definitions goes to `#definitions`. */
  #lines(length: number, flags: number, name: string): number {
    const { defines } = this.#extras;
    if (!defines) return this.#scanner.count(length, flags);
    this.#definitions = 0;
    const { spans } = this.#scanner.lines(length, flags, MOST_LINES);
    if (spans.length > 0) {
      const room = this.#scanner.room(length);
      const text = Buffer.from(room.buffer, room.byteOffset, length);
      for (let k = 0; k < spans.length; k += 2) {
        if (defines(text.toString('utf8', spans[k], spans[k + 1]), name)) this.#definitions++;
      }
    }
    return spans.length / 2;
  }
}
