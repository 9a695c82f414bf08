// The one place of a hunk: whole lines, found exactly or by a bounded reading, narrowed by contexts and line numbers.
import { shorten } from '@hanzo/tool';
import type { Text } from '../edit.ts';
import { shown } from '../text/encoding.ts';
import { advice, explainAbsence } from '../text/explain.ts';
import { fold, type Folding } from '../text/fold.ts';
import type { Line } from '../text/lines.ts';
import { applicable, LENIENT_LIMIT, type Strategy } from '../text/match.ts';
import type { Hunk } from './change.ts';

/** A hunk that has no one place; the message says what is there instead. */
export class Misplaced extends Error {}

/** The lines a hunk expects to find. */
export function oldLines(hunk: Hunk): string[] {
  return hunk.lines.filter((line) => line.sign !== '+').map((line) => line.text);
}

/** Index of the line a hunk starts at. Throws Misplaced. */
export function place(lines: readonly Line[], hunk: Hunk, file: Text): { start: number; strategy: Strategy } {
  const old = oldLines(hunk);
  const regions = narrow(lines, hunk);
  if (old.length === 0) return { start: insertion(lines, hunk, regions), strategy: 'exact' };
  for (const strategy of ['exact', ...lenientFor(file, old)] as const) {
    let starts = matches(lines, old, strategy);
    if (hunk.atEnd) starts = starts.filter((start) => start + old.length === lines.length);
    starts = regions ? firstIn(regions, starts) : starts;
    if (starts.length === 0) continue;
    if (starts.length === 1) return { start: starts[0]!, strategy };
    // Among equal places the number a diff carries decides, where it names one of them.
    if (hunk.at !== undefined && starts.includes(hunk.at - 1)) return { start: hunk.at - 1, strategy };
    const where = starts
      .slice(0, 50)
      .map((start) => start + 1)
      .join(', ');
    throw new Misplaced(
      `the hunk at line ${hunk.from} of the patch fits at ${starts.length} places (lines ${where}); add lines around the one you mean`,
    );
  }
  throw new Misplaced(absent(hunk, old, file));
}

function lenientFor(file: Text, old: readonly string[]): readonly Folding[] {
  if (file.format.binary || file.text.length > LENIENT_LIMIT) return [];
  return applicable(file.text, old.join('\n')).filter((each) => each !== 'line-ends');
}

/** Where the hunk's contexts lead: the stretches of lines after them; undefined if it names none. */
function narrow(lines: readonly Line[], hunk: Hunk): { from: number; to: number }[] | undefined {
  if (hunk.contexts.length === 0) return undefined;
  let regions = [{ from: 0, to: lines.length }];
  for (const context of hunk.contexts) {
    const at = contextLines(lines, context);
    regions = regions.flatMap(({ from, to }) => {
      const inside = at.filter((each) => each >= from && each < to);
      return inside.map((each, i) => ({ from: each + 1, to: inside[i + 1] ?? to }));
    });
    if (regions.length === 0) {
      throw new Misplaced(
        `the context ${JSON.stringify(context)} of the hunk at line ${hunk.from} of the patch is not in the file`,
      );
    }
  }
  return regions;
}

/** Lines a context names: equal to it, else equal but for blanks around, else beginning with it. */
function contextLines(lines: readonly Line[], context: string): number[] {
  const wanted = context.trim();
  const tests: ((line: string) => boolean)[] = [
    (line) => line === context,
    (line) => line.trim() === wanted,
    (line) => line.trim().startsWith(wanted),
  ];
  for (const test of tests) {
    const at = lines.flatMap((line, i) => (test(line.text) ? [i] : []));
    if (at.length > 0) return at;
  }
  return [];
}

/** The first place in each region; a place may start on the context line itself where none follows it. */
function firstIn(regions: readonly { from: number; to: number }[], starts: readonly number[]): number[] {
  const chosen = regions.flatMap(({ from, to }) => {
    const first = starts.find((start) => start >= from && start < to) ?? starts.find((start) => start === from - 1);
    return first === undefined ? [] : [first];
  });
  return [...new Set(chosen)];
}

/** Where lines go that replace nothing. */
function insertion(lines: readonly Line[], hunk: Hunk, regions: { from: number; to: number }[] | undefined): number {
  if (regions) {
    if (regions.length === 1) return regions[0]!.from;
    const where = regions.map(({ from }) => from).join(', ');
    throw new Misplaced(
      `the context ${JSON.stringify(hunk.contexts.at(-1))} of the hunk at line ${hunk.from} of the patch stands at lines ${where}; name one of them more closely`,
    );
  }
  if (hunk.at === undefined || hunk.atEnd) return lines.length;
  if (hunk.at <= lines.length) return hunk.at;
  throw new Misplaced(
    `the hunk at line ${hunk.from} of the patch goes after line ${hunk.at}, but the file has ${lines.length}`,
  );
}

/** Starts of every run of lines equal to `old` under a reading, of bounded length. */
function matches(lines: readonly Line[], old: readonly string[], strategy: Strategy): number[] {
  const read = (line: string): string => (strategy === 'exact' ? line : fold(line, strategy).text);
  const trim = strategy === 'whitespace' || strategy === 'unicode-whitespace';
  const key = (line: string): string => (trim ? read(line).trim() : read(line));
  const wanted = old.map(key);
  if (strategy !== 'exact' && wanted.every((line) => line.trim() === '')) return [];
  const keys = strategy === 'exact' ? undefined : lines.map((line) => key(line.text));
  const at = (i: number): string => keys?.[i] ?? lines[i]!.text;
  const starts: number[] = [];
  for (let start = 0; start + wanted.length <= lines.length; start++) {
    if (at(start) !== wanted[0]) continue;
    let i = 1;
    while (i < wanted.length && at(start + i) === wanted[i]) i++;
    if (i === wanted.length && bounded(lines, start, old)) starts.push(start);
  }
  return starts;
}

function bounded(lines: readonly Line[], start: number, old: readonly string[]): boolean {
  let have = 0;
  let asked = 0;
  for (const [i, line] of old.entries()) {
    have += lines[start + i]!.text.length;
    asked += line.length;
  }
  const room = 16 * old.length;
  return have <= 2 * asked + room && asked <= 2 * have + room;
}

function absent(hunk: Hunk, old: readonly string[], file: Text): string {
  const why = advice(explainAbsence(file.text, old.join('\n'), file.cr), false);
  const first = JSON.stringify(shorten(shown(old.find((line) => line.trim() !== '') ?? ''), 80));
  return `the hunk at line ${hunk.from} of the patch does not match: ${first} and what follows is not there${why}`;
}
