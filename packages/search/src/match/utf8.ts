// Ranges of characters as sequences of byte ranges in UTF-8. Arithmetic only; knows no automaton.

/** One range per byte, flat: `[low, high, low, high, ...]`. */
export type Sequence = readonly number[];

const SIZES = [0x7f, 0x7ff, 0xffff, 0x10ffff];

/**
 * Adds to `out` the sequences that together hold exactly the characters `low` to `high` (which must not reach over
 * surrogates); false, with `out` of no use, as soon as `out` would hold more than `max`.
 */
export function sequences(low: number, high: number, max: number, out: Sequence[]): boolean {
  for (const size of SIZES) {
    if (low <= size && high > size) {
      return sequences(low, size, max, out) && sequences(size + 1, high, max, out);
    }
  }
  // Cut where a byte's range would depend on the byte before it: the tail must be all of its bits, or one lead only.
  const most = high > 0x7f ? 18 : 0;
  for (let bits = 6; bits <= most; bits += 6) {
    const tail = (1 << bits) - 1;
    if ((low & ~tail) === (high & ~tail)) continue;
    if ((low & tail) !== 0) {
      return sequences(low, low | tail, max, out) && sequences((low | tail) + 1, high, max, out);
    }
    if ((high & tail) !== tail) {
      return sequences(low, (high & ~tail) - 1, max, out) && sequences(high & ~tail, high, max, out);
    }
  }
  if (out.length >= max) return false;
  const first = encode(low);
  const last = encode(high);
  out.push(first.flatMap((byte, i) => [byte, last[i]!]));
  return true;
}

/** The bytes of one character. */
export function encode(point: number): number[] {
  if (point < 0x80) return [point];
  const tail = 0x80 | (point & 0x3f);
  if (point < 0x800) return [0xc0 | (point >> 6), tail];
  const middle = 0x80 | ((point >> 6) & 0x3f);
  if (point < 0x10000) return [0xe0 | (point >> 12), middle, tail];
  return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 0x3f), middle, tail];
}
