import { expect, test } from 'vitest';
import { SearchError } from '../types.ts';
import type { PatternOptions } from './hir.ts';
import { parsePattern } from './parse.ts';
import { has } from './ranges.ts';
import { propertyNamed, propertyValue } from './unicode.ts';
import { foldScalars } from './fold.ts';

const PLAIN: PatternOptions = { literal: false, ignoreCase: false, word: false, multiline: false };

function mistake(pattern: string, options = PLAIN): { message: string; position: number | undefined } {
  try {
    parsePattern(pattern, options);
  } catch (error) {
    if (error instanceof SearchError) return { message: error.message, position: error.position };
    throw error;
  }
  throw new Error(`${pattern} is a pattern`);
}

test('a pattern becomes classes, places and repetitions', () => {
  const a = { kind: 'class', ranges: [0x61, 0x61] };
  expect(parsePattern('', PLAIN)).toEqual({ kind: 'empty' });
  expect(parsePattern('a|b', PLAIN)).toEqual({ kind: 'class', ranges: [0x61, 0x62] });
  expect(parsePattern('(?:a)(?P<x>a)', PLAIN)).toEqual({ kind: 'concat', parts: [a, a] });
  expect(parsePattern('a{2,}?', PLAIN)).toEqual({ kind: 'repeat', body: a, min: 2, max: Infinity, greedy: false });
  expect(parsePattern(String.raw`\b{3}`, PLAIN)).toEqual({ kind: 'look', look: 'word', unicode: true });
  expect(parsePattern('(?i)k', PLAIN)).toEqual({ kind: 'class', ranges: [0x4b, 0x4b, 0x6b, 0x6b, 0x212a, 0x212a] });
  expect(parsePattern('(?-u)[^a]', PLAIN)).toEqual({ kind: 'bytes', ranges: [0, 9, 11, 0x60, 0x62, 0xff] });
  expect(parsePattern(String.raw`[\x{D7FF}-\x{E000}]`, PLAIN)).toEqual({
    kind: 'class',
    ranges: [0xd7ff, 0xd7ff, 0xe000, 0xe000],
  });
  expect(parsePattern('a', { ...PLAIN, word: true })).toEqual({
    kind: 'concat',
    parts: [
      { kind: 'look', look: 'word-start-half', unicode: true },
      a,
      { kind: 'look', look: 'word-end-half', unicode: true },
    ],
  });
});

test('a line end is matched across lines only', () => {
  expect(mistake(String.raw`😀\n`)).toMatchObject({ position: 2, message: expect.stringContaining('`multiline`') });
  expect(mistake('a\nb', { ...PLAIN, literal: true })).toMatchObject({ position: 1 });
  expect(parsePattern(String.raw`\n`, { ...PLAIN, multiline: true })).toEqual({ kind: 'class', ranges: [10, 10] });
  expect(parsePattern(String.raw`[\n\r]`, PLAIN)).toEqual({ kind: 'class', ranges: [13, 13] });
});

test('a mistake is told with its place, in UTF-16 units, and what would be right', () => {
  expect(mistake('😀(')).toMatchObject({ position: 2, message: expect.stringContaining(')') });
  expect(mistake('a(?=b)')).toMatchObject({ position: 1, message: expect.stringContaining('`backtrack`') });
  expect(mistake(String.raw`(a)\1`)).toMatchObject({ position: 3, message: expect.stringContaining('`backtrack`') });
  expect(mistake('[z-a]')).toMatchObject({ position: 1 });
  expect(mistake('x{3,1}')).toMatchObject({ position: 1 });
  expect(mistake(String.raw`a\p{Nope}`)).toMatchObject({ position: 1, message: expect.stringContaining('"Nope"') });
  expect(mistake('\ud800')).toMatchObject({ position: 0 });
});

test('neither depth nor counts are more than the machine can hold', () => {
  for (const text of ['('.repeat(5_000), '[', '(?:a*)*', 'a*']) {
    const pattern = text.length > 100 ? text + ')'.repeat(5_000) : text.repeat(5_000);
    if (text === '(?:a*)*' || text === 'a*') parsePattern(pattern, PLAIN);
    else expect(mistake(pattern).position).toBeDefined();
  }
  expect(mistake('(((a{100}){100}){100}){100}').message).toContain('smaller counts');
  expect(mistake('(?:(?:){1000}x?){999999999}').message).toContain('smaller counts');
  expect(parsePattern('(?:(?:){1000000}){999999999}', PLAIN)).toEqual({ kind: 'empty' });
});

test('where ripgrep stumbles over its own wrapping, the pattern is taken as it stands', () => {
  // ripgrep 15.0 puts `(?:` and `)` around a pattern: a comment then swallows the parenthesis, and `a)(b` closes it.
  expect(parsePattern('(?x)a # b', PLAIN)).toEqual({ kind: 'class', ranges: [0x61, 0x61] });
  expect(mistake('a)(b')).toMatchObject({ position: 1 });
  // Rust's regex reads `!=` and forgets it.
  const digits = propertyNamed('Nd')!;
  expect(parsePattern(String.raw`\P{gc!=Nd}`, PLAIN)).toEqual({ kind: 'class', ranges: digits });
});

test('properties are those of the running engine, but for characters one of them does not know', () => {
  const assigned = propertyNamed('Assigned')!;
  const sample: [string, readonly number[]][] = [
    [String.raw`\p{Lu}`, propertyNamed('Lu')!],
    [String.raw`\p{Script=Greek}`, propertyNamed('isGreek')!],
    [String.raw`\p{scx=Hira}`, propertyValue('Script_Extensions', 'hiragana').ranges!],
    [String.raw`\p{Nd}`, propertyValue('gc', 'decimal number').ranges!],
    [String.raw`\p{White_Space}`, propertyNamed('WSpace')!],
    [String.raw`\p{Emoji}`, propertyNamed('emoji')!],
  ];
  for (const [source, ranges] of sample) {
    const expression = new RegExp(source, 'u');
    const wrong: number[] = [];
    for (let point = 0; point <= 0x1ffff; point++) {
      if (has(assigned, point) && expression.test(String.fromCodePoint(point)) !== has(ranges, point))
        wrong.push(point);
    }
    expect(wrong).toEqual([]);
  }
});

test('case folds as in the running engine', () => {
  const assigned = propertyNamed('Assigned')!;
  for (const one of ['k', 's', 'ß', 'σ', 'ж', 'ǆ', 'ᾳ', 'Ꭰ', 'ა', 'i', 'ı', 'µ', 'å', '𐐀']) {
    const point = one.codePointAt(0)!;
    const folded = foldScalars([point, point]);
    const expression = new RegExp(`^${one}$`, 'iu');
    for (let other = 0; other <= 0x1ffff; other++) {
      if (has(assigned, other) && expression.test(String.fromCodePoint(other)) !== has(folded, other)) {
        throw new Error(`${one} and ${other.toString(16)}`);
      }
    }
  }
});
