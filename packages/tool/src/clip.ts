// Cutting text without breaking it: never inside a code point, at a line end where one is near.

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

/**
 * The longest prefix of `text` of at most `maxBytes` UTF-8 bytes that ends at a line end if one lies in the last half
 * of it, else at a code point. `rest` is the number of UTF-16 units left out (0 when nothing was cut).
 */
export function clip(text: string, maxBytes: number): { text: string; rest: number } {
  let bytes = 0;
  let lineEnd = 0;
  for (let i = 0; i < text.length;) {
    const unit = text.charCodeAt(i);
    let size = 3;
    let units = 1;
    if (unit < 0x80) size = 1;
    else if (unit < 0x800) size = 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      size = 4;
      units = 2;
    }
    if (bytes + size > maxBytes) {
      const end = lineEnd > i / 2 ? lineEnd : i;
      return { text: text.slice(0, end), rest: text.length - end };
    }
    bytes += size;
    i += units;
    if (unit === 0x0a) lineEnd = i;
  }
  return { text, rest: 0 };
}

/** The first `most` UTF-16 units of `text` (default 60) and an ellipsis where something was cut, never inside a code point; for messages. */
export function shorten(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
