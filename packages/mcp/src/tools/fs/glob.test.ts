// The globs of `list`.
import path from 'node:path';
import { expect, test } from 'vitest';
import { compileRule } from './glob.ts';

test.each([
  ['*.js', 'a.js', true],
  ['*.js', 'd/a.js', true],
  ['/a.js', 'd/a.js', false],
  ['d/*.js', 'd/e/a.js', false],
  ['d/**/a.js', 'd/a.js', true],
  ['d/**/a.js', 'd/e/f/a.js', true],
  ['**/a', 'x/y/a', true],
  ['d/**', 'd', false],
  ['a[!b]c', 'abc', false],
  ['a[!b]c', 'axc', true],
  ['a\\*c', 'a*c', true],
  ['a+b(c).d', 'a+b(c).d', true],
  ['*', '.x', true],
  ['a**b', 'axyb', true],
])('rule %s on %s', (pattern, file, matches) => {
  expect(compileRule(pattern, false).matches(file, path.basename(file))).toBe(matches);
});
