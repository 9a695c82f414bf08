// list and stat: order, depth, patterns, pages; and what a path is.
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashOf } from '../../lib/edits/disk/hash.ts';
import { bench, type Bench } from './testkit.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.close());

const names = (answer: { data: { entries: { name: string }[] } }): string[] =>
  answer.data.entries.map((each) => each.name);

test('names in byte order, an entry before what is in it', async () => {
  for (const dir of ['b', 'a-x', 'a']) mkdirSync(b.at(dir));
  for (const file of ['a/z', 'a/B', 'b/1', 'Z', '\u{10000}', '\uffee']) writeFileSync(b.at(file), 'x');
  expect(names(await b.call('list', { uri: b.root }))).toEqual(['Z', 'a', 'a-x', 'b', '\uffee', '\u{10000}']);
  expect(names(await b.call('list', { uri: b.root, depth: 2 }))).toEqual([
    'Z',
    'a',
    'a/B',
    'a/z',
    'a-x',
    'b',
    'b/1',
    '\uffee',
    '\u{10000}',
  ]);
});

test('entries carry uri, kind and size; links are not followed', async () => {
  mkdirSync(b.at('d'));
  writeFileSync(b.at('d', 'f'), 'xyz');
  symlinkSync('d', b.at('l'));
  const answer = await b.call('list', { uri: b.root, depth: 3 });
  expect(answer.data.entries).toEqual([
    { name: 'd', uri: b.uri('d'), is_dir: true, size: null },
    { name: 'd/f', uri: b.uri('d', 'f'), is_dir: false, size: 3 },
    { name: 'l', uri: b.uri('l'), is_dir: false, size: 1, link: true },
  ]);
});

test('a pattern refuses directories too', async () => {
  mkdirSync(b.at('d.rs'));
  mkdirSync(b.at('e'));
  for (const file of ['a.rs', 'b.ts', 'd.rs/in.rs', 'e/in.rs']) writeFileSync(b.at(file), '');
  expect(names(await b.call('list', { uri: b.root, depth: 3, pattern: '*.rs' }))).toEqual([
    'a.rs',
    'd.rs',
    'd.rs/in.rs',
  ]);
});

test.each([
  ['*.{rs,ts}', ['a.rs', 'b.ts']],
  ['**/*.ts', ['b.ts']],
  ['!*.ts', ['a.rs', 'c']],
  ['[ab]*', ['a.rs', 'b.ts']],
  ['?', ['c']],
])('pattern %s', async (pattern, expected) => {
  for (const file of ['a.rs', 'b.ts', 'c']) writeFileSync(b.at(file), '');
  expect(names(await b.call('list', { uri: b.root, pattern }))).toEqual(expected);
});

test.each(['', 'a/b', '*.{ts', '[a', '\0'])('pattern %j is refused', async (pattern) => {
  expect((await b.call('list', { uri: b.root, pattern })).error).toMatchObject({
    code: 'INVALID_PARAMS',
    param: 'pattern',
  });
});

test('pages of two concatenate, with the total on each', async () => {
  for (const file of ['a', 'b', 'c']) writeFileSync(b.at(file), '');
  const first = await b.call('list', { uri: b.root, limit: 2 });
  expect(first.data.paging).toEqual({ cursor: '2', more: true, total: 3 });
  const second = await b.call('list', { uri: b.root, limit: 2, cursor: '2' });
  expect(names(second)).toEqual(['c']);
  expect(second.data.paging).toEqual({ cursor: null, more: false, total: 3 });
});

test.each(['x', '-1', '1.5', '99', '', '0x1'])('cursor %j is refused', async (cursor) => {
  expect((await b.call('list', { uri: b.root, cursor })).error.code).toBe('INVALID_PARAMS');
});

test.each([0, 1001, -1])('limit %j is refused', async (limit) => {
  expect((await b.call('list', { uri: b.root, limit })).error.code).toBe('INVALID_PARAMS');
});

test('a page of a folder of 10,000 stays within the output limit and goes on', async () => {
  for (let i = 0; i < 10_000; i++) writeFileSync(b.at(`file-${i}`), '');
  const answer = await b.call('list', { uri: b.root, limit: 1000 });
  expect(JSON.stringify(answer.content).length).toBeLessThan(50_000);
  expect(answer.data.paging).toMatchObject({ more: true, total: 10_000, cursor: String(answer.data.entries.length) });
});

test('a file is no directory', async () => {
  writeFileSync(b.at('f'), '');
  expect((await b.call('list', { uri: b.at('f') })).error.code).toBe('INVALID_PARAMS');
});

test('stat of a file, a directory, links', async () => {
  writeFileSync(b.at('f'), 'abc');
  chmodSync(b.at('f'), 0o640);
  linkSync(b.at('f'), b.at('g'));
  const file = await b.call('stat', { uri: b.at('f') });
  expect(file.data).toMatchObject({
    uri: b.uri('f'),
    size: 3,
    hash: hashOf(Buffer.from('abc')),
    is_file: true,
    is_dir: false,
    mode: '0640',
    nlink: 2,
  });
  expect(new Date(file.data.mtime).toISOString()).toBe(file.data.mtime);
  expect((await b.call('stat', { uri: b.root })).data).toMatchObject({ hash: null, is_file: false, is_dir: true });
  symlinkSync('f', b.at('l'));
  expect((await b.call('stat', { uri: b.at('l') })).data).toMatchObject({
    uri: b.uri('l'),
    link: 'f',
    target: b.uri('f'),
    size: 3,
  });
  symlinkSync('gone', b.at('m'));
  expect((await b.call('stat', { uri: b.at('m') })).data).toMatchObject({ link: 'gone', dangling: true, hash: null });
  expect((await b.call('stat', { uri: b.at('ff') })).error).toMatchObject({ code: 'NOT_FOUND', nearest: [b.uri('f')] });
});
