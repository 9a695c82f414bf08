// Bytes that can be read at a place: a file, or a member that was unpacked.
import { readSync } from 'node:fs';

export interface Source {
  readonly size: number;
  /** up to `length` bytes from `at`; fewer at the end */
  read(at: number, length: number): Buffer;
}

/** A file that is open. */
export function fileSource(fd: number, size: number): Source {
  return {
    size,
    read(at, length) {
      const wanted = Math.max(0, Math.min(length, size - at));
      const buffer = Buffer.allocUnsafe(wanted);
      let got = 0;
      while (got < wanted) {
        const count = readSync(fd, buffer, got, wanted - got, at + got);
        if (count === 0) break;
        got += count;
      }
      return buffer.subarray(0, got);
    },
  };
}

/** Bytes in memory. */
export function bufferSource(buffer: Buffer): Source {
  return { size: buffer.length, read: (at, length) => buffer.subarray(at, at + length) };
}
