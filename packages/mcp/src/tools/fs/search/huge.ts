// Files that are too large to be held at once, read in pieces of whole lines.
import { openToRead } from '../disk/open.ts';

/** Above this a named file is searched and shown in pieces. */
export const WHOLE_LIMIT = 64 * 1024 * 1024;
const PIECE = 8 * 1024 * 1024;

/** Yields the file's bytes in pieces that end with a line end, but for the last; a line longer than a piece makes a longer one. */
export async function* wholeLines(file: string): AsyncGenerator<Buffer> {
  const handle = await openToRead(file);
  try {
    let carry: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.allocUnsafe(PIECE);
      const { bytesRead } = await handle.read(chunk, 0, PIECE, null);
      if (bytesRead === 0) break;
      const bytes = chunk.subarray(0, bytesRead);
      const end = bytes.lastIndexOf(10) + 1;
      if (end === 0) {
        carry.push(bytes);
        continue;
      }
      yield Buffer.concat([...carry, bytes.subarray(0, end)]);
      carry = end < bytesRead ? [bytes.subarray(end)] : [];
    }
    if (carry.length > 0) yield Buffer.concat(carry);
  } finally {
    await handle.close();
  }
}

export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

/** The texts of some lines (1-based) of a file, by number; reads no further than the last of them. */
export async function pickLines(file: string, wanted: ReadonlySet<number>): Promise<Map<number, string>> {
  const last = Math.max(...wanted);
  const picked = new Map<number, string>();
  let line = 1;
  for await (const piece of wholeLines(file)) {
    for (let at = 0; at < piece.length; line++) {
      const end = piece.indexOf(10, at);
      const stop = end < 0 ? piece.length : end;
      if (wanted.has(line)) picked.set(line, piece.toString('utf8', at, stop));
      at = stop + 1;
    }
    if (line > last) break;
  }
  return picked;
}
