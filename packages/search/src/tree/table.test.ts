// Tables of files: what goes in comes out, in the order of bytes.
import { expect, test } from 'vitest';
import {
  comparePaths,
  findPath,
  hasBit,
  makeBits,
  makeFileTable,
  pathOf,
  putBit,
  rangeOf,
  sortPaths,
} from './table.ts';

const NAMES = [
  '',
  'a',
  'a-b',
  'a.b',
  'a/b',
  'a/b/c',
  'a/é',
  'a0',
  'z',
  'é',
  '\uffee',
  '😀',
  '\ue000',
  '\ufffd/x',
  'ab',
];

test('paths are ordered by their bytes, surrogates included', () => {
  const byBytes = NAMES.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(NAMES.toSorted(comparePaths)).toEqual(byBytes);
  expect(sortPaths([...NAMES])).toEqual(byBytes);
  expect(sortPaths(['b', 'a'])).toEqual(['a', 'b']);
});

test('every path of a table is found, and no other', () => {
  const paths = sortPaths([...NAMES]);
  const table = makeFileTable(
    paths,
    paths.map((_, i) => ({ ctime: i + 0.5, size: i * 2 ** 33, ino: i * 7 })),
    paths.map((_, i) => i),
  );
  expect(table.pathBytes.buffer).toBeInstanceOf(SharedArrayBuffer);
  for (const [i, path] of paths.entries()) {
    expect(pathOf(table, i)).toBe(path);
    expect(findPath(table, path)).toBe(i);
    expect([table.ctime[i], table.size[i], table.ino[i], table.flags[i]]).toEqual([i + 0.5, i * 2 ** 33, i * 7, i]);
  }
  for (const other of ['b', 'a/', 'a/c', '\u{10ffff}', '/']) expect(findPath(table, other)).toBe(-1);
  expect(findPath(makeFileTable([]), 'a')).toBe(-1);
});

test('the files below a directory are one range', () => {
  const table = makeFileTable(sortPaths([...NAMES]));
  const below = (directory: string): string[] => {
    const { first, end } = rangeOf(table, directory);
    return Array.from({ length: end - first }, (_, i) => pathOf(table, first + i));
  };
  expect(below('a')).toEqual(['a/b', 'a/b/c', 'a/é']);
  expect(below('a/b')).toEqual(['a/b/c']);
  expect(below('b')).toEqual([]);
  expect(below('\ufffd')).toEqual(['\ufffd/x']);
  expect(below('')).toHaveLength(NAMES.length);
});

test('bits say whether they were news', () => {
  const bits = makeBits(70);
  expect([putBit(bits, 31, true), putBit(bits, 31, true), putBit(bits, 69, true), putBit(bits, 69, false)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect([hasBit(bits, 31), hasBit(bits, 69), hasBit(bits, 30)]).toEqual([true, false, false]);
});
