// Replacements of stretches of one file: its bytes afterwards, and the same as hunks of a patch.
import { ToolError } from '@hanzo/tool';
import { encodeFor, type Text } from './edit.ts';
import { byteSpan } from './text/encoding.ts';
import { type Line, splitLines } from './text/lines.ts';

/** Units `start` to `end` of a decoded text are to be `text`, as it stands. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One hunk: the line of the old file it starts at, and its text in the grammar of patches. */
export interface Piece {
  /** from 1 */
  readonly line: number;
  readonly text: string;
  /** it holds something a patch cannot say: half of a character, or the end of a line of another kind */
  readonly inexact: boolean;
}

/** Lines shown around a change. */
const CONTEXT = 3;

/** In their order, equal ones once. INVALID_PARAMS if two of them overlap. */
export function ordered(spans: readonly Replacement[], name: string): Replacement[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const result: Replacement[] = [];
  for (const each of sorted) {
    const last = result.at(-1);
    if (last && last.start === each.start && last.end === each.end && last.text === each.text && each.end > each.start)
      continue;
    if (last && each.start < last.end) {
      throw new ToolError('INVALID_PARAMS', `${name}: two changes overlap; make them one after the other`);
    }
    result.push(each);
  }
  return result;
}

/** The file's bytes with every span replaced; what is outside is as it was. `spans` are ordered. */
export function applySpans(file: Text, spans: readonly Replacement[], name: string): Buffer {
  const { text, format, bytes } = file;
  const pieces: Buffer[] = [];
  let unit = 0;
  let from = 0;
  let at = format.mark;
  for (const { start, end, text: written } of spans) {
    const begin = at + byteSpan(text, unit, start, format);
    pieces.push(bytes.subarray(from, begin), encodeFor(written, format.encoding, name, 'replacement'));
    at = begin + byteSpan(text, start, end, format);
    from = at;
    unit = end;
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

/** The change as hunks with up to three lines around each. `spans` are ordered. */
export function hunksOf(file: Text, spans: readonly Replacement[]): Piece[] {
  const { text, cr } = file;
  const lines = splitLines(text, cr);
  const starts = startsOf(lines);
  const changes = spans.map((span) => blockOf(text, lines, starts, span));
  const blocks = merged(changes, 0);
  const pieces: Piece[] = [];
  let grown = 0;
  for (const group of grouped(blocks)) {
    const from = Math.max(0, (group[0] as Block).from - CONTEXT);
    const to = Math.min(lines.length, (group.at(-1) as Block).to + CONTEXT);
    const out: string[] = [];
    let at = from;
    let [removed, added] = [0, 0];
    let inexact = false;
    const keep = (until: number): void => {
      for (; at < until; at++) out.push(...signed(' ', lines[at] as Line));
    };
    for (const block of group) {
      keep(block.from);
      const after = rewritten(text, lines, starts, block);
      const fresh = splitLines(after, cr);
      inexact ||= mixed(lines.slice(block.from, block.to), fresh);
      for (; at < block.to; at++, removed++) out.push(...signed('-', lines[at] as Line));
      for (const each of fresh) out.push(...signed('+', each));
      added += fresh.length;
    }
    keep(to);
    const kept = to - from - removed;
    const whole = out.join('\n');
    inexact ||= !whole.isWellFormed();
    const old = `${kept + removed === 0 ? from : from + 1},${kept + removed}`;
    const now = `${from + 1 + grown},${kept + added}`;
    grown += added - removed;
    pieces.push({ line: from + 1, text: `@@ -${old} +${now} @@\n${whole.toWellFormed()}\n`, inexact });
  }
  return pieces;
}

/** Lines `from` to `to` (exclusive) and what replaces stretches of them. */
interface Block {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Replacement[];
}

function startsOf(lines: readonly Line[]): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const { text, end } of lines) {
    starts.push(at);
    at += text.length + end.length;
  }
  return starts;
}

/** The whole lines a span touches; what is put where a line begins touches none. */
function blockOf(text: string, lines: readonly Line[], starts: readonly number[], span: Replacement): Block {
  const first = lineOf(starts, span.start);
  const insertsLines = span.start === span.end && /[\r\n]$/.test(span.text);
  if (insertsLines && starts[first] === span.start) return { from: first, to: first, spans: [span] };
  if (span.start === text.length && (lines.length === 0 || lines.at(-1)?.end !== ''))
    return { from: lines.length, to: lines.length, spans: [span] };
  const from = first;
  // a removal that ends where a line begins leaves that line alone, if whole lines are put or nothing
  const whole = starts[first] === span.start && (span.text === '' || /[\r\n]$/.test(span.text));
  const last = lineOf(starts, whole ? Math.max(span.start, span.end - 1) : span.end);
  return { from, to: Math.max(from, last) + 1, spans: [span] };
}

function lineOf(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle;
  }
  return low;
}

/** Blocks that touch each other are one. */
function merged(blocks: readonly Block[], gap: number): Block[] {
  const result: Block[] = [];
  for (const each of blocks) {
    const last = result.at(-1);
    if (last && each.from <= last.to - (last.to > last.from ? 1 : 0) + gap) {
      result[result.length - 1] = {
        from: last.from,
        to: Math.max(last.to, each.to),
        spans: [...last.spans, ...each.spans],
      };
    } else result.push(each);
  }
  return result;
}

/** Blocks near enough for one hunk. */
function grouped(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  let last: Block | undefined;
  for (const each of blocks) {
    if (last && each.from - last.to <= 2 * CONTEXT) groups.at(-1)?.push(each);
    else groups.push([each]);
    last = each;
  }
  return groups;
}

function rewritten(text: string, lines: readonly Line[], starts: readonly number[], block: Block): string {
  const begin = starts[block.from] ?? text.length;
  const end = block.to < lines.length ? (starts[block.to] ?? text.length) : text.length;
  let result = '';
  let at = block.from === block.to ? begin : begin;
  for (const { start, end: stop, text: written } of block.spans) {
    result += text.slice(at, start) + written;
    at = stop;
  }
  return result + (block.from === block.to ? '' : text.slice(at, end));
}

const signed = (sign: string, { text, end }: Line): string[] =>
  end === '' ? [sign + text, '\\ No newline at end of file'] : [sign + text];

/** Whether new lines end in another way than a patch would end them. */
function mixed(before: readonly Line[], after: readonly Line[]): boolean {
  return after.some(({ end, text }, i) => {
    const had = before[Math.min(i, before.length - 1)];
    return text.includes('\r') || (had !== undefined && had.end !== end && end !== '' && had.end !== '');
  });
}
