// For tests only: random patterns and hostile texts, and what the exact matcher says of a text line by line.
import * as fc from 'fast-check';
import { parsePattern } from '../syntax/parse.ts';
import type { Hir, PatternOptions } from '../syntax/hir.ts';
import { compileMatcher } from './pike.ts';
import { touchedLines } from './touched.ts';

export const PLAIN: PatternOptions = { literal: false, ignoreCase: false, word: false, multiline: false };

const ATOMS = [
  ['a', 'b', 'K', 's', 'foo', 'Bar', '_', '-', ' ', '0', 'é', 'ü', '\u212a', '\u017f', '日本', '🙂', '\\xff'],
  ['.', '\\w', '\\W', '\\d', '\\s', '\\S', '[a-c]', '[^a]', '[Kk]', '[é-ü]', '[^\\x00-\\x7f]', '\\pL', '(?-u:\\xc3)'],
  ['^', '$', '\\b', '\\B', '\\A', '\\z', '\\b{start}', '\\b{end}', '\\b{start-half}', '\\b{end-half}'],
  ['(?-u:\\b)', '(?-u:\\B)', '(?-u:\\w)', '(?-u:[\\x80-\\xff])', '(?R:$)', '(?R:^)', '(?-s:.)', '(?i:s)', '\\r'],
].flat();
const REPEATS = ['?', '*', '+', '{2}', '{1,3}', '{0}', '*?', '+?', '??'];

export const patterns: fc.Arbitrary<string> = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ATOMS) },
    { weight: 1, arbitrary: tie('pattern').map((inner) => `(?:${inner})`) },
  ),
  pattern: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('atom'),
    fc.array(tie('pattern'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((parts) => `(?:${parts.join('|')})`),
    fc.tuple(tie('atom'), fc.constantFrom(...REPEATS)).map(([atom, repeat]) => `(?:${atom})${repeat}`),
  ),
})).pattern;

export const patternOptions: fc.Arbitrary<PatternOptions> = fc.record({
  literal: fc.constant(false),
  ignoreCase: fc.boolean(),
  word: fc.boolean(),
  multiline: fc.constant(false),
});

/** The tree of a random pattern; patterns the parser refuses are another's business. */
export function treeOf(pattern: string, options: PatternOptions): Hir | undefined {
  try {
    return parsePattern(pattern, options);
  } catch {
    return undefined;
  }
}

const PIECES = [
  ['a', 'b', 'k', 'K', 's', 'S', 'foo', 'FOO', 'Bar', 'bar', '_', '-', ' ', '0', '9', '\t', '\0', 'x'.repeat(40)],
  ['é', 'É', 'ü', 'Ü', '\u212a', '\u017f', '日本', '🙂', '\u2028', '\u0085', '\ufffd'],
  ['\n', '\n', '\n', '\r\n', '\r'],
]
  .flat()
  .map((text) => Buffer.from(text));
const BROKEN = [[0xff], [0xc3], [0xa9], [0xe2, 0x84], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]];

const pieces = (all: readonly Uint8Array[]): fc.Arbitrary<Buffer> =>
  fc.array(fc.constantFrom(...all), { maxLength: 40 }).map((parts) => Buffer.concat(parts));

/** Lines of characters that mean something to the patterns, ASCII only, valid and broken. */
export const texts: fc.Arbitrary<Buffer> = fc.oneof(
  pieces(PIECES.filter((piece) => piece.every((byte) => byte < 128))),
  pieces(PIECES),
  pieces([...PIECES, ...BROKEN.map((bytes) => Uint8Array.from(bytes))]),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

/** Matching lines, flat [start, end, ...], by the exact matcher alone. */
export function exactLines(hir: Hir, text: Uint8Array): number[] {
  const matcher = compileMatcher(hir);
  const lines: number[] = [];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(10, start);
    const end = found < 0 ? text.length : found;
    if (matcher.test(text, start, end)) lines.push(start, end);
    start = end + 1;
  }
  return lines;
}

/** Lines touched by the exact matcher's matches in the whole text. */
export function exactlyTouched(hir: Hir, text: Uint8Array): number[] {
  return touchedLines(text, text.length, compileMatcher(hir).spans(text, 0, text.length, Infinity), Infinity);
}
