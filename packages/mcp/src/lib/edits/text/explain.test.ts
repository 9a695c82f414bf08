// What a refused edit says: the likest place, the first difference, and what to do.
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bench, type Bench } from '../../../tools/fs/testkit.ts';
import { resemblances } from './resemble.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.close());

describe('a part of a line that is not there', () => {
  test.each([
    ['one\nworld\n', 'wolrd', 2, "U+0072 'r' at 2:3, you gave U+006C 'l'"],
    ['const a = 1;\nfunction alpha() {\n}\n', 'alfa', 2, "U+0070 'p' at 2:12, you gave U+0066 'f'"],
    ['x\nif (a\u200bb) return veryLongExpression(of, many, things);\n', 'a b', 2, 'U+200B ZERO WIDTH SPACE at 2:6'],
    ['x = foo(bar, baz) + 1 - something_else_entirely;\n', 'foo(bar,bax)', 1, 'U+0020 SPACE at 1:13'],
  ])('in %j, %j has its likest place', async (text, old_text, line, difference) => {
    writeFileSync(b.at('a.txt'), text);
    const { error } = await b.call('apply_patch', { uri: b.at('a.txt'), old_text, new_text: 'new' });
    expect(error.code).toBe('NOT_FOUND');
    expect(error.candidates[0].line).toBe(line);
    expect(error.message).toContain(difference);
    expect(error.message).toMatch(/; quote it as it stands there$/);
  });

  test.each([
    ['', '; the file is empty: give an empty old_text to fill it'],
    ['something else\n', '; read the file and quote it as it stands'],
  ])('in %j there is none, and what to do is said', async (text, words) => {
    writeFileSync(b.at('a.txt'), text);
    const { error } = await b.call('apply_patch', { uri: b.at('a.txt'), old_text: 'qqq', new_text: 'new' });
    expect(error.message).toBe(`old_text is not in ${b.at('a.txt')}${words}`);
  });

  test('a long file of long lines is looked through within bounds', () => {
    const line = Array.from({ length: 200 }, (_, i) => `w${i}x`).join(' ');
    const lines = Array.from({ length: 20_000 }, (_, i) => `${i} ${line}`);
    const found = resemblances(lines, 'w1y w2y w3y w4y');
    expect(found[0]).toMatchObject({ line: 0 });
  });
});
