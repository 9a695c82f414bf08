// The log of one stream: in memory while it is small, then a file on disk up to a bound, then only its last part.
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

/** Bytes kept in memory before a file is opened; later the size of the write buffer. */
const BLOCK = 64 * 1024;
/** Bytes of the newest output kept once the file may not grow. */
const RING = 1024 * 1024;

/** Append-only bytes with random access. Positions are counted from the first byte ever written. */
export class Store {
  readonly #file: string;
  readonly #maxFile: number;
  #fd: number | undefined;
  #onDisk = 0;
  #block = Buffer.allocUnsafe(1024);
  #inBlock = 0;
  #ring: Buffer | undefined;
  #ringed = 0;

  /** `file` is created when it is needed. */
  constructor(file: string, maxFile: number) {
    this.#file = file;
    this.#maxFile = maxFile;
  }

  /** bytes written so far */
  get size(): number {
    return this.#kept + this.#ringed;
  }

  /** the span that is gone for good: it came after the bound and is no longer among the newest */
  get lost(): { from: number; to: number } | undefined {
    if (this.#ringed <= RING) return undefined;
    return { from: this.#kept, to: this.size - RING };
  }

  get #kept(): number {
    return this.#onDisk + this.#inBlock;
  }

  append(bytes: Uint8Array): void {
    if (this.#ring) return this.#turn(bytes);
    const room = this.#maxFile - this.#kept;
    if (bytes.length > room) {
      this.append(bytes.subarray(0, room));
      this.#flush();
      return this.#turn(bytes.subarray(room));
    }
    if (this.#inBlock + bytes.length > BLOCK) {
      this.#flush();
      if (this.#ring) return this.#turn(bytes);
      if (bytes.length > BLOCK / 2) return this.#toDisk(bytes);
    }
    this.#reserve(this.#inBlock + bytes.length);
    this.#block.set(bytes, this.#inBlock);
    this.#inBlock += bytes.length;
  }

  /** Takes the last `count` bytes off again. False where that is not possible any more. */
  shorten(count: number): boolean {
    if (this.#ring || count > this.#kept) return false;
    if (count <= this.#inBlock) {
      this.#inBlock -= count;
      return true;
    }
    this.#onDisk -= count - this.#inBlock;
    this.#inBlock = 0;
    if (this.#fd !== undefined) ftruncateSync(this.#fd, this.#onDisk);
    return true;
  }

  /** The bytes of [from, to) that are still there, in order. */
  read(from: number, to: number): Buffer {
    const parts: Buffer[] = [];
    if (from < this.#onDisk && this.#fd !== undefined) {
      const wanted = Buffer.allocUnsafe(Math.min(to, this.#onDisk) - from);
      parts.push(wanted.subarray(0, readSync(this.#fd, wanted, 0, wanted.length, from)));
    }
    const start = Math.max(from - this.#onDisk, 0);
    const end = Math.min(to - this.#onDisk, this.#inBlock);
    if (end > start) parts.push(Buffer.from(this.#block.subarray(start, end)));
    if (this.#ring && to > this.#kept) {
      const oldest = Math.max(this.#ringed - RING, 0);
      for (let at = Math.max(from - this.#kept, oldest); at < to - this.#kept && at < this.#ringed;) {
        const place = at % RING;
        const length = Math.min(RING - place, to - this.#kept - at, this.#ringed - at);
        parts.push(Buffer.from(this.#ring.subarray(place, place + length)));
        at += length;
      }
    }
    return Buffer.concat(parts);
  }

  /** Removes the file. Nothing can be read afterwards. */
  close(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    rmSync(this.#file, { force: true });
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#block.length) return;
    const larger = Buffer.allocUnsafe(Math.min(BLOCK, Math.max(bytes, this.#block.length * 4)));
    this.#block.copy(larger, 0, 0, this.#inBlock);
    this.#block = larger;
  }

  #flush(): void {
    const bytes = this.#block.subarray(0, this.#inBlock);
    this.#inBlock = 0;
    this.#toDisk(bytes);
  }

  #toDisk(bytes: Uint8Array): void {
    let done = 0;
    try {
      this.#fd ??= openSync(this.#file, 'wx+', 0o600);
      while (done < bytes.length) {
        const written = writeSync(this.#fd, bytes, done, bytes.length - done, this.#onDisk);
        done += written;
        this.#onDisk += written;
      }
    } catch {
      // The disk is full or the folder is gone: the command goes on, and the newest output stays readable.
      this.#turn(bytes.subarray(done));
    }
  }

  #turn(bytes: Uint8Array): void {
    this.#ring ??= Buffer.allocUnsafe(RING);
    const skipped = Math.max(bytes.length - RING, 0);
    let at = skipped;
    while (at < bytes.length) {
      const place = (this.#ringed + at) % RING;
      const length = Math.min(RING - place, bytes.length - at);
      this.#ring.set(bytes.subarray(at, at + length), place);
      at += length;
    }
    this.#ringed += bytes.length;
  }
}
