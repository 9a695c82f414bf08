// The few lines an answer shows of a change.
import { lineNumbers, lineStart, lineStop, splitLines } from './lines.ts';
import type { Span } from './match.ts';
import { shown } from './encoding.ts';

/** Most lines of one side that are shown; the middle of more is counted instead. */
const SIDE_LINES = 24;
/** Most characters shown of a line. */
const LINE_CHARACTERS = 200;

/** `text` with `span` replaced by `written`, as one hunk: `@@ line N @@`, then `-` and `+` lines with a line around them. */
export function changeDiff(text: string, span: Span, written: string, cr: boolean): string {
  const start = lineStart(text, span.start, cr);
  const stop = lineStop(text, span.end, cr);
  const before = splitLines(text.slice(start, stop), cr).map((line) => line.text);
  const after = splitLines(text.slice(start, span.start) + written + text.slice(span.end, stop), cr).map(
    (line) => line.text,
  );
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const [first = 1] = lineNumbers(text, [start], cr);
  const lines = [
    `@@ line ${first + head} @@`,
    ...(head > 0 ? side(' ', before.slice(head - 1, head)) : []),
    ...side('-', before.slice(head, before.length - tail)),
    ...side('+', after.slice(head, after.length - tail)),
    ...(tail > 0 ? side(' ', before.slice(before.length - tail, before.length - tail + 1)) : []),
  ];
  return `${lines.join('\n')}\n`;
}

function side(sign: string, lines: readonly string[]): string[] {
  const line = (each: string): string => `${sign}${cut(shown(each))}`;
  if (lines.length <= SIDE_LINES) return lines.map(line);
  const half = SIDE_LINES / 2;
  return [
    ...lines.slice(0, half).map(line),
    `${sign}… ${lines.length - 2 * half} more lines`,
    ...lines.slice(-half).map(line),
  ];
}

/** At most LINE_CHARACTERS of a line, cut between code points. */
export function cut(line: string): string {
  if (line.length <= LINE_CHARACTERS) return line;
  return `${line
    .slice(0, LINE_CHARACTERS)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}
