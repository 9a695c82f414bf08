// Reads a file into a scanner's room, with the stamps that name what was read. Never follows a link, never waits for a pipe.
import fs from 'node:fs';
import type { LineScanner } from '../match/types.ts';

const FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

/** An open file and its stamps; one object is used for many files. */
export class OpenFile {
  ctime = 0;
  size = 0;
  ino = 0;
  #fd = -1;

  /** False if it is not there, not a regular file, or not readable. */
  open(path: string, follow = false): boolean {
    return this.openBlind(path, follow) && this.look();
  }

  /** Opens without a look: what it is, and its stamps, are not known. False if it cannot be opened. */
  openBlind(path: string, follow = false): boolean {
    try {
      this.#fd = fs.openSync(path, follow ? FLAGS & ~fs.constants.O_NOFOLLOW : FLAGS);
      return true;
    } catch {
      return false;
    }
  }

  /** Takes the stamps of the open file. False, and closed, if it is not a regular one. */
  look(): boolean {
    try {
      const stat = fs.fstatSync(this.#fd);
      if (stat.isFile()) {
        this.ctime = stat.ctimeMs;
        this.size = stat.size;
        this.ino = stat.ino;
        return true;
      }
    } catch {
      // told by the result
    }
    this.close();
    return false;
  }

  /** Reads `[offset, offset + length)`, less where the file ends; -1 if it cannot be read. */
  block(scanner: LineScanner, offset: number, length: number): number {
    const room = scanner.room(length);
    try {
      let at = 0;
      while (at < length) {
        const read = fs.readSync(this.#fd, room, at, length - at, offset + at);
        if (read === 0) break;
        at += read;
      }
      return at;
    } catch {
      return -1;
    }
  }

  /** Reads all of it, also what was added since it was opened; -1 if it cannot be read, -2 if it is more than `limit`. */
  whole(scanner: LineScanner, limit: number): number {
    return this.#read(scanner, limit, Math.min(this.size, limit) + 1, this.size > 0);
  }

  /** The same of a file nobody has looked at, where a short read is a file's end. */
  wholeBlind(scanner: LineScanner, limit: number): number {
    return this.#read(scanner, limit, Math.min(scanner.room(1).length, limit + 1), true);
  }

  #read(scanner: LineScanner, limit: number, first: number, sized: boolean): number {
    let capacity = first;
    let at = 0;
    try {
      let room = scanner.room(capacity);
      for (;;) {
        const read = fs.readSync(this.#fd, room, at, capacity - at, at);
        at += read;
        if (at > limit) return -2;
        // a short read of a regular file is its end; files of /proc have no size, and are read until nothing comes
        if (read === 0 || (at < capacity && sized)) return at;
        if (at === capacity) {
          // what is in the room stays
          capacity = Math.min(limit + 1, capacity * 2 + 65_536);
          room = scanner.room(capacity);
        }
      }
    } catch {
      return -1;
    }
  }

  close(): void {
    if (this.#fd < 0) return;
    const fd = this.#fd;
    this.#fd = -1;
    try {
      fs.closeSync(fd);
    } catch {
      // nothing was written
    }
  }
}
