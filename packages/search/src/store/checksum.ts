// The checksum of every index file, and whole reads of what it covers.
import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamagedError } from './damaged.ts';
import { codeOf } from './files.ts';

/** fits a core's own cache */
const PIECE = 1 << 18;

/**
 * CRC-32 as zlib has it. Any one altered byte, and any run of up to four, is always noticed; Node's own runs at about 5 GB/s
 * from the first call on, which no checksum written in JavaScript reaches, and one in WASM only for 64-bit sums with weaker
 * promises.
 */
export function checksum(bytes: Uint8Array): number {
  return crc32(bytes);
}

/** Fills `into` from `position`. A file that ends before, or that the disk does not give back, is damaged. */
export function readFully(fd: number, into: Uint8Array, position: number, file: string): void {
  let done = 0;
  while (done < into.length) {
    let read: number;
    try {
      read = readSync(fd, into, done, into.length - done, position + done);
    } catch (error) {
      throw new DamagedError(file, `cannot be read (${codeOf(error) ?? String(error)})`);
    }
    if (read === 0) throw new DamagedError(file, 'is shorter than it says');
    done += read;
  }
}

/** Fills `into` and sums it, piece by piece: bytes that were just read are summed far faster than those of a moment ago. */
export function readSummed(fd: number, into: Uint8Array, position: number, file: string): number {
  let sum = 0;
  for (let at = 0; at < into.length; at += PIECE) {
    const piece = into.subarray(at, at + PIECE);
    readFully(fd, piece, position + at, file);
    sum = crc32(piece, sum);
  }
  return sum;
}

/** The bytes a typed array lies in. */
export function bytesOf(array: Uint32Array | Float64Array | Uint8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
