// A file of a few byte sections that is read whole: one header, one sum, one read into shared memory.
import { closeSync, fstatSync, openSync } from 'node:fs';
import { checksum, readFully, readSummed } from './checksum.ts';
import { DamagedError } from './damaged.ts';
import { codeOf } from './files.ts';

/** 64 words: two of magic, byte order, version, kind, count, sum of the body, lengths; the last one sums the header */
const HEADER_WORDS = 64;
const HEADER_BYTES = HEADER_WORDS * 4;
const LENGTHS = 8;
const MOST = HEADER_WORDS - 1 - LENGTHS;
const MAGIC = [0x7a6e_6168, 0x7462_736f] as const; // "hanzosbt" read as two little-endian words
const ORDER = 0x0102_0304;
const VERSION = 1;

const padded = (length: number): number => (length + 7) & ~7;

export interface Sections {
  /** each starts at a multiple of eight bytes of one SharedArrayBuffer */
  readonly parts: readonly Uint8Array<SharedArrayBuffer>[];
  /** names the content: the sum in the header, which covers the sum of the body */
  readonly sum: number;
  readonly bytes: number;
}

/** What such a file holds, and the sum that names it. */
export function encodeSections(kind: number, sections: readonly Uint8Array[]): { image: Uint8Array; sum: number } {
  if (sections.length > MOST) throw new Error(`at most ${MOST} sections`);
  const length = HEADER_BYTES + sections.reduce((total, section) => total + padded(section.length), 0);
  const image = new Uint8Array(length);
  let at = HEADER_BYTES;
  for (const section of sections) {
    image.set(section, at);
    at += padded(section.length);
  }
  const words = new Uint32Array(image.buffer, 0, HEADER_WORDS);
  words.set([...MAGIC, ORDER, VERSION, kind, sections.length, checksum(image.subarray(HEADER_BYTES))]);
  sections.forEach((section, index) => (words[LENGTHS + index] = section.length));
  const sum = checksum(image.subarray(0, HEADER_BYTES - 4));
  words[HEADER_WORDS - 1] = sum;
  return { image, sum };
}

/** Reads `file`, all of which is checked. Throws a `DamagedError`, also when it is not there. */
export function readSections(file: string, kind: number, count: number): Sections {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    throw new DamagedError(file, `cannot be opened (${codeOf(error) ?? String(error)})`);
  }
  try {
    const header = new Uint8Array(HEADER_BYTES);
    readFully(fd, header, 0, file);
    const words = new Uint32Array(header.buffer);
    if (words[0] !== MAGIC[0] || words[1] !== MAGIC[1] || words[4] !== kind)
      throw new DamagedError(file, 'is of another kind');
    if (words[2] !== ORDER) throw new DamagedError(file, 'was written on a machine of another byte order');
    if (words[3] !== VERSION) throw new DamagedError(file, 'is of another version');
    const sum = checksum(header.subarray(0, HEADER_BYTES - 4));
    if (words[HEADER_WORDS - 1] !== sum || words[5] !== count) {
      throw new DamagedError(file, 'has an altered header');
    }
    const lengths = [...words.subarray(LENGTHS, LENGTHS + count)];
    const length = lengths.reduce((total, part) => total + padded(part), 0);
    if (fstatSync(fd).size !== HEADER_BYTES + length) throw new DamagedError(file, 'is not as long as it says');
    const body = new Uint8Array(new SharedArrayBuffer(length));
    if (readSummed(fd, body, HEADER_BYTES, file) !== words[6]) throw new DamagedError(file, 'is altered');
    let at = 0;
    const parts = lengths.map((part) => {
      const view = new Uint8Array(body.buffer, at, part);
      at += padded(part);
      return view;
    });
    return { parts, sum, bytes: HEADER_BYTES + length };
  } finally {
    closeSync(fd);
  }
}

/** A section as the array that was written; a length that is no multiple of the element's is damage. */
export function asWords(part: Uint8Array<SharedArrayBuffer> | undefined, count: number, file: string): Uint32Array {
  if (part?.length !== count * 4) throw new DamagedError(file, 'has a column of another length');
  return new Uint32Array(part.buffer, part.byteOffset, count);
}

export function asDoubles(part: Uint8Array<SharedArrayBuffer> | undefined, count: number, file: string): Float64Array {
  if (part?.length !== count * 8) throw new DamagedError(file, 'has a column of another length');
  return new Float64Array(part.buffer, part.byteOffset, count);
}

export function asBytes(part: Uint8Array<SharedArrayBuffer> | undefined, count: number, file: string): Uint8Array {
  if (part?.length !== count) throw new DamagedError(file, 'has a column of another length');
  return part;
}
