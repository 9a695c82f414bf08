// A shard as its readers see it: lists of documents by gram, each read with one call and summed before it is believed.
import { closeSync, fstatSync, openSync } from 'node:fs';
import { checksum, readFully, readSummed } from './checksum.ts';
import { DamagedError } from './damaged.ts';
import { orBitmap, orDeltas } from './bits.ts';
import {
  BLOCK_BYTES,
  blocksOf,
  decodeHeader,
  directoryAt,
  directoryBytes,
  HEADER_BYTES,
  IS_BITMAP,
  OFFSET,
  PAIRS,
} from './shard-format.ts';

export { ShardWriter } from './shard-writer.ts';

/**
 * An open shard. Opening reads and sums the directory; a block of postings is summed when it is first read, so that an
 * altered byte is noticed before it can lose a document. Every method may throw a `DamagedError`.
 */
export class ShardReader {
  readonly docs: number;
  /** names the content */
  readonly sum: number;
  readonly bytes: number;
  readonly #file: string;
  readonly #fd: number;
  readonly #postings: number;
  readonly #first: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #sums: Uint32Array;
  readonly #third: Uint8Array;
  /** one byte for each block that was found right */
  readonly #checked: Uint8Array;
  #room = new Uint8Array(2 * BLOCK_BYTES);

  constructor(file: string) {
    this.#file = file;
    this.#fd = openSync(file, 'r');
    try {
      const head = new Uint8Array(HEADER_BYTES);
      readFully(this.#fd, head, 0, file);
      const header = decodeHeader(head);
      if (typeof header === 'string') throw new DamagedError(file, header);
      const { docs, grams, postings } = header;
      const length = directoryBytes(grams, postings);
      this.bytes = directoryAt(postings) + length;
      if (fstatSync(this.#fd).size !== this.bytes) throw new DamagedError(file, 'is not as long as it says');
      const directory = new Uint8Array(new ArrayBuffer(length));
      const sum = readSummed(this.#fd, directory, directoryAt(postings), file);
      if (sum !== header.directory) throw new DamagedError(file, 'has an altered directory');
      const { buffer } = directory;
      this.docs = docs;
      this.sum = header.sum;
      this.#postings = postings;
      this.#first = new Uint32Array(buffer, 0, PAIRS);
      this.#offsets = new Uint32Array(buffer, 4 * PAIRS, grams + 1);
      this.#sums = new Uint32Array(buffer, 4 * (PAIRS + grams + 1), blocksOf(postings));
      this.#third = new Uint8Array(buffer, length - grams, grams);
      this.#checked = new Uint8Array(this.#sums.length);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  /** Bytes of the gram's list; 0 when no document holds it. */
  gramBytes(gram: number): number {
    const list = this.#find(gram);
    return list < 0 ? 0 : this.#begin(list + 1) - this.#begin(list);
  }

  /** Bytes of all lists of grams that start with the pair. */
  pairBytes(pair: number): number {
    return this.#begin(this.#first[pair + 1] ?? 0) - this.#begin(this.#first[pair] ?? 0);
  }

  /** Adds the documents that hold the gram, the first document of the shard being `base`. */
  orGram(gram: number, into: Uint32Array, base: number): void {
    const list = this.#find(gram);
    if (list >= 0) this.#orLists(list, list + 1, into, base);
  }

  /** Adds the documents that hold a gram that starts with the pair. */
  orPair(pair: number, into: Uint32Array, base: number): void {
    this.#orLists(this.#first[pair] ?? 0, this.#first[pair + 1] ?? 0, into, base);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #begin(list: number): number {
    return (this.#offsets[list] ?? 0) & OFFSET;
  }

  /** which list is the gram's; -1 for none */
  #find(gram: number): number {
    const third = gram & 255;
    let low = this.#first[gram >>> 8] ?? 0;
    const end = this.#first[(gram >>> 8) + 1] ?? 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#third[middle] ?? 0) < third) low = middle + 1;
      else high = middle;
    }
    return low < end && this.#third[low] === third ? low : -1;
  }

  #orLists(from: number, to: number, into: Uint32Array, base: number): void {
    const start = this.#begin(from);
    const end = this.#begin(to);
    if (start === end) return;
    const bytes = this.#read(start, end);
    for (let list = from; list < to; list++) {
      const at = this.#begin(list) - start;
      const until = this.#begin(list + 1) - start;
      if (((this.#offsets[list] ?? 0) & IS_BITMAP) === 0) orDeltas(bytes, at, until, into, base);
      else orBitmap(bytes, at, until, into, base);
    }
  }

  /** `postings[start, end)`, in a buffer that the next call uses again */
  #read(start: number, end: number): Uint8Array {
    const firstBlock = Math.floor(start / BLOCK_BYTES);
    const lastBlock = Math.floor((end - 1) / BLOCK_BYTES);
    const known = this.#checked.subarray(firstBlock, lastBlock + 1).indexOf(0) < 0;
    const from = known ? start : firstBlock * BLOCK_BYTES;
    const until = known ? end : Math.min((lastBlock + 1) * BLOCK_BYTES, this.#postings);
    if (this.#room.length < until - from) this.#room = new Uint8Array(until - from);
    const bytes = this.#room.subarray(0, until - from);
    readFully(this.#fd, bytes, HEADER_BYTES + from, this.#file);
    if (known) return bytes;
    for (let block = firstBlock; block <= lastBlock; block++) {
      const at = (block - firstBlock) * BLOCK_BYTES;
      if (checksum(bytes.subarray(at, at + BLOCK_BYTES)) !== this.#sums[block]) {
        throw new DamagedError(this.#file, 'has altered postings');
      }
      this.#checked[block] = 1;
    }
    return bytes.subarray(start - from, end - from);
  }
}

/** The sum that names a shard's content, without opening it for reading. */
export function shardSum(file: string): { readonly sum: number; readonly docs: number; readonly bytes: number } {
  const reader = new ShardReader(file);
  reader.close();
  return { sum: reader.sum, docs: reader.docs, bytes: reader.bytes };
}
