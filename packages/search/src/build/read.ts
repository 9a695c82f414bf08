// Reads one file of the tree as the index sees it: its stamps, its flags, and its text in the room of the inverted index.
// Never follows a link, never waits for a pipe, never throws for what a file is.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { FOLDS_TO_ASCII, NON_ASCII, NUL, UNREAD, UTF16, UTF8_MARK, WITHHELD } from '../match/types.ts';
import { blocksOf, DIVIDED_FROM } from './blocks.ts';
import type { Inverted } from './inverted.ts';

// not every system has all of them
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** what changes within so many milliseconds of being read may change again without another stamp */
const RACY = 2000;

/** How much of a file says whether it is withheld (IndexOptions.withhold). */
const HEAD = 200;

const KELVIN = Buffer.from('\u212a');
const LONG_S = Buffer.from('\u017f');

/** What was read last. */
export interface Reading {
  /** 0 where what was read may not be what is there now: such a file counts as changed */
  ctime: number;
  size: number;
  ino: number;
  /** bits of match/types.ts */
  flags: number;
  /** where the text is in the room; 0 bytes if there is none to index */
  from: number;
  length: number;
}

export class FileReader {
  readonly reading: Reading = { ctime: 0, size: 0, ino: 0, flags: 0, from: 0, length: 0 };
  readonly #inverted: Inverted;
  readonly #maxFileBytes: number;
  readonly #withhold: RegExp | undefined;

  readonly #now: () => number;

  constructor(inverted: Inverted, maxFileBytes: number, withhold: string | undefined, now: () => number = Date.now) {
    this.#now = now;
    this.#inverted = inverted;
    this.#maxFileBytes = maxFileBytes;
    this.#withhold = withhold === undefined ? undefined : new RegExp(withhold);
  }

  /** Reads `path`; `reading` says what came of it. */
  read(path: string): void {
    const { reading } = this;
    Object.assign(reading, { ctime: 0, size: 0, ino: 0, flags: UNREAD, from: 0, length: 0 });
    let fd: number;
    const startedAt = this.#now();
    try {
      fd = openSync(path, FLAGS);
    } catch (error) {
      // anything else, as too many open files, says nothing of this one
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EPERM') this.#stampUnreadable(path, startedAt);
      return;
    }
    try {
      const before = fstatSync(fd);
      if (!before.isFile()) return;
      this.#stamp(before, startedAt);
      if (before.size > this.#maxFileBytes) return;
      const length = this.#readAll(fd, before.size);
      const after = fstatSync(fd);
      if (length !== before.size || after.size !== before.size || after.ctimeMs !== before.ctimeMs) reading.ctime = 0;
      if (length > this.#maxFileBytes) return;
      this.#understand(length);
    } catch (error) {
      // anything but the system's word on this file, as a lack of memory, ends the build
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      // what cannot be read today may be readable tomorrow without another stamp
      reading.ctime = 0;
      reading.flags = UNREAD;
    } finally {
      closeSync(fd);
    }
  }

  /** Documents of what was read, as `blocksOf` gives them; a transcoded file is one, as it cannot be read from the middle. */
  blocks(): number[] {
    const { from, length, flags } = this.reading;
    if ((flags & UTF16) !== 0 || length <= DIVIDED_FROM) return [0, length];
    return blocksOf(this.#inverted.room(from + length).subarray(from));
  }

  /** A file without permission keeps its stamps, so that giving the permission counts as a change. */
  #stampUnreadable(path: string, startedAt: number): void {
    try {
      const stat = lstatSync(path);
      if (stat.isFile()) this.#stamp(stat, startedAt);
    } catch {
      // it is gone
    }
  }

  #stamp(stat: Stats, startedAt: number): void {
    const { reading } = this;
    reading.ctime = stat.ctimeMs > startedAt - RACY ? 0 : stat.ctimeMs;
    reading.size = stat.size;
    reading.ino = stat.ino;
  }

  /** Bytes read: one more than `size` if there were more. */
  #readAll(fd: number, size: number): number {
    const room = this.#inverted.room(size + 1);
    let at = 0;
    while (at <= size) {
      const read = readSync(fd, room, at, size + 1 - at, at);
      at += read;
      // a short read of a regular file is its end
      if (read === 0 || at === size) break;
    }
    return at;
  }

  /** Takes marks off, transcodes, and finds the flags of `length` bytes in the room. */
  #understand(length: number): void {
    const { reading } = this;
    let room = this.#inverted.room(length);
    let flags = 0;
    if (this.#withhold?.test(room.toString('latin1', 0, Math.min(length, HEAD)))) flags |= WITHHELD;
    const [a, b, c] = room;
    if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
      flags |= UTF16;
      const text = Buffer.from(new TextDecoder(a === 0xff ? 'utf-16le' : 'utf-16be').decode(room));
      room = this.#inverted.room(text.length);
      room.set(text);
      length = text.length;
    } else if (a === 0xef && b === 0xbb && c === 0xbf) {
      flags |= UTF8_MARK;
      reading.from = 3;
      length -= 3;
    }
    const { high, nul } = this.#inverted.classify(reading.from, length);
    if (nul) {
      reading.flags = flags | NUL | (high ? NON_ASCII : 0);
      return;
    }
    if (high) {
      flags |= NON_ASCII;
      if (room.includes(KELVIN) || room.includes(LONG_S)) flags |= FOLDS_TO_ASCII;
    }
    reading.flags = flags;
    reading.length = length;
  }
}
