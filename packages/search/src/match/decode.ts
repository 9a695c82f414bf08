// One character of UTF-8, strictly: no overlong forms, no surrogates, nothing past U+10FFFF, nothing cut off.

/** The character at `at` in `text[.., to)` as `point << 3 | bytes`; -1 where there is none. */
export function decode(text: Uint8Array, at: number, to: number): number {
  const first = text[at]!;
  if (first < 0x80) return (first << 3) | 1;
  if (first < 0xc2 || first > 0xf4 || at + 1 >= to) return -1;
  const second = text[at + 1]!;
  if ((second & 0xc0) !== 0x80) return -1;
  if (first < 0xe0) return ((((first & 0x1f) << 6) | (second & 0x3f)) << 3) | 2;
  if (at + 2 >= to) return -1;
  const third = text[at + 2]!;
  if ((third & 0xc0) !== 0x80) return -1;
  if (first < 0xf0) {
    const point = ((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
    return point < 0x800 || (point >= 0xd800 && point <= 0xdfff) ? -1 : (point << 3) | 3;
  }
  if (at + 3 >= to) return -1;
  const fourth = text[at + 3]!;
  if ((fourth & 0xc0) !== 0x80) return -1;
  const point = ((first & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f);
  return point < 0x10000 || point > 0x10ffff ? -1 : (point << 3) | 4;
}
