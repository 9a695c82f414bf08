import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePattern } from '../syntax/parse.ts';
import { DEAD, MATCH, UNKNOWN, makeAutomaton } from './automaton.ts';
import type { Automaton } from './automaton.ts';
import { PLAIN, patternOptions, patterns, texts, treeOf } from './testkit.ts';
import { compileMatcher } from './pike.ts';

/** Runs an automaton over one text as the kernel does. */
function accepts(automaton: Automaton, table: Uint32Array, text: Uint8Array): boolean {
  let row = 0;
  for (let i = 0; i <= text.length; i++) {
    const symbol = i < text.length ? automaton.classes[text[i]!]! : automaton.end;
    let next = table[row / 4 + symbol]!;
    if (next === UNKNOWN) next = automaton.miss(row, symbol) >>> 0;
    if (next === MATCH) return true;
    if (next === DEAD) return false;
    row = next;
  }
  return false;
}

function make(pattern: string, tableBytes = 1 << 20): { run: (text: string) => boolean; automaton: Automaton } {
  const automaton = makeAutomaton(parsePattern(pattern, PLAIN), { lines: true })!;
  const table = new Uint32Array(tableBytes / 4);
  automaton.attach({ table });
  return { automaton, run: (text) => accepts(automaton, table, Buffer.from(text)) };
}

describe('the automaton', () => {
  it('accepts all the pattern matches, and no more of ASCII or where it says it is exact; also with next to no memory', () => {
    fc.assert(
      fc.property(patterns, patternOptions, fc.boolean(), texts, (pattern, options, lines, bytes) => {
        const hir = treeOf(pattern, { ...options, multiline: !lines });
        fc.pre(hir !== undefined);
        const automaton = makeAutomaton(hir, { lines })!;
        const text = lines ? bytes.filter((byte) => byte !== 10) : bytes;
        const expected = compileMatcher(hir).test(text, 0, text.length);
        const exact = automaton.exact || text.every((byte) => byte < 128);
        for (const rows of [10_000, 3]) {
          const table = new Uint32Array(rows * (automaton.end + 1));
          automaton.attach({ table });
          const accepted = accepts(automaton, table, text);
          if (exact) expect(accepted).toBe(expected);
          else expect(accepted || !expected).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is exact where classes take few sequences of bytes', () => {
    for (const pattern of ['foo.*bar', '[^"]*"', 'é+', '[а-я]+', '(?i)k', '(?-u:\\b)x']) {
      expect(make(pattern).automaton.exact).toBe(true);
    }
    for (const pattern of ['\\w', '\\bx', '\\pL']) expect(make(pattern).automaton.exact).toBe(false);
  });

  it('stays within its table whatever the pattern', () => {
    const { run, automaton } = make('(a|b|c|d)*x.{12}y', 1 << 14);
    expect(automaton.end).toBeLessThan(40);
    // every window of x and y is a row of its own
    let seed = 7;
    let text = '';
    for (let i = 0; i < 20_000; i++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      text += seed & 0x10000 ? 'x' : 'a';
    }
    expect(run(text)).toBe(false);
    expect(run(`${text}x123456789012y`)).toBe(true);
  });

  it('is made for large patterns, too', () => {
    expect(make('\\w{1000}').run('a'.repeat(999))).toBe(false);
    expect(make('\\w{1000}').run('a'.repeat(1000))).toBe(true);
    const words = Array.from({ length: 500 }, (_, i) => `word${(i * 7919).toString(36)}`);
    const many = make(words.join('|'));
    expect(words.every((word) => many.run(`<${word}>`))).toBe(true);
    expect(many.run('wor word')).toBe(false);
    expect(make('(x+x+)+y').run('x'.repeat(5000))).toBe(false);
  });

  it('is not made where the pattern is too large for it', () => {
    expect(makeAutomaton(parsePattern('(?:[a-c]{100}){1000}', PLAIN), { lines: true })).toBeUndefined();
  });
});
