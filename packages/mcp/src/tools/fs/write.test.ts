// write: new files only, whole or not at all; existing ones against their hash.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashOf } from '../../lib/edits/disk/hash.ts';
import { bench, type Bench } from './testkit.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.close());

test('makes the file and its parents, and answers the hash of its bytes', async () => {
  const answer = await b.call('write', { uri: b.at('x', 'y', 'a.txt'), content: 'é\r\n$&' });
  expect(answer.data).toEqual({ uri: b.uri('x', 'y', 'a.txt'), hash: hashOf(Buffer.from('é\r\n$&')), size: 6 });
  expect(readFileSync(b.at('x', 'y', 'a.txt'), 'utf8')).toBe('é\r\n$&');
  expect(readdirSync(b.at('x', 'y'))).toEqual(['a.txt']);
  expect(statSync(b.at('x', 'y', 'a.txt')).mode & 0o777).toBe(0o666 & ~process.umask());
});

test('round trip: what is written is read with the same hash', async () => {
  const written = await b.call('write', { uri: b.at('a'), content: 'x\n' });
  expect((await b.call('read', { uri: b.at('a') })).data.hash).toBe(written.data.hash);
});

test.each([
  ['utf-16le', 'fffe61000a00'],
  ['utf-16be', 'feff0061000a'],
  ['latin1', '610a'],
  ['utf-8', '610a'],
])('in %s', async (encoding, hex) => {
  await b.call('write', { uri: b.at('a'), content: 'a\n', encoding });
  expect(readFileSync(b.at('a')).toString('hex')).toBe(hex);
});

test('an existing file, directory or dangling link is CONFLICT and untouched', async () => {
  writeFileSync(b.at('a'), 'old');
  mkdirSync(b.at('d'));
  symlinkSync('/outside/nowhere', b.at('l'));
  for (const name of ['a', 'd', 'l']) {
    expect((await b.call('write', { uri: b.at(name), content: 'new' })).error.code).toBe('CONFLICT');
  }
  expect((await b.call('write', { uri: b.at('a'), content: 'new' })).error.message).toContain('apply_patch');
  expect(readFileSync(b.at('a'), 'utf8')).toBe('old');
});

test('with the hash of what is there it replaces, keeping mode, encoding and mark', async () => {
  const old = Buffer.from('\ufeffold', 'utf16le');
  writeFileSync(b.at('a'), old);
  chmodSync(b.at('a'), 0o755);
  const answer = await b.call('write', { uri: b.at('a'), content: 'new', base_hash: hashOf(old) });
  expect(answer.data.previous_hash).toBe(hashOf(old));
  expect(readFileSync(b.at('a')).toString('hex')).toBe(Buffer.from('\ufeffnew', 'utf16le').toString('hex'));
  expect(statSync(b.at('a')).mode & 0o777).toBe(0o755);
});

test('line ends are written as given, and a change of them is said', async () => {
  writeFileSync(b.at('a'), 'x\r\ny\r\n');
  const answer = await b.call('write', { uri: b.at('a'), content: 'x\n', base_hash: hashOf(readFileSync(b.at('a'))) });
  expect(answer.data.note).toContain('CRLF');
  expect(readFileSync(b.at('a'), 'utf8')).toBe('x\n');
});

test('with another hash it is CONFLICT with both', async () => {
  writeFileSync(b.at('a'), 'old');
  const expected = hashOf(Buffer.from('older'));
  const answer = await b.call('write', { uri: b.at('a'), content: 'new', base_hash: expected });
  expect(answer.error).toMatchObject({ code: 'CONFLICT', expected, actual: hashOf(Buffer.from('old')) });
  expect(readFileSync(b.at('a'), 'utf8')).toBe('old');
});

test('with a hash and nothing there it is NOT_FOUND', async () => {
  expect((await b.call('write', { uri: b.at('a'), content: '', base_hash: hashOf(Buffer.from('')) })).error.code).toBe(
    'NOT_FOUND',
  );
});

test('what the encoding cannot hold leaves nothing behind, not even a directory', async () => {
  expect((await b.call('write', { uri: b.at('d', 'a'), content: '→', encoding: 'latin1' })).error.code).toBe(
    'INVALID_PARAMS',
  );
  expect((await b.call('write', { uri: b.at('d', 'a'), content: '\udc00' })).error.code).toBe('INVALID_PARAMS');
  expect(existsSync(b.at('d'))).toBe(false);
});

test('of many writers of one path exactly one wins, whole', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => b.call('write', { uri: b.at('a'), content: String(i).repeat(1000) })),
  );
  const won = answers.flatMap((each, i) => (each.ok ? [i] : []));
  expect(won).toHaveLength(1);
  expect(readFileSync(b.at('a'), 'utf8')).toBe(String(won[0]).repeat(1000));
  expect(readdirSync(b.root)).toEqual(['a']);
});

test('a parent that is a file, an outside path, a path with NUL', async () => {
  writeFileSync(b.at('f'), '');
  expect((await b.call('write', { uri: b.at('f', 'a'), content: '' })).ok).toBe(false);
  expect((await b.call('write', { uri: '/etc/x/y', content: '' })).error.code).toBe('PERMISSION_DENIED');
  expect((await b.call('write', { uri: '/a\0b', content: '' })).error.code).toBe('INVALID_PARAMS');
});

test('below a file is CONFLICT naming the file', async () => {
  writeFileSync(b.at('f'), '');
  for (const names of [
    ['f', 'a'],
    ['f', 'a', 'b', 'c'],
  ]) {
    const { error } = await b.call('write', { uri: b.at(...names), content: 'x' });
    expect(error.code).toBe('CONFLICT');
    expect(error.message).toBe(`${b.at('f')} exists and is not a directory`);
  }
  writeFileSync(b.at('g'), '');
  const { error } = await b.call('mv', { uri: b.at('g'), destination: b.at('f', 'a') });
  expect(error.message).toBe(`${b.at('f')} exists and is not a directory`);
});
