// Turns lines of a text into hits: number, text, spans, and the lines around them. Works on bytes that were read already.
import type { Matcher } from '../match/types.ts';

/** Spans given of one line. */
const MOST_SPANS = 100;

/** Which hits of a file are shown, and with how many lines around them. */
export interface Wanted {
  /** hits before the first that is shown */
  readonly skip: number;
  readonly take: number;
  readonly context: number;
}

/** One matching line, as it is shown. */
export interface Line {
  readonly line: number;
  readonly text: string;
  readonly spans: readonly number[];
  /** byte offset in the text */
  readonly offset: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A text, and where its matching lines are: flat [start, end, ...], from the text's first hit on. */
export interface Text {
  readonly bytes: Buffer;
  readonly hits: Uint32Array;
  /** number of the text's first line */
  readonly firstLine: number;
  /** spans of one line's matches, as byte offsets */
  readonly spansOf: (start: number, end: number) => readonly number[];
}

/** The wanted hits of a text. A line belongs to the hit it is, else to the first hit whose context it is. */
export function showLines(text: Text, wanted: Wanted): Line[] {
  const { bytes, hits } = text;
  const shown: Line[] = [];
  const last = Math.min(hits.length / 2, wanted.skip + wanted.take);
  const counter = new LineCounter(bytes, text.firstLine);
  for (let k = wanted.skip; k < last; k++) {
    const start = hits[2 * k]!;
    const end = hits[2 * k + 1]!;
    // what the hit before may show ends where its own context ends
    const taken = k === 0 ? 0 : forward(bytes, hits[2 * k - 1]!, wanted.context).at;
    const limit = k === 0 ? 0 : Math.max(taken, 0);
    const next = 2 * k + 2 < hits.length ? hits[2 * k + 2]! : bytes.length;
    shown.push({
      line: counter.at(start),
      text: bytes.toString('utf8', start, end),
      spans: unitSpans(bytes, start, end, text.spansOf(start, end)),
      offset: start,
      before: backward(bytes, start, wanted.context, limit),
      after: forward(bytes, end, wanted.context, next).lines,
    });
  }
  return shown;
}

/** Up to `count` lines behind the line that ends at `end`, none that starts at or after `limit`; and where they end. */
function forward(bytes: Buffer, end: number, count: number, limit = bytes.length): { lines: string[]; at: number } {
  const lines: string[] = [];
  let at = end + 1;
  while (lines.length < count && at < limit) {
    const stop = bytes.indexOf(10, at);
    const to = stop < 0 ? bytes.length : stop;
    lines.push(bytes.toString('utf8', at, to));
    at = to + 1;
  }
  return { lines, at };
}

/** Up to `count` lines before the line that starts at `start`, none that starts before `limit`. */
function backward(bytes: Buffer, start: number, count: number, limit: number): string[] {
  const lines: string[] = [];
  let at = start;
  while (lines.length < count && at > limit) {
    const from = at >= 2 ? bytes.lastIndexOf(10, at - 2) + 1 : 0;
    lines.unshift(bytes.toString('utf8', from, at - 1));
    at = from;
  }
  return lines;
}

/** Byte offsets as offsets into the decoded line, in UTF-16 units. */
function unitSpans(bytes: Buffer, start: number, end: number, spans: readonly number[]): number[] {
  const units: number[] = [];
  let at = start;
  let unit = 0;
  for (const offset of spans.slice(0, 2 * MOST_SPANS)) {
    const to = Math.min(Math.max(offset, start), end);
    unit += bytes.toString('utf8', at, to).length;
    at = to;
    units.push(unit);
  }
  return units;
}

/** How the spans of a line come about: by looking at the line, or, where matches cross lines, at the whole text. */
export function spanner(bytes: Buffer, matcher: Matcher, multiline: boolean): Text['spansOf'] {
  if (!multiline) return (start, end) => matcher.spans(bytes, start, end, MOST_SPANS);
  let all: readonly number[] | undefined;
  return (start, end) => {
    all ??= matcher.spans(bytes, 0, bytes.length, Number.MAX_SAFE_INTEGER);
    const inside: number[] = [];
    for (let k = firstEndingAfter(all, start); k < all.length && inside.length < 2 * MOST_SPANS; k += 2) {
      if (all[k]! > end) break;
      inside.push(Math.max(all[k]!, start), Math.min(all[k + 1]!, end));
    }
    return inside;
  };
}

/** Index of the first span that does not end before `offset`. */
function firstEndingAfter(spans: readonly number[], offset: number): number {
  let low = 0;
  let high = spans.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (spans[2 * middle + 1]! < offset) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}

/** Line numbers of positions that ascend. */
export class LineCounter {
  readonly #bytes: Buffer;
  #line: number;
  #at = 0;

  constructor(bytes: Buffer, first: number) {
    this.#bytes = bytes;
    this.#line = first;
  }

  /** The number of the line that holds `position`. */
  at(position: number): number {
    for (;;) {
      const end = this.#bytes.indexOf(10, this.#at);
      if (end < 0 || end >= position) return this.#line;
      this.#line++;
      this.#at = end + 1;
    }
  }
}
