// The thread that runs a JavaScript expression over lines: it may never come back, and is ended from outside then.
// Its own module, so that a build gives it a file of its own: `url` is where that is.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';

/** The key under which the thread finds its expression. */
export const WORKER = 'backtrack';

/** Where this module lies. */
export const url = import.meta.url;

export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** the text is searched whole, and every line a match touches counts */
  readonly multiline: boolean;
}

/** One text to search; `limit` bounds the spans of each line. */
export interface Task {
  readonly id: number;
  readonly text: Uint8Array;
  readonly limit: number;
}

/** Matching lines of one text. */
export interface Lines {
  readonly id: number;
  /** flat [start, end, ...] of lines, bytes, without line ends, ascending */
  readonly lines: Uint32Array;
  /** per line, flat [start, end, ...] of its matches, bytes of the text */
  readonly spans: readonly (readonly number[])[];
}

if (!isMainThread && isAsked(workerData)) {
  const { source, flags, multiline } = workerData[WORKER];
  const expression = new RegExp(source, flags);
  parentPort?.on('message', ({ id, text, limit }: Task) => {
    const found = multiline ? searchWhole(expression, text, limit) : searchLines(expression, text, limit);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
    parentPort?.postMessage({ id, ...found } satisfies Lines);
  });
}

function isAsked(data: unknown): data is { [WORKER]: Expression } {
  return typeof data === 'object' && data !== null && WORKER in data;
}

type Found = Omit<Lines, 'id'>;

/** Each line is a text of its own, as everywhere in the engine. */
function searchLines(expression: RegExp, text: Uint8Array, limit: number): Found {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const lines: number[] = [];
  const spans: number[][] = [];
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(0x0a, from);
    const to = newline < 0 ? bytes.length : newline;
    const line = bytes.toString('utf8', from, to);
    if (expression.test(line)) {
      lines.push(from, to);
      // Places are right where the line is UTF-8; what is not became one replacement character per broken part.
      const place = placer(line, from);
      spans.push(matchesOf(expression, line, limit).map((offset) => Math.min(place(offset), to)));
    }
    expression.lastIndex = 0;
    from = to + 1;
  }
  return { lines: Uint32Array.from(lines), spans };
}

function searchWhole(expression: RegExp, text: Uint8Array, limit: number): Found {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const whole = bytes.toString('utf8');
  const place = placer(whole, 0);
  const lines: number[] = [];
  const spans: number[][] = [];
  let open = -1;
  let end = -1;
  const offsets = matchesOf(expression, whole, Infinity);
  for (let i = 0; i < offsets.length; i += 2) {
    const from = Math.min(place(offsets[i]!), bytes.length);
    const to = Math.min(place(offsets[i + 1]!), bytes.length);
    // An empty match behind the last line end is on no line.
    if (from === bytes.length && (from === 0 || bytes[from - 1] === 0x0a)) continue;
    for (let at = from; ; at = end + 1) {
      if (at > end) {
        open = at === 0 ? 0 : bytes.lastIndexOf(0x0a, at - 1) + 1;
        const newline = bytes.indexOf(0x0a, at);
        end = newline < 0 ? bytes.length : newline;
        lines.push(open, end);
        spans.push([]);
      }
      const here = spans.at(-1)!;
      if (here.length < 2 * limit) here.push(Math.max(from, open), Math.min(to, end));
      if (to <= end + 1) break;
    }
  }
  return { lines: Uint32Array.from(lines), spans };
}

/** Matches as UTF-16 offsets, flat. */
function matchesOf(expression: RegExp, text: string, limit: number): number[] {
  const out: number[] = [];
  expression.lastIndex = 0;
  for (const match of text.matchAll(expression)) {
    if (out.length >= 2 * limit) break;
    out.push(match.index, match.index + match[0].length);
  }
  return out;
}

/** Turns ascending UTF-16 offsets of `text` into byte offsets, counting each part once. */
function placer(text: string, base: number): (offset: number) => number {
  let units = 0;
  let bytes = base;
  return (offset) => {
    if (offset < units) return bytes;
    bytes += Buffer.byteLength(text.slice(units, offset), 'utf8');
    units = offset;
    return bytes;
  };
}
