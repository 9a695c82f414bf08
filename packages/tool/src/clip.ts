// Cutting text without breaking it: never inside a code point, at a line end where one is near.

/** How a text will be written: as it is, or escaped inside a JSON string. */
export type Form = 'plain' | 'json';

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  return length(text, plainSize);
}

/** Bytes of `text` in UTF-8 as `JSON.stringify` writes it, without the quotes. */
export function jsonLength(text: string): number {
  return length(text, jsonSize);
}

/**
 * The longest prefix of `text` of at most `maxBytes` UTF-8 bytes (of its escapes, in the form `json`) that ends at a line
 * end if one lies in the last half of it, else at a code point. `rest` is the number of UTF-16 units left out (0 when
 * nothing was cut).
 */
export function clip(text: string, maxBytes: number, form: Form = 'plain'): { text: string; rest: number } {
  const sizeAt = form === 'json' ? jsonSize : plainSize;
  let bytes = 0;
  let lineEnd = 0;
  for (let i = 0; i < text.length;) {
    const size = sizeAt(text, i);
    if (bytes + size > maxBytes) {
      const end = lineEnd > i / 2 ? lineEnd : i;
      return { text: text.slice(0, end), rest: text.length - end };
    }
    bytes += size;
    const isLineEnd = text.charCodeAt(i) === 0x0a;
    i += unitsOf(size);
    if (isLineEnd) lineEnd = i;
  }
  return { text, rest: 0 };
}

/** The first `most` UTF-16 units of `text` (default 60) and an ellipsis where something was cut, never inside a code point; for messages. */
export function shorten(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

function length(text: string, sizeAt: (text: string, i: number) => number): number {
  let bytes = 0;
  for (let i = 0; i < text.length;) {
    const size = sizeAt(text, i);
    bytes += size;
    i += unitsOf(size);
  }
  return bytes;
}

/** Four bytes are a code point beyond U+FFFF, two units; nothing else takes four, in either form. */
function unitsOf(size: number): number {
  return size === 4 ? 2 : 1;
}

/** UTF-8 bytes of the code point at `i`; half a pair is written as U+FFFD. */
function plainSize(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return isPair(text, i, unit) ? 4 : 3;
}

/** The same inside a JSON string (ECMA-262, QuoteJSONString): half a pair and most control characters take six. */
function jsonSize(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  if (unit < 0x20) return unit === 0x0a || unit === 0x09 || unit === 0x0d || unit === 0x08 || unit === 0x0c ? 2 : 6;
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit >= 0xd800 && unit < 0xe000) return isPair(text, i, unit) ? 4 : 6;
  return plainSize(text, i);
}

function isPair(text: string, i: number, unit: number): boolean {
  if (unit < 0xd800 || unit >= 0xdc00) return false;
  const low = text.charCodeAt(i + 1);
  return low >= 0xdc00 && low < 0xe000;
}
