// What encoding a file's bytes are in, and the way from bytes to text and back that loses nothing.
import { isAscii, isUtf8 } from 'node:buffer';

/** Encodings files are read and edited in. `latin1` is ISO-8859-1; `windows-1252` is it with bytes 80-9F in use. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1' | 'windows-1252';

/** How a file's bytes are to be taken. */
export interface Format {
  readonly encoding: Encoding;
  /** bytes of the byte order mark at the start: 0, 2 or 3 */
  readonly mark: number;
  /** utf-8 only: some bytes are not UTF-8; `decode` turns each into one lone surrogate U+DC80..U+DCFF */
  readonly invalid: boolean;
  /** not text at all */
  readonly binary: boolean;
}

/** A character that the file's encoding has no bytes for. */
export class Unencodable extends Error {
  readonly character: string;
  readonly index: number;

  constructor(character: string, index: number, encoding: Encoding) {
    super(`${encoding} cannot hold ${character}`);
    this.character = character;
    this.index = index;
  }
}

/** Bytes looked at to tell text from binary and to find UTF-16 without a mark; ripgrep's and git's habit is 8 KiB. */
export const SNIFF_BYTES = 8192;

/** Counts what speaks for UTF-8 and what against it, over chunks of a file. */
export class Utf8Census {
  /** complete sequences of two bytes and more */
  sequences = 0;
  /** bytes that are part of no valid sequence */
  invalid = 0;
  #pending: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    const bytes = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    const end = completeUtf8(bytes);
    this.#pending = Buffer.from(bytes.subarray(end));
    this.#count(bytes.subarray(0, end));
  }

  finish(): this {
    this.#count(this.#pending);
    this.#pending = Buffer.alloc(0);
    return this;
  }

  #count(bytes: Buffer): void {
    if (isUtf8(bytes)) {
      this.sequences += leads(bytes);
      return;
    }
    for (let i = 0; i < bytes.length;) {
      const length = sequenceLength(bytes, i);
      if (length === 0) {
        this.invalid++;
        i++;
      } else {
        if (length > 1) this.sequences++;
        i += length;
      }
    }
  }
}

/** Sequences of two bytes and more in valid UTF-8; counted up to a thousand, beyond which nothing is in doubt. */
function leads(bytes: Buffer): number {
  if (isAscii(bytes)) return 0;
  let count = 0;
  for (let i = 0; i < bytes.length && count < 1000; i++) if (bytes[i]! >= 0xc0) count++;
  return count;
}

/** Length of the valid UTF-8 sequence at `i` (RFC 3629: no surrogates, no overlong forms), or 0. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const first = bytes[i]!;
  if (first < 0x80) return 1;
  const next = (offset: number, low = 0x80, high = 0xbf): boolean => {
    const byte = bytes[i + offset];
    return byte !== undefined && byte >= low && byte <= high;
  };
  if (first >= 0xc2 && first <= 0xdf) return next(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    return next(1, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf) && next(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const second = next(1, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf);
    return second && next(2) && next(3) ? 4 : 0;
  }
  return 0;
}

/** The length of `bytes` without an unfinished sequence at its end. */
export function completeUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const wants = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return wants > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/**
 * The format of a file. `head` is its first bytes (at least SNIFF_BYTES of them where there are so many), `census` what
 * was counted over all of it, `size` its length in bytes.
 */
export function detect(head: Buffer, size: number, census: Utf8Census): Format {
  const format = (encoding: Encoding, mark: number, rest: Partial<Format> = {}): Format => ({
    encoding,
    mark,
    invalid: false,
    binary: false,
    ...rest,
  });
  const utf32 = head.length >= 4 && head.readUInt32LE(0) === 0x0000feff;
  if (head.length >= 2 && head[0] === 0xff && head[1] === 0xfe && !utf32) return format('utf-16le', 2);
  if (head.length >= 2 && head[0] === 0xfe && head[1] === 0xff) return format('utf-16be', 2);
  const mark = head.length >= 3 && head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const sniff = head.subarray(0, SNIFF_BYTES);
  const binary = utf32 || sniff.includes(0);
  if (binary && mark === 0 && size % 2 === 0) {
    const wide = sniffUtf16(sniff);
    if (wide) return format(wide, 0);
  }
  if (census.invalid === 0) return format('utf-8', mark, { binary });
  // A file that is UTF-8 but for some damage stays UTF-8; one (nearly) without proper sequences is a one-byte encoding.
  if (mark > 0 || (census.sequences > 0 && census.sequences * 4 >= census.invalid)) {
    return format('utf-8', mark, { invalid: true, binary });
  }
  return format(sniff.some((byte) => byte >= 0x80 && byte <= 0x9f) ? 'windows-1252' : 'latin1', 0, { binary });
}

/** The format of bytes that are all in memory. */
export function detectAll(bytes: Buffer): Format {
  const census = new Utf8Census();
  census.add(bytes);
  const format = detect(bytes.subarray(0, SNIFF_BYTES), bytes.length, census.finish());
  // 80-9F may first appear behind the sniffed part; which of the two one-byte encodings it is must not depend on that.
  if (format.encoding !== 'latin1') return format;
  return bytes.some((byte) => byte >= 0x80 && byte <= 0x9f) ? { ...format, encoding: 'windows-1252' } : format;
}

/** UTF-16 without a mark: units with a zero half on one side only, all of them sensible characters. */
function sniffUtf16(sniff: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const bytes = sniff.subarray(0, sniff.length - (sniff.length % 2));
  if (bytes.length < 4) return undefined;
  for (const encoding of ['utf-16le', 'utf-16be'] as const) {
    const low = encoding === 'utf-16le' ? 0 : 1;
    let plain = 0;
    let sane = true;
    for (let i = 0; i < bytes.length && sane; i += 2) {
      const unit = bytes[i + low]! | (bytes[i + 1 - low]! << 8);
      if (unit < 0x100) plain++;
      sane =
        unit >= 0x20 ? unit !== 0xfffe && unit !== 0xffff : unit === 9 || unit === 10 || unit === 12 || unit === 13;
    }
    if (sane && plain * 2 * 2 >= bytes.length) return encoding;
  }
  return undefined;
}

/** Bytes 80-9F of windows-1252 (WHATWG encoding standard; the five unassigned ones stay C1 controls). */
const CP1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** The text of `bytes`, which start behind the mark. Every byte can be found again: `encode` of the pieces gives them back. */
export function decode(bytes: Buffer, format: Format): string {
  switch (format.encoding) {
    case 'utf-8':
      if (format.invalid) return decodeDamaged(bytes);
      // one byte a character, and many times faster, where that is all there is
      return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
    case 'utf-16le':
      return bytes.toString('utf16le');
    case 'utf-16be': {
      const swapped = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
      return swapped.swap16().toString('utf16le');
    }
    case 'latin1':
      return bytes.toString('latin1');
    case 'windows-1252':
      return bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (each) => CP1252[each.charCodeAt(0) - 0x80]!);
  }
}

function decodeDamaged(bytes: Buffer): string {
  const pieces: string[] = [];
  let from = 0;
  for (let i = 0; i < bytes.length;) {
    const length = sequenceLength(bytes, i);
    if (length > 0) {
      i += length;
      continue;
    }
    if (i > from) pieces.push(bytes.toString('utf8', from, i));
    pieces.push(String.fromCharCode(0xdc00 + bytes[i]!));
    from = ++i;
  }
  pieces.push(bytes.toString('utf8', from));
  return pieces.join('');
}

/** The bytes of a caller's text. Throws Unencodable; a lone surrogate has no bytes in any encoding. */
export function encode(text: string, encoding: Encoding): Buffer {
  if (!text.isWellFormed()) {
    const index = text.search(/(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    throw new Unencodable(text.charAt(index), index, encoding);
  }
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    default: {
      const bytes = Buffer.alloc(text.length);
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        const high = encoding === 'windows-1252' ? CP1252.indexOf(text[i]!) : -1;
        const byte = high >= 0 ? 0x80 + high : unit;
        const hole = encoding === 'windows-1252' && high < 0 && unit >= 0x80 && unit < 0xa0;
        if (byte > 0xff || hole) throw new Unencodable(String.fromCodePoint(text.codePointAt(i)!), i, encoding);
        bytes[i] = byte;
      }
      return bytes;
    }
  }
}

/** The byte order mark an encoding is written with when a new file is made, empty for those that have none by habit. */
export function markOf(encoding: Encoding): Buffer {
  if (encoding === 'utf-16le') return Buffer.from([0xff, 0xfe]);
  if (encoding === 'utf-16be') return Buffer.from([0xfe, 0xff]);
  return Buffer.alloc(0);
}

/** How many bytes the units `from` to `to` of a decoded text took in the file. */
export function byteSpan(text: string, from: number, to: number, format: Format): number {
  if (format.encoding === 'utf-16le' || format.encoding === 'utf-16be') return (to - from) * 2;
  if (format.encoding !== 'utf-8') return to - from;
  const piece = text.slice(from, to);
  const bytes = Buffer.byteLength(piece, 'utf8');
  if (!format.invalid) return bytes;
  // An escaped byte is one byte in the file and three in what Buffer counts.
  let escaped = 0;
  for (let i = 0; i < piece.length; i++) {
    const unit = piece.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) i++;
    else if (unit >= 0xdc80 && unit < 0xdd00) escaped++;
  }
  return bytes - 2 * escaped;
}

/** Text as it may be shown: what could not be decoded is U+FFFD. */
export function shown(text: string): string {
  return text.toWellFormed();
}
