import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePattern } from '../syntax/parse.ts';
import type { PatternOptions } from '../syntax/hir.ts';
import { PLAIN, exactLines, patternOptions, patterns, texts, treeOf } from './testkit.ts';
import { makeSpec } from './spec.ts';
import type { ScanSpec } from './types.ts';

function specOf(pattern: string, options: Partial<PatternOptions> = {}): ScanSpec {
  const all = { ...PLAIN, ...options };
  return makeSpec(parsePattern(pattern, all), all);
}

const needlesOf = (pattern: string, options: Partial<PatternOptions> = {}): string[] =>
  specOf(pattern, options)
    .needles.map((needle) => Buffer.from(needle).toString())
    .sort();

/** Does the line hold a needle, as the specification means it? */
function holds(spec: ScanSpec, line: Buffer): boolean {
  const text = spec.fold ? Buffer.from(line.map((byte) => (byte >= 65 && byte <= 90 ? byte | 0x20 : byte))) : line;
  return spec.needles.some((needle) => text.includes(Buffer.from(needle)));
}

describe('needles', () => {
  it('every matching line holds one, where no character folds to ASCII', () => {
    fc.assert(
      fc.property(patterns, patternOptions, texts, (pattern, options, text) => {
        const hir = treeOf(pattern, options);
        fc.pre(hir !== undefined && !text.includes('\u212a') && !text.includes('\u017f'));
        const spec = makeSpec(hir, { multiline: false });
        fc.pre(spec.needles.length > 0);
        const lines = exactLines(hir, text);
        for (let i = 0; i < lines.length; i += 2) expect(holds(spec, text.subarray(lines[i], lines[i + 1]))).toBe(true);
      }),
      { numRuns: 250 },
    );
  });

  it('are the rarest text that must be there', () => {
    expect(needlesOf('[A-Z]+_SUSPEND')).toEqual(['_SUSPEND']);
    expect(needlesOf('static.*inline.*zxq')).toEqual(['zxq']);
    expect(needlesOf('ab+cd')).toEqual(['bcd']);
    expect(needlesOf('(foo){3}')).toEqual(['foofoofoo']);
    expect(needlesOf('(?:foo|bar)zq.')).toEqual(['barzq', 'foozq']);
    expect(needlesOf('common(?:foo|bar)?.')).toEqual(['common']);
    expect(needlesOf('(?:foobar|bar.*quux)\\d')).toEqual(['foobar', 'quux']);
    expect(needlesOf('J\u00fcrgen.')).toEqual(['J\u00fcrgen']);
    expect(needlesOf('(?-u:\\xffab)')).toHaveLength(1);
  });

  it('are none where there is nothing to look for, or looking costs more than reading', () => {
    for (const pattern of [
      '',
      '.',
      '\\w+',
      'foo|.',
      '(?:foobar)?',
      '(?:foobar)*',
      'a|b|c|d|e|f|g|h|i',
      'e.',
      '[^\\n]',
    ]) {
      expect(needlesOf(pattern)).toEqual([]);
    }
  });

  it('decide alone only where the pattern is literals', () => {
    const certain = (pattern: string, options: Partial<PatternOptions> = {}): string =>
      specOf(pattern, options).certain;
    expect(certain('foo')).toBe('always');
    expect(certain('foo|bar')).toBe('always');
    expect(certain('fo[ox]')).toBe('always');
    expect(certain('abc', { ignoreCase: true })).toBe('always');
    expect(certain('desk', { ignoreCase: true })).toBe('ascii');
    expect(certain('^foo')).toBe('never');
    expect(certain('foo.')).toBe('never');
    expect(certain('f\\boo')).toBe('never');
    expect(certain('(?i:foo)BAR')).toBe('never');
    expect(certain('foo\nbar', { multiline: true })).toBe('never');
    expect(certain('x'.repeat(255))).toBe('always');
    expect(certain('x'.repeat(256))).toBe('never');
  });

  it('count as words where the pattern says no more than that', () => {
    for (const pattern of ['\\bfoo\\b', '\\<foo\\>', '\\b(?:foo|bar)\\b', '\\b{start}foo\\b{end-half}']) {
      expect(specOf(pattern)).toMatchObject({ word: true, certain: 'always' });
    }
    expect(specOf('foo', { word: true })).toMatchObject({ word: true, certain: 'always' });
    expect(specOf('-foo-', { word: true })).toMatchObject({ word: true, certain: 'always' });
    // between "-" and a boundary there is a word character
    for (const pattern of ['\\b-foo-\\b', '\\bfoo', 'foo\\b', '\\Bfoo\\B', '\\b(?:foo|-)\\b']) {
      expect(specOf(pattern)).toMatchObject({ word: false, certain: 'never' });
    }
  });

  it('a pattern that cannot leave its line is searched line by line', () => {
    const multiline = (pattern: string): boolean => specOf(pattern, { multiline: true }).multiline;
    expect(multiline('foo.*bar$')).toBe(false);
    expect(multiline('foo\\s')).toBe(true);
    expect(multiline('(?s)foo.')).toBe(true);
    expect(multiline('\\Afoo')).toBe(true);
  });
});
