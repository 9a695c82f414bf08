// Paths: what a caller may name, what an answer names, and the two being inverse to one another.
import { homedir } from 'node:os';
import path from 'node:path';
import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { toPath, toUri, within } from './path.ts';

test.each([
  ['/a/b', '/a/b'],
  ['/a//b/', '/a/b'],
  ['/a/./b/../c', '/a/c'],
  ['/../../a', '/a'],
  ['/a%20b#c?d', '/a%20b#c?d'],
  ['~', homedir()],
  ['~/x', path.join(homedir(), 'x')],
  ['~/../x', path.join(homedir(), '..', 'x')],
  ['file:///a/b', '/a/b'],
  ['file:/a/b', '/a/b'],
  ['FILE:///a/b', '/a/b'],
  ['file://localhost/a', '/a'],
  ['file:///a%20b%23c%3Fd%25', '/a b#c?d%'],
  ['file:///a b', '/a b'],
  ['file:///a ', '/a '],
  ['file:///a\nb\tc', '/a\nb\tc'],
  ['file:///a\\b', '/a\\b'],
  ['file:///%C3%BC', '/ü'],
  ['file:///ü', '/ü'],
  ['file:///a/../b', '/b'],
])('%j is %s', (uri, file) => {
  expect(toPath(uri, '/cwd')).toBe(file);
});

test.each([
  ['', 'empty'],
  ['a.txt', '/cwd/a.txt'],
  ['./a', '/cwd/a'],
  ['../a', '/a'],
  ['~user/x', 'relative'],
  ['/a\0b', 'NUL'],
  ['file:///a%00b', 'NUL'],
  ['file:a.txt', 'file:///absolute/path'],
  ['file://host/a', 'file:///absolute/path'],
  ['file:///a%2Fb', 'file:///absolute/path'],
  ['file:///a%zz', 'file:///absolute/path'],
  ['file:///a%ff', 'file:///absolute/path'],
  ['file:///a#b', '%23'],
  ['file:///a?b', '%3F'],
  ['file:///a#', '%23'],
  ['https://x/y', 'not a file'],
])('%j is refused and the message says what would be right', (uri, mend) => {
  expect(() => toPath(uri, '/cwd')).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS', message: expect.stringContaining(mend) }),
  );
});

test('the parameter is named', () => {
  expect(() => toPath('x', '/cwd', 'destination')).toThrow(
    expect.objectContaining({ details: { param: 'destination' } }),
  );
});

test('toPath undoes toUri for every name', () => {
  const sign = constantFrom(
    'a',
    'ü',
    '😀',
    ' ',
    '%',
    '#',
    '?',
    '\\',
    '\n',
    '\t',
    '"',
    "'",
    '&',
    ';',
    ':',
    '+',
    '~',
    '.x',
    '\u2028',
    '\x7f',
    '\x01',
    '[',
    '^',
    '|',
  );
  assert(
    property(array(array(sign, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }), (names) => {
      const file = path.resolve('/', ...names.map((each) => each.join('')));
      expect(toPath(toUri(file), '/cwd')).toBe(file);
      expect(toPath(file, '/cwd')).toBe(file);
    }),
  );
});

test.each([
  ['/a', '/a', true],
  ['/a/b', '/a', true],
  ['/ab', '/a', false],
  ['/a', '/a/b', false],
  ['/a/..b', '/a', true],
  ['/', '/a', false],
  ['/a', '/', true],
])('within(%s, %s) is %s', (file, dir, expected) => {
  expect(within(file, dir)).toBe(expected);
});
