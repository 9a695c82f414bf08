// Marks at the start of a file: UTF-8's is taken off, UTF-16 is turned into UTF-8. Touches nothing but the bytes it is given.
import { UTF16, UTF8_MARK } from './types.ts';

export interface Mark {
  /** UTF8_MARK or UTF16, or 0 */
  readonly flag: number;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** bytes it takes */
  readonly length: number;
}

const NO_MARK: Mark = { flag: 0, encoding: 'utf-8', length: 0 };

export function markOf(bytes: Uint8Array, length: number): Mark {
  const a = bytes[0];
  const b = bytes[1];
  const c = bytes[2];
  if (length >= 3 && a === 0xef && b === 0xbb && c === 0xbf) return { flag: UTF8_MARK, encoding: 'utf-8', length: 3 };
  if (length >= 2 && a === 0xff && b === 0xfe) return { flag: UTF16, encoding: 'utf-16le', length: 2 };
  if (length >= 2 && a === 0xfe && b === 0xff) return { flag: UTF16, encoding: 'utf-16be', length: 2 };
  return NO_MARK;
}

/** UTF-16 as UTF-8; what is not UTF-16 becomes U+FFFD. */
export function transcode(bytes: Uint8Array, encoding: Mark['encoding']): Uint8Array {
  return Buffer.from(new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes), 'utf8');
}
