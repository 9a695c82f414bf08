// The bytes of lines that are not UTF-8: the engine shows them with replacement characters, ripgrep prints them as they are.
import { closeSync, openSync, readSync } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import type { Hit } from '@hanzo/search';

const REPLACEMENT = '\ufffd';
const PIECE = 64 * 1024;

/** The bytes of a hit's line without its line end, if they are not what its text encodes to. */
export function oddBytes({
  file,
  text,
  offset,
  part,
}: Pick<Hit, 'file' | 'text' | 'offset' | 'part'>): Buffer | undefined {
  if (part || !text.includes(REPLACEMENT)) return undefined;
  const bytes = lineAt(file, offset);
  return bytes && !isUtf8(bytes) && bytes.toString() === text ? bytes : undefined;
}

/** Where a UTF-16 index of a text that was made of `bytes` lies in them. */
export function byteIndex(bytes: Buffer, index: number): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bytes.toString('utf8', 0, middle).length < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bytes that `count` whole lines before `offset` take, of which there are at most `most`; undefined if that is not to be told. */
export function bytesBefore(file: string, offset: number, count: number, most: number): number | undefined {
  return reading(file, (fd) => {
    const start = Math.max(0, offset - most);
    const bytes = Buffer.alloc(offset - start);
    readSync(fd, bytes, 0, bytes.length, start);
    // the line end of the last of them is the last byte
    let at = bytes.length - 1;
    for (let line = 0; line < count && at >= 0; line++) at = at === 0 ? -1 : bytes.lastIndexOf(10, at - 1);
    return bytes.length - (at + 1);
  });
}

function lineAt(file: string, offset: number): Buffer | undefined {
  return reading(file, (fd) => {
    const pieces: Buffer[] = [];
    for (let at = offset; ; at += PIECE) {
      const piece = Buffer.alloc(PIECE);
      const length = readSync(fd, piece, 0, PIECE, at);
      const end = piece.subarray(0, length).indexOf(10);
      pieces.push(piece.subarray(0, end < 0 ? length : end));
      if (end >= 0 || length < PIECE) return Buffer.concat(pieces);
    }
  });
}

/** Reads a file that lies in it as it is shown; UTF-16 was turned into text as a whole. */
function reading<T>(file: string, read: (fd: number) => T): T | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const mark = Buffer.alloc(2);
    readSync(fd, mark, 0, 2, 0);
    if (mark.readUInt16LE(0) === 0xfeff || mark.readUInt16LE(0) === 0xfffe) return undefined;
    return read(fd);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
