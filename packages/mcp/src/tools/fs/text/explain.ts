// Why a text was not found: the places most like it, and the first character that differs there.
import { cut } from './diff.ts';
import { shown } from './encoding.ts';
import { fold } from './fold.ts';
import { type Line, splitLines } from './lines.ts';
import { nameOf } from './names.ts';

/** A place like the one that was meant. `line` is 1-based. */
export interface Candidate {
  readonly line: number;
  readonly text: string;
}

export interface Explanation {
  readonly candidates: readonly Candidate[];
  /** one sentence about the first difference at the best candidate, '' if there is none worth naming */
  readonly difference: string;
}

/** Candidates shown. */
const SHOWN = 3;
/** Lines compared by likeness; beyond, only equal lines count. */
const FUZZY_LINES = 20_000;
/** Least likeness by common letter pairs that makes a line a candidate. */
const LIKENESS = 0.5;
/** Above this many characters a file is not looked through for candidates. */
const EXPLAIN_LIMIT = 8 * 1024 * 1024;

/** Explains why `wanted` (LF line ends) is not in `text`. */
export function explainAbsence(text: string, wanted: string, cr: boolean): Explanation {
  if (text.length > EXPLAIN_LIMIT || wanted.trim() === '') return { candidates: [], difference: '' };
  const lines = splitLines(text, cr);
  const asked = wanted.split('\n');
  const starts = voted(lines, asked);
  const best = (starts.length > 0 ? starts : alike(lines, asked)).slice(0, SHOWN);
  const candidates = best.map((start) => ({
    line: start + 1,
    text: cut(shown(lines[start]!.text)),
  }));
  return { candidates, difference: best[0] === undefined ? '' : firstDifference(lines, best[0], asked) };
}

const reading = (line: string): string => shown(fold(line, 'unicode-whitespace').text.trim());

/** Starts at which most of the asked lines stand, read leniently. */
function voted(lines: readonly Line[], asked: readonly string[]): number[] {
  const where = new Map<string, number[]>();
  for (const [k, line] of asked.entries()) {
    const key = reading(line);
    if (key !== '') where.set(key, [...(where.get(key) ?? []), k]);
  }
  const votes = new Map<number, number>();
  for (const [j, line] of lines.entries()) {
    for (const k of where.get(reading(line.text)) ?? []) {
      if (j - k >= 0) votes.set(j - k, (votes.get(j - k) ?? 0) + 1);
    }
  }
  return [...votes].sort(([a, m], [b, n]) => n - m || a - b).map(([start]) => start);
}

/** Starts at which the longest asked line has its likest lines. */
function alike(lines: readonly Line[], asked: readonly string[]): number[] {
  let longest = 0;
  for (let k = 1; k < asked.length; k++) if (asked[k]!.trim().length > asked[longest]!.trim().length) longest = k;
  const wanted = pairs(reading(asked[longest]!));
  const scored: [start: number, score: number][] = [];
  for (let j = longest; j < Math.min(lines.length, FUZZY_LINES); j++) {
    const line = lines[j]!.text;
    if (line.length > 2000) continue;
    const score = likeness(wanted, pairs(reading(line)));
    if (score >= LIKENESS) scored.push([j - longest, score]);
  }
  return scored.sort(([a, m], [b, n]) => n - m || a - b).map(([start]) => start);
}

function pairs(line: string): Map<string, number> {
  const counted = new Map<string, number>();
  for (let i = 0; i + 1 < line.length; i++) {
    const pair = line.slice(i, i + 2);
    counted.set(pair, (counted.get(pair) ?? 0) + 1);
  }
  return counted;
}

/** Mean of how alike two lines are and how much of the asked one is in the other, which may be longer. */
function likeness(asked: ReadonlyMap<string, number>, line: ReadonlyMap<string, number>): number {
  let both = 0;
  let ours = 0;
  let theirs = 0;
  for (const [pair, count] of asked) {
    both += Math.min(count, line.get(pair) ?? 0);
    ours += count;
  }
  for (const count of line.values()) theirs += count;
  return both === 0 ? 0 : both / (ours + theirs) + both / ours / 2;
}

function firstDifference(lines: readonly Line[], start: number, asked: readonly string[]): string {
  for (const [k, given] of asked.entries()) {
    const line = lines[start + k];
    if (line === undefined) return `the file ends after line ${lines.length}, old_text goes on`;
    const first = k === 0;
    const last = k === asked.length - 1;
    const difference = lineDifference(line.text, given, start + k + 1, first, last);
    if (difference !== '') return difference;
  }
  return '';
}

/** Compares one line; the first asked line may start, and the last may stop, inside a line of the file. */
function lineDifference(actual: string, given: string, line: number, first: boolean, last: boolean): string {
  const from = first ? alignedStart(actual, given) : 0;
  const have = Array.from(actual.slice(from));
  const want = Array.from(given);
  let column = Array.from(actual.slice(0, from)).length;
  for (let i = 0; i < want.length; i++, column++) {
    if (have[i] === want[i]) continue;
    const theirs = have[i] === undefined ? 'the end of the line' : nameOf(have[i]!);
    return `the file has ${theirs} at ${line}:${column + 1}, you gave ${nameOf(want[i]!)}`;
  }
  if (have.length > want.length && !last) {
    return `the file has ${nameOf(have[want.length]!)} at ${line}:${column + 1}, you gave the end of the line`;
  }
  return '';
}

/** Where in a line of the file the first asked line most likely starts. */
function alignedStart(actual: string, given: string): number {
  const bare = given.trimStart();
  const folded = fold(actual, 'unicode');
  const key = shown(fold(bare, 'unicode').text);
  const hay = shown(folded.text);
  // A beginning of the asked text, as long as one is found; what comes first may be what differs.
  for (const length of [12, 6, 3, 2]) {
    const at = key.length >= length ? hay.indexOf(key.slice(0, length)) : -1;
    if (at < 0) continue;
    const from = folded.map[at]!;
    const blanks = given.length - bare.length;
    return /^\s*$/.test(actual.slice(0, from)) ? 0 : Math.max(0, from - blanks);
  }
  return 0;
}
