// The matching lines of one text.
import { isAscii } from 'node:buffer';
import type { RE2JS } from 're2js';
import { decode, detectAll, SNIFF_BYTES } from '../text/encoding.ts';
import type { Pattern } from './dialect.ts';

/** Characters tested at once before single lines are. */
const BLOCK = 4096;

/** Text of a file as it is searched; undefined for a binary one. What follows a NUL further down is not searched. */
export function searchable(bytes: Buffer): { text: string; ascii: boolean } | undefined {
  const wide = bytes.length >= 2 && (bytes.readUInt16BE(0) === 0xfffe || bytes.readUInt16BE(0) === 0xfeff);
  if (!wide && bytes.subarray(0, SNIFF_BYTES).includes(0)) return undefined;
  const nul = wide ? -1 : bytes.indexOf(0);
  const usable = nul < 0 ? bytes : bytes.subarray(0, nul);
  if (!wide && isAscii(usable)) return { text: usable.toString('latin1'), ascii: true };
  const format = detectAll(usable);
  if (format.binary) return undefined;
  return { text: decode(usable.subarray(format.mark), format).toWellFormed(), ascii: false };
}

/** True if the bytes cannot hold a match: the required text is not in them. Only for eight-bit encodings. */
export function ruledOut(bytes: Buffer, pattern: Pattern, ignoreCase: boolean): boolean {
  if (pattern.required === '' || ignoreCase) return false;
  const wide = bytes.length >= 2 && (bytes.readUInt16BE(0) === 0xfffe || bytes.readUInt16BE(0) === 0xfeff);
  return !wide && !bytes.includes(pattern.required, 0, 'latin1');
}

/** 1-based numbers of the matching lines, ascending. With `multiline` every line a match touches counts. */
export function matchingLines(
  text: string,
  ascii: boolean,
  pattern: Pattern,
  options: { ignoreCase: boolean; multiline: boolean },
): number[] {
  const expression = ascii ? pattern.ascii : pattern.unicode();
  if (options.multiline) return acrossLines(text, expression, pattern.grouped ? 1 : 0);
  if (pattern.required !== '') {
    const hay = options.ignoreCase ? folded(text) : text;
    // case folding must not move anything
    if (hay.length === text.length) return linesHolding(text, hay, pattern, expression);
  }
  return expression.test(text) ? everyLine(text, expression) : [];
}

function folded(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (each) => each.toLowerCase());
}

function linesHolding(text: string, hay: string, pattern: Pattern, expression: RE2JS): number[] {
  const lines: number[] = [];
  const count = new LineCounter(text);
  for (let at = hay.indexOf(pattern.required); at >= 0;) {
    const start = text.lastIndexOf('\n', at - 1) + 1;
    const end = endOfLine(text, at);
    if (pattern.plain || expression.test(text.slice(start, end))) lines.push(count.at(start));
    at = end >= text.length ? -1 : hay.indexOf(pattern.required, end + 1);
  }
  return lines;
}

function everyLine(text: string, expression: RE2JS): number[] {
  const lines: number[] = [];
  const count = new LineCounter(text);
  for (let at = 0; at < text.length;) {
    const stop = endOfLine(text, Math.min(text.length, at + BLOCK));
    if (expression.test(text.slice(at, stop))) {
      // the last line of a block may be an empty one, which starts where the block stops
      for (let start = at; start <= stop && start < text.length;) {
        const end = endOfLine(text, start);
        if (expression.test(text.slice(start, end))) lines.push(count.at(start));
        start = end + 1;
      }
    }
    at = stop + 1;
  }
  return lines;
}

function acrossLines(text: string, expression: RE2JS, group: number): number[] {
  const lines = new Set<number>();
  const count = new LineCounter(text);
  const matcher = expression.matcher(text);
  for (let from = 0; from <= text.length && matcher.find(from);) {
    const start = matcher.start(group);
    const stop = matcher.end(group);
    // an empty match behind the last line end is on no line
    if (start === text.length && (text === '' || text.endsWith('\n'))) break;
    const last = Math.max(start, stop - 1);
    for (let at = start; ;) {
      lines.add(count.at(at));
      const end = endOfLine(text, at);
      if (end >= last || end >= text.length) break;
      at = end + 1;
    }
    from = stop > from ? stop : Math.max(start, from) + 1;
  }
  return [...lines];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Line numbers of positions that mostly ascend. */
class LineCounter {
  #line = 1;
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  at(position: number): number {
    if (position < this.#at) {
      this.#line = 1;
      this.#at = 0;
    }
    for (
      let next = this.#text.indexOf('\n', this.#at);
      next >= 0 && next < position;
      next = this.#text.indexOf('\n', this.#at)
    ) {
      this.#at = next + 1;
      this.#line++;
    }
    return this.#line;
  }
}
