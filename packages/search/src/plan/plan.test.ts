// A plan never rules out a document with a match, says what it should of the usual patterns, and stays small.
import { describe, expect, it } from 'vitest';
import { makePlan } from './plan.ts';
import { leaves } from './query.ts';
import type { GramQuery, Plan } from './types.ts';
import { compileMatcher } from '../match/pike.ts';
import { parsePattern } from '../syntax/parse.ts';
import type { PatternOptions } from '../syntax/hir.ts';

const PLAIN: PatternOptions = { literal: false, ignoreCase: false, word: false, multiline: false };

const planOf = (pattern: string, options: Partial<PatternOptions> = {}): Plan =>
  makePlan(parsePattern(pattern, { ...PLAIN, ...options }), { multiline: options.multiline ?? false });

/** A condition in words: `abc` for a gram, `ab*` for a pair, `&` binding closer than `|`. */
function say(query: GramQuery): string {
  const bytes = (value: number, count: number): string =>
    Array.from({ length: count }, (_, i) => {
      const byte = (value >>> (8 * (count - 1 - i))) & 255;
      return byte > 32 && byte < 127 ? String.fromCharCode(byte) : byte === 10 ? '⏎' : `<${byte.toString(16)}>`;
    }).join('');
  switch (query.kind) {
    case 'gram':
      return bytes(query.gram, 3);
    case 'pair':
      return `${bytes(query.pair, 2)}*`;
    case 'and':
      return query.parts.map((part) => (part.kind === 'or' ? `(${say(part)})` : say(part))).join(' & ');
    case 'or':
      return query.parts.map(say).join(' | ');
    default:
      return query.kind;
  }
}

const said = (pattern: string, options: Partial<PatternOptions> = {}): string => say(planOf(pattern, options).query);

describe('a plan', () => {
  it.each([
    ['foobar', 'foo & oob & oba & bar'],
    ['foo', 'foo'],
    ['^foo$', '⏎fo & foo & oo⏎'],
    ['foo|bar', 'foo | bar'],
    ['foo|ba', 'foo | ba*'],
    ['foo|b', 'all'],
    ['foo|bar.*', 'foo | bar'],
    ['(foo|)bar', 'bar'],
    ['fo{2}', 'foo'],
    ['(?:ab){2,}', 'aba & bab'],
    ['fo*', 'all'],
    ['foo.*bar', 'foo & bar'],
    ['foo.*x.*bar', 'foo & bar'],
    [String.raw`\bspin\b`, 'spi & pin'],
    ['[ab]cd', 'acd | bcd'],
    ['[A-C]+_SUS', '_SU & SUS & (A_S | B_S | C_S)'],
    [
      '[a-z]+Err',
      'Err & (aEr | bEr | cEr | dEr | eEr | fEr | gEr | hEr | iEr | jEr | kEr | lEr | mEr | nEr | oEr | pEr | qEr | rEr | sEr | tEr | uEr | vEr | wEr | xEr | yEr | zEr)',
    ],
    [String.raw`\w+foo`, 'foo'],
    ['Jür', 'J<c3><bc> & <c3><bc>r'],
    ['日', '<e6><97><a5>'],
    [String.raw`\?\?`, '??*'],
    ['ü', '<c3><bc>*'],
    ['a.b', 'all'],
    ['ab.cd', 'ab* & cd*'],
    ['^a$', 'all'],
    ['^$', 'all'],
    ['', 'all'],
    [String.raw`(?-u:\xff)ab`, '<ff>ab'],
    [String.raw`\x{0}ab`, '<0>ab'],
    ['(?i)ab1', 'AB1 | aB1 | Ab1 | ab1'],
  ])('says of /%s/: %s', (pattern, expected) => {
    const sort = (text: string): string =>
      text
        .split(/( & | \| |[()])/)
        .sort()
        .join('|');
    expect(sort(said(pattern)), said(pattern)).toBe(sort(expected));
  });

  it('asks a condition per place of a long word whose case is ignored', () => {
    const { query, plusFolding } = planOf('deadlock', { ignoreCase: true });
    expect(query.kind).toBe('and');
    expect(leaves(query)).toBeLessThan(60);
    expect(plusFolding).toBe(true);
    expect(say(query)).toContain('OCK');
    expect(planOf('dead', { ignoreCase: true }).plusFolding).toBe(false);
    expect(planOf(String.raw`\x{212a}elvin`).plusFolding).toBe(false);
  });

  it('leaves out of a multiline plan what crosses a line end, and asks files then', () => {
    const over = planOf(String.raw`foo\nbar`, { multiline: true });
    expect(say(over.query).split(' & ').sort()).toEqual(['bar', 'foo', 'oo⏎', '⏎ba'].sort());
    expect(over.perFile).toBe(true);
    expect(planOf('foo', { multiline: true }).perFile).toBe(false);
    expect(planOf('\\Afoo', { multiline: true }).perFile).toBe(true);
    expect(planOf('(foo\\z)?x', { multiline: true }).perFile).toBe(true);
    expect(planOf('[^x]foo', { multiline: true }).perFile).toBe(true);
    expect(said(String.raw`\n\n`, { multiline: true })).toBe('all');
  });

  it('knows which patterns need a byte above 127', () => {
    const needs = ['ü', 'aü', '(ü|é)', 'ü+', '[à-ü]', String.raw`\p{Greek}`, String.raw`(?-u:\xff)`];
    const needsNot = ['a', '(ü|e)', 'ü*', 'ü?', '[a-ü]', '.', String.raw`\w`, '(?i)k', '', '^'];
    expect(needs.filter((pattern) => !planOf(pattern).nonAscii)).toEqual([]);
    expect(needsNot.filter((pattern) => planOf(pattern).nonAscii)).toEqual([]);
  });

  it('stays small, and is made at once, whatever the pattern', () => {
    const words = Array.from({ length: 1600 }, (_, i) => `w${(i * 7919) % 100_003}x`).join('|');
    const patterns: [string, Partial<PatternOptions>][] = [
      [words.slice(0, 9_990), {}],
      [`(?i)${words.slice(0, 9_900)}z`, {}],
      ['ab'.repeat(5_000), {}],
      ['abcdefghij'.repeat(1_000), { ignoreCase: true }],
      ['(?:[ab][cd]){1000}', {}],
      ['((((a{1,9}){1,9}){1,9}b){1,5}c){1,5}', {}],
      ['[a-z][a-z][a-z][a-z]', {}],
      ['[0-9a-f]{32}', {}],
      [`${'(?:x?'.repeat(100)}${')'.repeat(100)}`, {}],
      [
        Array.from({ length: 64 }, (_, i) => `${String.fromCharCode(33 + i)}`.replace(/\W/, String.raw`\$&`)).join('|'),
        {},
      ],
    ];
    for (const [pattern, options] of patterns) {
      expect(leaves(planOf(pattern, options).query), pattern.slice(0, 40)).toBeLessThanOrEqual(2048);
    }
    expect(planOf(words.slice(0, 9_990).replace(/\|[^|]*$/, '')).query.kind).toBe('or');
    expect(leaves(planOf('ab1cd2ef3gh4'.repeat(800)).query)).toBeLessThanOrEqual(96);
  });
});

// The rule itself, tried: a document with a match satisfies the plan.

function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Random = (below: number) => number;

const ATOMS = [
  'a',
  'b',
  'k',
  's',
  'S',
  'ab',
  'foo',
  'ks',
  'ü',
  '日',
  '[ab]',
  '[a-c]',
  '[^a]',
  '[as-uü]',
  '.',
  String.raw`\w`,
  String.raw`\W`,
  '^',
  '$',
  String.raw`\b`,
  String.raw`\B`,
  String.raw`\A`,
  String.raw`\z`,
  '(?i:k)',
  '(?i:sa)',
  String.raw`(?-u:[a-c])`,
  '',
  String.raw`\b{start-half}`,
  String.raw`\b{end-half}`,
];
const REPEATS = ['*', '+', '?', '{2}', '{1,2}', '{2,}', '{0,2}', '{0}', '+?', '*?', '{9}', '??'];

function randomPattern(random: Random, depth: number, multiline: boolean): string {
  const pick = random(depth > 0 ? 10 : 3);
  const inner = (): string => randomPattern(random, depth - 1, multiline);
  if (pick < 3) {
    if (multiline && random(6) === 0) return [String.raw`\n`, String.raw`[\na]`, '(?s:.)'][random(3)]!;
    return ATOMS[random(ATOMS.length)]!;
  }
  if (pick < 7) return Array.from({ length: 2 + random(4) }, inner).join('');
  if (pick < 8) return `(?:${Array.from({ length: 2 + random(2) }, inner).join('|')})`;
  return `(?:${inner()})${REPEATS[random(REPEATS.length)]!}`;
}

const LETTERS = [
  'a',
  'b',
  'c',
  'k',
  's',
  'foo',
  'ab',
  'S',
  'K',
  '\u212a',
  '\u017f',
  'ü',
  '日',
  ' ',
  '_',
  '\n',
  '\n',
  '\r',
];

const randomText = (random: Random): string =>
  Array.from({ length: random(24) }, () => LETTERS[random(LETTERS.length)]!).join('');

/** Grams of a document, `\n` counting at both ends. */
function gramsOf(bytes: Uint8Array): Set<number> {
  const all = [10, ...bytes, 10];
  const grams = new Set<number>();
  for (let i = 0; i + 2 < all.length; i++) {
    const [a, b, c] = [all[i]!, all[i + 1]!, all[i + 2]!];
    if (b !== 10 && (a !== 10 || c !== 10)) grams.add((a << 16) | (b << 8) | c);
  }
  return grams;
}

function satisfies(grams: ReadonlySet<number>, query: GramQuery): boolean {
  switch (query.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'gram':
      return grams.has(query.gram);
    case 'pair':
      return [...grams].some((gram) => gram >>> 8 === query.pair);
    case 'and':
      return query.parts.every((part) => satisfies(grams, part));
    case 'or':
      return query.parts.some((part) => satisfies(grams, part));
  }
}

describe.each([false, true])('no document with a match is ruled out (multiline %s)', (multiline) => {
  it.each([11, 12, 13, 14])('seed %i', (seed) => {
    const random = randomFrom(seed + (multiline ? 100 : 0));
    let matches = 0;
    let ruledOut = 0;
    for (let round = 0; round < 700; round++) {
      const pattern = randomPattern(random, 3, multiline);
      const options = { ...PLAIN, multiline, ignoreCase: random(4) === 0, word: random(6) === 0 };
      let hir;
      try {
        hir = parsePattern(pattern, options);
      } catch {
        continue;
      }
      const matcher = compileMatcher(hir);
      const plan = makePlan(hir, { multiline });
      for (let texts = 0; texts < 12; texts++) {
        const text = randomText(random);
        const bytes = Buffer.from(text);
        // a block of a file: some of its lines
        const blocks = plan.perFile || !text.includes('\n') ? [bytes] : blocksOf(bytes);
        const held = blocks.map((block) => {
          const folding = plan.plusFolding && /[\u212a\u017f]/.test(text);
          return folding || (satisfies(gramsOf(block), plan.query) && (!plan.nonAscii || /[\u0080-\uffff]/.test(text)));
        });
        if (plan.perFile && blocksOf(bytes).length > 1) {
          // conditions of a file hold for the grams of all its blocks together
          const grams = new Set(blocksOf(bytes).flatMap((block) => [...gramsOf(block)]));
          held[0] = satisfies(grams, plan.query) || (plan.plusFolding && /[\u212a\u017f]/.test(text));
        }
        blocks.forEach((block, index) => {
          const found =
            multiline && plan.perFile
              ? matcher.test(block, 0, block.length)
              : linesOf(block).some((line) => matcher.test(line, 0, line.length));
          if (found) matches++;
          if (!held[index]) ruledOut++;
          if (found && !held[index]) expect.fail(JSON.stringify({ pattern, options, text, plan: say(plan.query) }));
        });
      }
    }
    expect(matches).toBeGreaterThan(500);
    expect(ruledOut).toBeGreaterThan(500);
  });
});

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, end));
    from = end + 1;
  }
  if (from < bytes.length) lines.push(bytes.subarray(from));
  return lines;
}

function blocksOf(bytes: Buffer): Buffer[] {
  const middle = bytes.indexOf(10, bytes.length / 2) + 1;
  return middle > 0 && middle < bytes.length ? [bytes.subarray(0, middle), bytes.subarray(middle)] : [bytes];
}
