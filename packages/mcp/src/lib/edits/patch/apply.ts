// The hunks of one file put in their places: all on the file as it was, every byte outside them kept.
import { encodeFor, type Text } from '../edit.ts';
import { byteSpan } from '../text/encoding.ts';
import { type Line, type LineEnd, splitLines } from '../text/lines.ts';
import type { Strategy } from '../text/match.ts';
import type { Hunk } from './change.ts';
import { Misplaced, oldLines, place } from './place.ts';

export interface Applied {
  readonly bytes: Buffer;
  /** strategies other than exact, each once */
  readonly lenient: readonly Strategy[];
}

interface Place {
  readonly start: number;
  readonly count: number;
  readonly hunk: Hunk;
}

/** Applies all hunks or throws Misplaced. `name` is for messages. */
export function applyHunks(file: Text, hunks: readonly Hunk[], name: string): Applied {
  const lines = splitLines(file.text, file.cr);
  const lenient = new Set<Strategy>();
  const places = hunks.map((hunk) => {
    const found = place(lines, hunk, file);
    if (found.strategy !== 'exact') lenient.add(found.strategy);
    return { start: found.start, count: oldLines(hunk).length, hunk };
  });
  const order = places
    .map((each, i) => ({ ...each, i }))
    .sort((a, b) => a.start - b.start || a.count - b.count || a.i - b.i);
  for (const [i, each] of order.entries()) {
    const next = order[i + 1];
    if (next && each.start + each.count > next.start) {
      throw new Misplaced(
        `the hunks at lines ${each.hunk.from} and ${next.hunk.from} of the patch both change line ${next.start + 1}`,
      );
    }
  }
  return { bytes: write(file, lines, order, name), lenient: [...lenient] };
}

/** A line of the result: one of the file, or a new one. */
interface Out {
  readonly index?: number;
  readonly text: string;
  end: LineEnd | '';
}

function write(file: Text, lines: readonly Line[], order: readonly Place[], name: string): Buffer {
  const out: Out[] = [];
  const keep = (from: number, to: number): void => {
    for (let i = from; i < to; i++) out.push({ index: i, ...lines[i]! });
  };
  let at = 0;
  let forced: boolean | undefined;
  for (const each of order) {
    keep(at, each.start);
    const ended = putHunk(out, lines, each);
    at = each.start + each.count;
    if (at === lines.length && ended !== undefined) forced = ended;
  }
  keep(at, lines.length);
  settleEnds(out, lines, file.cr, forced);
  return assemble(file, lines, out, name);
}

/** Lays out one hunk. Tells whether its marks say that the text ends with a newline (true) or without (false). */
function putHunk(out: Out[], lines: readonly Line[], { start, hunk }: Place): boolean | undefined {
  let old = start;
  let removed: (LineEnd | '')[] = [];
  let oldOpen = false;
  let newOpen = false;
  for (const line of hunk.lines) {
    if (line.sign !== '+' && line.open) oldOpen = true;
    if (line.sign !== '-' && line.open) newOpen = true;
    if (line.sign === '+') {
      const end = removed.shift() ?? neighbour(out, lines, old);
      out.push({ text: line.text, end });
      continue;
    }
    if (line.sign === ' ') {
      removed = [];
      out.push({ index: old, ...lines[old]! });
    } else removed.push(lines[old]!.end);
    old++;
  }
  if (newOpen) return false;
  return oldOpen ? true : undefined;
}

function neighbour(out: readonly Out[], lines: readonly Line[], next: number): LineEnd | '' {
  const above = out.at(-1);
  return above ? above.end : (lines[next]?.end ?? '\n');
}

/** Only the last line may be without an end, and it is so if it was, unless the patch says otherwise. */
function settleEnds(out: Out[], lines: readonly Line[], cr: boolean, forced: boolean | undefined): void {
  const style = (i: number): LineEnd =>
    out.slice(0, i).findLast((line) => line.end !== '')?.end ||
    lines.find((line) => line.end !== '')?.end ||
    (cr ? '\r' : '\n');
  for (let i = 0; i < out.length - 1; i++) if (out[i]!.end === '') out[i]!.end = style(i);
  const last = out.at(-1);
  if (!last || last.index !== undefined) return;
  const closed = forced ?? lines.at(-1)?.end !== '';
  if (closed) last.end ||= style(out.length - 1);
  else last.end = '';
}

/** Bytes: of the file where a line is the file's, encoded where it is new. */
function assemble(file: Text, lines: readonly Line[], out: readonly Out[], name: string): Buffer {
  const { format, bytes, text } = file;
  const pieces: Buffer[] = [bytes.subarray(0, format.mark)];
  let character = 0;
  let byte = format.mark;
  let index = 0;
  /** byte offset of the start of a line; asked for in ascending order */
  const seek = (to: number): number => {
    let end = character;
    for (; index < to; index++) end += lines[index]!.text.length + lines[index]!.end.length;
    byte += byteSpan(text, character, end, format);
    character = end;
    return byte;
  };
  const encoded = (piece: string): Buffer => encodeFor(piece, format.encoding, name, 'input');
  for (let i = 0; i < out.length;) {
    const line = out[i]!;
    if (line.index === undefined) {
      pieces.push(encoded(line.text + line.end));
      i++;
      continue;
    }
    let run = i + 1;
    const untouched = (each: Out | undefined, own: number): boolean =>
      each?.index === own && each.end === lines[own]!.end;
    if (untouched(line, line.index)) {
      while (run < out.length && untouched(out[run], line.index + run - i)) run++;
      const from = seek(line.index);
      pieces.push(bytes.subarray(from, seek(line.index + run - i)));
    } else {
      // an untouched last line that got an end because others follow it now
      const from = seek(line.index);
      pieces.push(bytes.subarray(from, seek(line.index + 1)), encoded(line.end));
    }
    i = run;
  }
  // an odd byte behind UTF-16 text belongs to no line
  const rest = seek(lines.length);
  pieces.push(bytes.subarray(rest));
  return Buffer.concat(pieces);
}
