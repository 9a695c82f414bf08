// Why a text was not found: the places most like it, and the first character that differs there.
import { cut } from './diff.ts';
import { shown } from './encoding.ts';
import { fold, isAsciiText } from './fold.ts';
import { type Line, splitLines } from './lines.ts';
import { nameOf } from './names.ts';
import { type Resemblance, resemblances } from './resemble.ts';

/** A place like the one that was meant. `line` is 1-based. */
interface Candidate {
  readonly line: number;
  readonly text: string;
}

export interface Explanation {
  readonly candidates: readonly Candidate[];
  /** one sentence about the first difference at the best candidate, '' if there is none worth naming */
  readonly difference: string;
}

/** What follows from an explanation, to stand at the end of a refusal: where to look, and what to do. */
export function advice({ candidates, difference }: Explanation, empty: boolean): string {
  if (empty) return '; the file is empty: give an empty old_text to fill it';
  const [best] = candidates;
  if (!best) return '; read the file and quote it as it stands';
  return `; nearest is line ${best.line}${difference ? `: ${difference}` : ''}; quote it as it stands there`;
}

/** Candidates shown. */
const SHOWN = 3;
/** Lines compared by likeness; beyond, only equal lines count. */
const FUZZY_LINES = 20_000;
/** Least likeness by common letter pairs that makes a line a candidate. */
const LIKENESS = 0.5;
/** Asked lines repeated more often than this do not vote for a place. */
const COMMON = 8;
/** Above this many characters a file is not looked through for candidates. */
const EXPLAIN_LIMIT = 8 * 1024 * 1024;

/** Explains why `wanted` (LF line ends) is not in `text`. */
export function explainAbsence(text: string, wanted: string, cr: boolean): Explanation {
  if (text.length > EXPLAIN_LIMIT || wanted.trim() === '') return { candidates: [], difference: '' };
  const lines = splitLines(text, cr);
  const asked = wanted.split('\n');
  const starts = voted(lines, asked);
  const whole = starts.length > 0 ? starts : alike(lines, asked);
  // A short text may be a part of a line that as a whole is not like it.
  const parts = whole.length === 0 && asked.length === 1 ? resembling(lines, asked[0]!) : [];
  const best = (whole.length > 0 ? whole : parts.map((part) => part.line)).slice(0, SHOWN);
  const candidates = best.map((start) => ({
    line: start + 1,
    text: cut(shown(lines[start]!.text)),
  }));
  return {
    candidates,
    difference: best[0] === undefined ? '' : firstDifference(lines, best[0], asked, parts[0]?.column),
  };
}

function reading(line: string): string {
  if (isAsciiText(line)) return line.trim().replaceAll(/[ \t]+/g, ' ');
  return shown(fold(line, 'unicode-whitespace').text.trim());
}

/** Starts at which most of the asked lines stand, read leniently. */
function voted(lines: readonly Line[], asked: readonly string[]): number[] {
  const where = new Map<string, number[]>();
  for (const [k, line] of asked.entries()) {
    const key = reading(line);
    if (key !== '') where.set(key, [...(where.get(key) ?? []), k]);
  }
  const votes = new Map<number, number>();
  for (const [j, line] of lines.entries()) {
    const at = where.get(reading(line.text)) ?? [];
    // a line that is everywhere, a closing bracket, tells nothing of the place
    if (at.length > COMMON) continue;
    for (const k of at) {
      if (j - k >= 0) votes.set(j - k, (votes.get(j - k) ?? 0) + 1);
    }
  }
  return [...votes].sort(([a, m], [b, n]) => n - m || a - b).map(([start]) => start);
}

/** Starts at which the longest asked line has its likest lines. */
function alike(lines: readonly Line[], asked: readonly string[]): number[] {
  let longest = 0;
  for (let k = 1; k < asked.length; k++) if (asked[k]!.trim().length > asked[longest]!.trim().length) longest = k;
  const score = likenessTo(reading(asked[longest]!));
  const scored: [start: number, score: number][] = [];
  for (let j = longest; j < Math.min(lines.length, FUZZY_LINES); j++) {
    const line = lines[j]!.text;
    if (line.length > 2000) continue;
    const alikeness = score(reading(line));
    if (alikeness >= LIKENESS) scored.push([j - longest, alikeness]);
  }
  return scored.sort(([a, m], [b, n]) => n - m || a - b).map(([start]) => start);
}

function resembling(lines: readonly Line[], asked: string): Resemblance[] {
  const texts = lines.slice(0, FUZZY_LINES).map(({ text }) => (text.length > 2000 ? '' : text));
  const lead = asked.length - asked.trimStart().length;
  return resemblances(texts, asked).map((each) => ({ ...each, column: Math.max(0, each.column - lead) }));
}

function pairAt(line: string, i: number): number {
  return (line.charCodeAt(i) << 16) | line.charCodeAt(i + 1);
}

/**
 * A measure of likeness to `asked`: the mean of how many letter pairs two lines share and how many of the asked line's are
 * in the other, which may be longer. 0 to 1.
 */
function likenessTo(asked: string): (line: string) => number {
  const pairs = new Map<number, number>();
  for (let i = 0; i + 1 < asked.length; i++) if (!pairs.has(pairAt(asked, i))) pairs.set(pairAt(asked, i), pairs.size);
  const seen = new Uint32Array(asked.length + 1);
  let turn = 0;
  return (line) => {
    turn++;
    let both = 0;
    for (let i = 0; i + 1 < line.length; i++) {
      const pair = pairs.get(pairAt(line, i));
      if (pair === undefined || seen[pair] === turn) continue;
      seen[pair] = turn;
      both++;
    }
    return both === 0 ? 0 : both / (pairs.size + Math.max(pairs.size, line.length - 1)) + both / pairs.size / 2;
  };
}

function firstDifference(lines: readonly Line[], start: number, asked: readonly string[], column?: number): string {
  for (const [k, given] of asked.entries()) {
    const line = lines[start + k];
    if (line === undefined) return `the file ends after line ${lines.length}, old_text goes on`;
    const first = k === 0;
    const last = k === asked.length - 1;
    const difference = lineDifference(line.text, given, start + k + 1, first, last, column);
    if (difference !== '') return difference;
  }
  return '';
}

/** Compares one line; the first asked line may start, and the last may stop, inside a line of the file. */
function lineDifference(
  actual: string,
  given: string,
  line: number,
  first: boolean,
  last: boolean,
  column?: number,
): string {
  const from = first ? (column ?? alignedStart(actual, given)) : 0;
  const have = Array.from(actual.slice(from));
  const want = Array.from(given);
  let at = Array.from(actual.slice(0, from)).length;
  for (let i = 0; i < want.length; i++, at++) {
    if (have[i] === want[i]) continue;
    const theirs = have[i] === undefined ? 'the end of the line' : nameOf(have[i]!);
    return `the file has ${theirs} at ${line}:${at + 1}, you gave ${nameOf(want[i]!)}`;
  }
  if (have.length > want.length && !last) {
    return `the file has ${nameOf(have[want.length]!)} at ${line}:${at + 1}, you gave the end of the line`;
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
