// Which lines the matches of a text touch, for matches that may cross lines. Pure.

/**
 * Lines touched by `spans` (matches in order, flat [start, end, ...]), as flat [start, end, ...] without line ends, at most
 * `limit` lines. An empty match behind the final line end is on no line.
 */
export function touchedLines(text: Uint8Array, length: number, spans: readonly number[], limit: number): number[] {
  const lines: number[] = [];
  const bytes = Buffer.from(text.buffer, text.byteOffset, length);
  /** where the first line not listed yet may start */
  let next = 0;
  for (let i = 0; i < spans.length; i += 2) {
    const start = spans[i]!;
    const last = Math.max(start, spans[i + 1]! - 1);
    if (last < next) continue;
    if (start >= length && (length === 0 || bytes[length - 1] === 10)) break;
    if (start > next) next = Math.max(next, bytes.lastIndexOf(10, start - 1) + 1);
    while (next <= last && lines.length < limit * 2) {
      const found = bytes.indexOf(10, next);
      const end = found < 0 ? length : found;
      lines.push(next, end);
      next = end + 1;
    }
  }
  return lines;
}
