// Writes one shard from front to back. What it leaves behind is complete and on disk, or `finish` was never reached.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { bytesOf, checksum } from './checksum.ts';
import { BLOCK_BYTES, encodeHeader, HEADER_BYTES, IS_BITMAP, OFFSET, PAIRS } from './shard-format.ts';

/** written at once: a whole number of blocks, so that each is summed while it is at hand */
const CHUNK = 64 * BLOCK_BYTES;

/** Grows by doubling; the number of grams is not known before the end. */
class Words {
  items = new Uint32Array(1 << 14);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.length++] = value;
  }

  used(): Uint32Array {
    return this.items.subarray(0, this.length);
  }
}

/**
 * A shard being written. Grams come in ascending order, each once; a list is LEB128 deltas (the first document, then each
 * gap less one) or a bitmap of ceil(docs / 8) bytes, whichever its maker found shorter. Lists are copied at once.
 */
export class ShardWriter {
  readonly #file: string;
  readonly #fd: number;
  readonly #chunk = new Uint8Array(CHUNK);
  #filled = 0;
  #postings = 0;
  #last = -1;
  readonly #first = new Uint32Array(PAIRS);
  readonly #offsets = new Words();
  readonly #sums = new Words();
  #third = new Uint8Array(1 << 14);
  #bitmapBytes = -1;

  constructor(file: string) {
    this.#file = file;
    this.#fd = openSync(file, 'wx', 0o600);
    writeSync(this.#fd, new Uint8Array(HEADER_BYTES));
  }

  put(gram: number, list: Uint8Array, bitmap: boolean): void {
    const { length } = list;
    const at = this.#offsets.length;
    if (gram <= this.#last || gram > 0xff_ffff) throw new Error(`${this.#file}: gram ${gram} after ${this.#last}`);
    if (this.#postings + length > OFFSET) throw new Error(`${this.#file}: a shard holds less than 2 GiB of postings`);
    if (bitmap) {
      if (this.#bitmapBytes >= 0 && length !== this.#bitmapBytes)
        throw new Error(`${this.#file}: bitmaps of two lengths`);
      this.#bitmapBytes = length;
    }
    this.#last = gram;
    // counts per pair; `finish` turns them into places
    const pair = (gram >>> 8) + 1;
    this.#first[pair] = (this.#first[pair] ?? 0) + 1;
    if (at === this.#third.length) {
      const larger = new Uint8Array(at * 2);
      larger.set(this.#third);
      this.#third = larger;
    }
    this.#third[at] = gram & 255;
    this.#offsets.push(bitmap ? this.#postings | IS_BITMAP : this.#postings);
    this.#append(list);
    this.#postings += length;
  }

  /** `docs` is how many documents the lists count over. */
  finish(docs: number): { bytes: number } {
    if (this.#bitmapBytes >= 0 && this.#bitmapBytes !== (docs + 7) >> 3) {
      throw new Error(`${this.#file}: bitmaps of ${this.#bitmapBytes} bytes for ${docs} documents`);
    }
    this.#flush();
    const grams = this.#offsets.length;
    this.#offsets.push(this.#postings);
    for (let pair = 1; pair < PAIRS; pair++)
      this.#first[pair] = (this.#first[pair] ?? 0) + (this.#first[pair - 1] ?? 0);

    const parts = [this.#first, this.#offsets.used(), this.#sums.used(), this.#third.subarray(0, grams)];
    const directory = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
    let at = 0;
    for (const part of parts) {
      directory.set(bytesOf(part), at);
      at += part.byteLength;
    }
    writeAll(this.#fd, new Uint8Array(-this.#postings & 3));
    writeAll(this.#fd, directory);
    const header = { docs, grams, postings: this.#postings, directory: checksum(directory) };
    writeSync(this.#fd, encodeHeader(header), 0, HEADER_BYTES, 0);
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    return { bytes: HEADER_BYTES + this.#postings + (-this.#postings & 3) + directory.length };
  }

  /** Gives up; the file is the caller's to remove. */
  abandon(): void {
    closeSync(this.#fd);
  }

  #append(list: Uint8Array): void {
    let from = 0;
    while (from < list.length) {
      const take = Math.min(list.length - from, CHUNK - this.#filled);
      this.#chunk.set(from === 0 && take === list.length ? list : list.subarray(from, from + take), this.#filled);
      this.#filled += take;
      from += take;
      if (this.#filled === CHUNK) this.#flush();
    }
  }

  #flush(): void {
    for (let at = 0; at < this.#filled; at += BLOCK_BYTES) {
      this.#sums.push(checksum(this.#chunk.subarray(at, Math.min(at + BLOCK_BYTES, this.#filled))));
    }
    writeAll(this.#fd, this.#chunk.subarray(0, this.#filled));
    this.#filled = 0;
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done);
}
