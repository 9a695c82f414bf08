// What is written in place of a match: the caller's text, its line ends those of the lines it replaces or stands beside.
import { type LineEnd, neighbourEnd, splitLines } from './lines.ts';
import type { Span } from './match.ts';

/** Above this many line pairs old and new lines are aligned by their common start and end only. */
const ALIGN_LIMIT = 250_000;

/**
 * `fresh` (LF line ends) as it is written over `span` of `text`. A line that is in both the old and the new text keeps
 * its own end; a changed line takes the end of the line it replaces; a further line that of the one above it.
 */
export function withLineEnds(text: string, span: Span, fresh: string, cr: boolean): string {
  if (!fresh.includes('\n')) return fresh;
  const old = splitLines(text.slice(span.start, span.end), cr);
  const ends = old.flatMap((line) => (line.end === '' ? [] : [line.end]));
  const uniform = ends.every((end) => end === ends[0]) ? ends[0] : undefined;
  const outer = neighbourEnd(text, span.end, cr);
  const segments = fresh.split('\n');
  if (ends.length === 0 || uniform !== undefined) return segments.join(uniform ?? beside(text, span, outer));
  const fates = align(
    old.map((line) => line.text),
    segments,
  );
  let previous: LineEnd | undefined;
  let written = '';
  for (const [i, segment] of segments.entries()) {
    if (i === segments.length - 1) return written + segment;
    const own = fates[i] === undefined ? undefined : ends[fates[i]];
    const end: LineEnd = own ?? previous ?? ends[0] ?? outer;
    written += segment + end;
    previous = end;
  }
  return written;
}

/** No line end is replaced: the end of the line the match lies in, of whatever kind, else of the one above. */
function beside(text: string, span: Span, outer: LineEnd): LineEnd {
  const any = /\r\n|\r|\n/g;
  any.lastIndex = span.end;
  return (any.exec(text)?.[0] as LineEnd | undefined) ?? outer;
}

/** For each new line the old line it is or replaces; undefined for one that is only added. */
function align(old: readonly string[], fresh: readonly string[]): (number | undefined)[] {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const fates: (number | undefined)[] = Array.from({ length: fresh.length }, () => undefined);
  for (let i = 0; i < head; i++) fates[i] = i;
  for (let i = 1; i <= tail; i++) fates[fresh.length - i] = old.length - i;
  const pairs = common(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail));
  let oldAt = head;
  let freshAt = head;
  const stops = pairs.map(([o, f]) => [o + head, f + head] as const);
  for (const [o, f] of [...stops, [old.length - tail, fresh.length - tail] as const]) {
    for (; freshAt < f; freshAt++, oldAt++) if (oldAt < o) fates[freshAt] = oldAt;
    if (f < fresh.length - tail) fates[f] = o;
    oldAt = o + 1;
    freshAt = f + 1;
  }
  return fates;
}

/** Index pairs of a longest common subsequence, empty where the table would be too large. */
export function common(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length * b.length === 0 || a.length * b.length > ALIGN_LIMIT) return [];
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] =
        a[i] === b[j]
          ? table[(i + 1) * width + j + 1]! + 1
          : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}
