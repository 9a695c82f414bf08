// apply_patch: what is matched, what is written, what is refused.
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from '../../lib/edits/disk/hash.ts';
import { bench, type Bench } from './testkit.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.close());

const put = (bytes: string | Buffer, name = 'a.txt'): string => {
  writeFileSync(b.at(name), bytes);
  return b.at(name);
};
const edit = (old_text: string, new_text: string, more: Record<string, unknown> = {}) =>
  b.call('apply_patch', { uri: b.at('a.txt'), old_text, new_text, ...more });
const bytes = (name = 'a.txt'): Buffer => readFileSync(b.at(name));

describe('exact matches', () => {
  test('replaces the one place and reports hash, previous hash, strategy and line, and does not repeat what the call said', async () => {
    put('one\ntwo\nthree\n');
    const answer = await edit('two', 'TWO');
    expect(answer.ok).toBe(true);
    expect(bytes().toString()).toBe('one\nTWO\nthree\n');
    expect(answer.data).toEqual({
      uri: b.uri('a.txt'),
      hash: hashOf(bytes()),
      previous_hash: hashOf(Buffer.from('one\ntwo\nthree\n')),
      strategy: 'exact',
      line: 2,
    });
  });

  test('the replacement is literal', async () => {
    put('price: X\n');
    await edit('X', "$& $1 $$ $` $' \\1 \\n");
    expect(bytes().toString()).toBe("price: $& $1 $$ $` $' \\1 \\n\n");
  });

  test('every untouched line of a mixed file keeps its own end, new lines take their neighbours', async () => {
    put('a\r\nb\nc\r\nd\ne\r\n');
    await edit('b\nc\nd', 'b\nC\nX\nd');
    expect(bytes().toString()).toBe('a\r\nb\nC\r\nX\r\nd\ne\r\n');
  });

  test('CRLF is neither doubled nor lost', async () => {
    put('a\r\nb\r\n');
    await edit('a\r\nb', 'a\r\nx\nb');
    expect(bytes().toString()).toBe('a\r\nx\r\nb\r\n');
    await edit('x', 'y');
    expect(bytes().toString()).toBe('a\r\ny\r\nb\r\n');
  });

  test('a CR-only file is edited with LF in the call', async () => {
    put('a\rb\rc');
    await edit('a\nb', 'a\nx\nb');
    expect(bytes().toString()).toBe('a\rx\rb\rc');
  });

  test('a byte order mark stays, and is not needed in the call', async () => {
    put('\uFEFFhello\n');
    await edit('hello', 'bye');
    expect(bytes().toString('hex')).toBe(Buffer.from('\uFEFFbye\n').toString('hex'));
    await edit('\uFEFFbye', '\uFEFFhi');
    expect(bytes().toString('hex')).toBe(Buffer.from('\uFEFFhi\n').toString('hex'));
  });

  test('bytes that are not UTF-8 come through untouched', async () => {
    put(Buffer.from([0xc3, 0xa9, 0x0a, 0xe9, 0x0a, 0x78, 0x0a, 0xff, 0xfe]));
    await edit('x', 'ü');
    expect(bytes().toString('hex')).toBe('c3a90ae90ac3bc0afffe');
  });

  test('Latin-1 is edited as Latin-1, and what it cannot hold is refused by name', async () => {
    put(Buffer.from('caf\xe9 x\n', 'latin1'));
    expect((await edit('café', 'thé')).ok).toBe(true);
    expect(bytes().toString('latin1')).toBe('th\xe9 x\n');
    const answer = await edit('x', '→');
    expect(answer.error.code).toBe('INVALID_PARAMS');
    expect(answer.error.message).toContain("U+2192 '→'");
  });

  test.each(['utf16le', 'utf-16be'] as const)('%s with a mark', async (encoding) => {
    const make = (text: string): Buffer => {
      const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
      return encoding === 'utf16le' ? little : little.swap16();
    };
    put(make('héllo\r\nw😀rld\r\n'));
    expect((await edit('héllo\nw😀', 'a\nb')).data.strategy).toBe('exact');
    expect(bytes().toString('hex')).toBe(make('a\r\nbrld\r\n').toString('hex'));
  });

  test('UTF-16 without a mark', async () => {
    put(Buffer.from('hello\nworld\n', 'utf16le'));
    await edit('world', 'x');
    expect(bytes().toString('hex')).toBe(Buffer.from('hello\nx\n', 'utf16le').toString('hex'));
  });

  test('no final newline stays none', async () => {
    put('a\nb');
    await edit('b', 'c');
    expect(bytes().toString()).toBe('a\nc');
  });

  test('several places are refused with all their lines, overlapping ones too', async () => {
    put('aa\nx\naaa\n');
    const answer = await edit('aa', 'b');
    expect(answer.error).toMatchObject({ code: 'INVALID_PARAMS', matches: 3, lines: [1, 3, 3] });
    expect(bytes().toString()).toBe('aa\nx\naaa\n');
  });

  test('an empty old text fills an empty file and nothing else', async () => {
    put('');
    expect((await edit('', 'hi\n')).ok).toBe(true);
    expect(bytes().toString()).toBe('hi\n');
    expect((await edit('', 'hi\n')).error.code).toBe('INVALID_PARAMS');
  });
});

describe('lenient matches', () => {
  test.each([
    ['trailing-whitespace', 'foo  \nbar\n', 'foo\nbar', 'x', 'x\n'],
    ['quotes', 'say “hi”\n', 'say "hi"', "say 'ho'", "say 'ho'\n"],
    ['unicode', 'a\u00a0b\n', 'a b', 'c', 'c\n'],
    ['unicode', 'cafe\u0301 x\n', 'café', 'tea', 'tea x\n'],
    ['whitespace', 'if (a) {\n\tb()\n}\n', 'if (a) {\n    b()\n}', 'c', 'c\n'],
    ['whitespace', 'a   b\n', 'a b', 'c', 'c\n'],
    ['unicode-whitespace', 'a \u00a0 “b”\n', 'a "b"', 'c', 'c\n'],
    ['line-ends', 'a\rb\nc\n', 'a\nb', 'x', 'x\nc\n'],
  ])('%s', async (strategy, before, old, fresh, after) => {
    put(before);
    const answer = await edit(old, fresh);
    expect(answer.data?.strategy).toBe(strategy);
    expect(answer.body('diff')).toMatch(/^@@ line \d+ @@\n-/);
    expect(answer.data.note).toMatch(/^(the file had|line ends)/);
    expect(bytes().toString()).toBe(after);
  });

  test('the written text is exactly the caller’s', async () => {
    put('\tfoo(“a”)\n\tbar\n');
    await edit('  foo("a")\n  bar', '  foo("b")\n  baz');
    expect(bytes().toString()).toBe('  foo("b")\n  baz\n');
  });

  test('several lenient candidates are refused with their lines', async () => {
    put('a  b\na   b\n');
    expect((await edit('a b', 'c')).error).toMatchObject({ code: 'INVALID_PARAMS', matches: 2, lines: [1, 2] });
  });

  test('the span is bounded by the requested text', async () => {
    put(`a${' '.repeat(500)}b\n`);
    const answer = await edit('a b', 'c');
    expect(answer.error.code).toBe('NOT_FOUND');
  });

  test('a match never takes half of a character', async () => {
    put('e\u0301\n');
    expect((await edit('e\u0300', 'x')).error.code).toBe('NOT_FOUND');
    put('wait…\n');
    expect((await edit('t..', 'x')).error.code).toBe('NOT_FOUND');
  });
});

describe('refusals', () => {
  test('names the nearest line and the first difference by code point', async () => {
    put('alpha\nconst x = "1";\u00a0// one\nomega\n');
    const answer = await edit('const x = "1"; // two', 'y');
    expect(answer.error).toMatchObject({
      code: 'NOT_FOUND',
      candidates: [{ line: 2, text: 'const x = "1";\u00a0// one' }],
      difference: 'the file has U+00A0 NO-BREAK SPACE at 2:15, you gave U+0020 SPACE',
    });
  });

  test('a replacement character in the call is explained', async () => {
    put(Buffer.from('é na\xefve\n'.replace('é', 'Ã©'), 'latin1'));
    const answer = await edit('na\ufffdve', 'x');
    expect(answer.error.difference).toBe(
      'the file has byte 0xEF (not valid UTF-8) at 1:5, you gave U+FFFD REPLACEMENT CHARACTER',
    );
  });

  test('missing file, directory, relative path, same text, bad hash', async () => {
    put('x');
    const missing = await b.call('apply_patch', { uri: b.at('b.txt'), old_text: 'a', new_text: 'b' });
    expect(missing.error).toMatchObject({ code: 'NOT_FOUND', nearest: [b.uri('a.txt')] });
    expect((await b.call('apply_patch', { uri: b.root, old_text: 'a', new_text: 'b' })).error.code).toBe(
      'INVALID_PARAMS',
    );
    expect((await b.call('apply_patch', { uri: 'a.txt', old_text: 'a', new_text: 'b' })).error.code).toBe(
      'INVALID_PARAMS',
    );
    expect((await edit('x', 'x')).error.code).toBe('INVALID_PARAMS');
    expect((await edit('x', 'y', { base_hash: 'abc' })).error.code).toBe('INVALID_PARAMS');
    expect((await edit('x', '\ud800')).error.code).toBe('INVALID_PARAMS');
  });

  test('outside the roots', async () => {
    const answer = await b.call('apply_patch', { uri: '/etc/hostname', old_text: 'a', new_text: 'b' });
    expect(answer.error.code).toBe('PERMISSION_DENIED');
  });

  test('a file above the limit is refused before it is read', async () => {
    const { truncateSync } = await import('node:fs');
    put('x');
    truncateSync(b.at('a.txt'), 256 * 1024 * 1024 + 1);
    expect((await edit('x', 'y')).error).toMatchObject({ code: 'INVALID_PARAMS', limit: 256 * 1024 * 1024 });
  });
});

describe('the hash', () => {
  const stale = `sha256:${'0'.repeat(64)}`;

  test('the current one passes silently', async () => {
    put('a\n');
    const answer = await edit('a', 'b', { base_hash: hashOf(bytes()) });
    expect(answer.ok).toBe(true);
    expect(answer.data).not.toHaveProperty('changed');
  });

  test('a stale one with a still unique text succeeds and says so', async () => {
    put('a\nb\n');
    expect((await edit('a', 'x', { base_hash: stale })).data.changed).toBe(true);
    expect(bytes().toString()).toBe('x\nb\n');
  });

  test.each([
    ['absent', 'z'],
    ['not unique', 'a'],
    ['only leniently there', 'q "'],
  ])('a stale one with a text that is %s is CONFLICT with both hashes', async (_, old) => {
    put('a\na\nq “\n');
    const answer = await edit(old, 'x', { base_hash: stale });
    expect(answer.error).toMatchObject({ code: 'CONFLICT', expected: stale, actual: hashOf(bytes()) });
    expect(bytes().toString()).toBe('a\na\nq “\n');
  });
});

describe('the file itself', () => {
  test('mode stays, nothing is left beside it', async () => {
    chmodSync(put('a\n'), 0o751);
    await edit('a', 'b');
    expect(statSync(b.at('a.txt')).mode & 0o7777).toBe(0o751);
    expect(readdirSync(b.root)).toEqual(['a.txt']);
  });

  test.skipIf(process.getuid?.() !== 0)('the owner stays', async () => {
    chownSync(put('a\n'), 12_345, 23_456);
    await edit('a', 'b');
    const { uid, gid, mode } = statSync(b.at('a.txt'));
    expect([uid, gid, mode & 0o777]).toEqual([12_345, 23_456, 0o666 & ~process.umask()]);
  });

  test('hard links stay one file', async () => {
    linkSync(put('a\n'), b.at('other'));
    await edit('a', 'b'.repeat(10));
    expect(bytes('other').toString()).toBe(`${'b'.repeat(10)}\n`);
    expect(statSync(b.at('a.txt')).ino).toBe(statSync(b.at('other')).ino);
    await edit('b'.repeat(10), 'c');
    expect(bytes('other').toString()).toBe('c\n');
  });

  test('a symbolic link stays a link and its target is edited', async () => {
    put('a\n', 'target');
    symlinkSync('target', b.at('a.txt'));
    expect((await edit('a', 'b')).data.uri).toBe(b.uri('target'));
    expect(lstatSync(b.at('a.txt')).isSymbolicLink()).toBe(true);
    expect(bytes('target').toString()).toBe('b\n');
  });

  test('a read-only file is refused and stays as it is', async () => {
    chmodSync(put('a\n'), 0o444);
    expect((await edit('a', 'b')).error).toMatchObject({ code: 'PERMISSION_DENIED', mode: '0444' });
    expect(bytes().toString()).toBe('a\n');
  });

  test('fifty edits at once all arrive', async () => {
    put(Array.from({ length: 50 }, (_, i) => `<${i}>\n`).join(''));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => edit(`<${i}>`, `(${i})`)));
    expect(answers.every((each) => each.ok)).toBe(true);
    expect(bytes().toString()).toBe(Array.from({ length: 50 }, (_, i) => `(${i})\n`).join(''));
  });
});
