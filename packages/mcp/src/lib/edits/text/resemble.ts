// The places inside lines that are most like a short text: for what was asked as a part of a line.

/** A stretch of a line like the asked text. `line` counts from 0, `column` in UTF-16 units. */
export interface Resemblance {
  readonly line: number;
  readonly column: number;
  /** 0 to 1: one less the edits needed per character of the longer of the two */
  readonly likeness: number;
}

/** Longest text looked for this way; a longer one is told by its whole line. */
const LONGEST = 200;
/** Least likeness that is worth a mention. */
const LIKENESS = 0.5;
/** Steps of comparing in all, about a tenth of a second. */
const BUDGET = 15_000_000;
/** A stretch may have this many tokens fewer or more than the asked text. */
const SLACK = 2;

const TOKEN = /[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]/gu;

/** The best stretch of each line, likest first; of lines equally like in their order. */
export function resemblances(lines: readonly string[], asked: string): Resemblance[] {
  const wanted = asked.trim();
  if (wanted === '' || wanted.length > LONGEST) return [];
  const count = [...wanted.matchAll(TOKEN)].length;
  const known = new Map<string, number>();
  const found: Resemblance[] = [];
  let left = BUDGET;
  for (const [line, text] of lines.entries()) {
    if (left <= 0) break;
    left -= text.length;
    let best: Resemblance | undefined;
    for (const { start, end } of stretches(text, count)) {
      const length = end - start;
      const most = 1 - Math.abs(length - wanted.length) / Math.max(length, wanted.length);
      if (most < LIKENESS || most <= (best?.likeness ?? 0)) continue;
      const stretch = text.slice(start, end);
      let likeness = known.get(stretch);
      if (likeness === undefined) {
        if (left <= 0) break;
        left -= length * wanted.length;
        likeness = 1 - edits(stretch, wanted) / Math.max(length, wanted.length);
        known.set(stretch, likeness);
      }
      if (likeness >= LIKENESS && likeness > (best?.likeness ?? 0)) best = { line, column: start, likeness };
    }
    if (best) found.push(best);
  }
  return found.sort((a, b) => b.likeness - a.likeness || a.line - b.line);
}

/** Runs of about `count` tokens of a line, those of exactly that many first at each place. */
function* stretches(text: string, count: number): Generator<{ start: number; end: number }> {
  const tokens = [...text.matchAll(TOKEN)].map((each) => ({ start: each.index, end: each.index + each[0].length }));
  for (const [i, { start }] of tokens.entries()) {
    for (let off = 0; off <= SLACK; off++) {
      for (const many of off === 0 ? [count] : [count - off, count + off]) {
        const last = many > 0 ? tokens[i + many - 1] : undefined;
        if (last) yield { start, end: last.end };
      }
    }
  }
}

/** Insertions, deletions, replacements and swaps of neighbours that make one text of the other. */
function edits(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let value = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, before[j - 2]! + 1);
      row.push(value);
    }
    before = above;
    above = row;
  }
  return above[b.length]!;
}
