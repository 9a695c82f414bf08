// A file's text from a byte on, in pieces, decoded without loss.
import type { FileHandle } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import { completeUtf8, decode, type Format } from '../../../lib/edits/text/encoding.ts';

/** Bytes decoded at a time: about a page. */
const PIECE = 64 * 1024;

/** Yields the text of `handle` from `byte` on; no piece ends inside a code point. */
export async function* decoded(handle: FileHandle, byte: number, format: Format): AsyncGenerator<string> {
  let carry: Buffer = Buffer.alloc(0);
  for (let at = byte; ;) {
    const chunk = Buffer.allocUnsafe(PIECE);
    const { bytesRead } = await handle.read(chunk, 0, PIECE, at);
    const read = chunk.subarray(0, bytesRead);
    at += bytesRead;
    const bytes = carry.length > 0 ? Buffer.concat([carry, read]) : read;
    const end = bytesRead === 0 ? bytes.length : complete(bytes, format);
    if (end > 0) {
      const usable = bytes.subarray(0, end);
      yield decode(usable, format.encoding === 'utf-8' ? { ...format, invalid: !isUtf8(usable) } : format);
    }
    if (bytesRead === 0) return;
    carry = Buffer.from(bytes.subarray(end));
  }
}

function complete(bytes: Buffer, format: Format): number {
  if (format.encoding === 'utf-8') return completeUtf8(bytes);
  if (format.encoding !== 'utf-16le' && format.encoding !== 'utf-16be') return bytes.length;
  const even = bytes.length - (bytes.length % 2);
  if (even < 2) return even;
  const high = bytes[even - (format.encoding === 'utf-16le' ? 1 : 2)]!;
  return high >= 0xd8 && high < 0xdc ? even - 2 : even;
}
