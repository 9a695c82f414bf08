// read: pages that follow one another exactly, encodings, and what is said of files that are not text.
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { array, assert, asyncProperty, constantFrom, integer } from 'fast-check';
import { hashOf } from '../../../lib/edits/disk/hash.ts';
import { bench, type Bench } from '../testkit.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.close());

const put = (bytes: string | Buffer, name = 'a.txt'): void => writeFileSync(b.at(name), bytes);
const read = (more: Record<string, unknown> = {}, options = {}) =>
  b.call('read', { uri: b.at('a.txt'), ...more }, options);

/** All pages joined, following `next`. */
async function all(more: Record<string, unknown>, maxOutput: number): Promise<{ text: string; pages: number }> {
  let text = '';
  let at: Record<string, unknown> = {};
  for (let pages = 1; ; pages++) {
    const answer = await read({ ...more, ...at }, { maxOutput });
    expect(answer.ok).toBe(true);
    const page = answer.body('text');
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(maxOutput);
    expect(page).not.toContain('\ufffd');
    text += page;
    if (!answer.data.paging.more) return { text, pages };
    expect(pages).toBeLessThan(10_000);
    at = { cursor: answer.data.paging.cursor };
  }
}

test('lines carry their number, six wide, and a bar', async () => {
  put('one\ntwo\n');
  const answer = await read();
  expect(answer.body('text')).toBe('     1│one\n     2│two\n');
  expect(answer.data).toEqual({
    uri: b.uri('a.txt'),
    hash: hashOf(Buffer.from('one\ntwo\n')),
    total_lines: 2,
    offset: 0,
    limit: 2000,
    paging: { cursor: null, more: false },
    text: { block: 1 },
  });
});

test('a missing final newline shows as a missing newline', async () => {
  put('one\ntwo');
  expect((await read()).body('text')).toBe('     1│one\n     2│two');
  expect((await read()).data.total_lines).toBe(2);
});

test('offset and limit page by lines, the hash is of the whole file', async () => {
  put('a\nb\nc\nd\n');
  const answer = await read({ offset: 1, limit: 2 });
  expect(answer.body('text')).toBe('     2│b\n     3│c\n');
  expect(answer.data).toMatchObject({
    total_lines: 4,
    hash: hashOf(Buffer.from('a\nb\nc\nd\n')),
    more: 'goes on at line 4: pass cursor, or offset 3',
    paging: { cursor: '3', more: true },
  });
});

test('past the end says how many there are', async () => {
  put('a\nb\n');
  const answer = await read({ offset: 2 });
  expect(answer.data).toMatchObject({ note: 'past the end; 2 lines in all', text: '', total_lines: 2 });
  expect((await read({ offset: 1 })).body('text')).toBe('     2│b\n');
});

test('an empty file is said to be empty', async () => {
  put('');
  expect((await read()).data).toMatchObject({ note: 'empty file', total_lines: 0, text: '' });
  put('\ufeff');
  expect((await read()).data).toMatchObject({ note: 'empty file', total_lines: 0, byte_order_mark: true });
});

test('raw is the text as it is', async () => {
  put('a\r\nb\n');
  const answer = await read({ raw: true });
  expect(answer.body('text')).toBe('a\r\nb\n');
  expect(answer.data.line_ends).toBe('mixed');
});

test('a line longer than a page is paged inside, no code point divided', async () => {
  const line = 'x😀é€'.repeat(3000);
  put(`short\n${line}\nend\n`);
  const { text, pages } = await all({ raw: true }, 1000);
  expect(text).toBe(`short\n${line}\nend\n`);
  expect(pages).toBeGreaterThan(20);
  const numbered = await all({}, 1000);
  expect(numbered.text).toBe(`     1│short\n     2│${line}\n     3│end\n`);
});

test('pages concatenate to the whole, whatever the text and the room', async () => {
  const piece = constantFrom('a', 'é', '😀', '\n', '\r\n', '\r', 'x'.repeat(50), 'y'.repeat(2500), '\u2028');
  await assert(
    asyncProperty(
      array(piece, { maxLength: 60 }),
      integer({ min: 40, max: 3000 }),
      integer({ min: 1, max: 9 }),
      async (pieces, room, limit) => {
        const text = pieces.join('');
        put(text);
        expect((await all({ raw: true, limit }, room)).text).toBe(text);
        const whole = await read({}, { maxOutput: 10_000_000 });
        expect((await all({ limit }, room)).text).toBe(whole.body('text'));
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ['utf-16le', Buffer.from('\ufeffhé\r\nx😀\n', 'utf16le')],
  ['utf-16be', Buffer.from('\ufeffhé\r\nx😀\n', 'utf16le').swap16()],
  ['utf-16le', Buffer.from('hé\r\nx😀\n', 'utf16le')],
])('%s is decoded', async (encoding, bytes) => {
  put(bytes);
  const answer = await read();
  expect(answer.body('text')).toBe('     1│hé\n     2│x😀\n');
  expect(answer.data).toMatchObject({ encoding, total_lines: 2, hash: hashOf(bytes) });
});

test('latin-1, windows-1252, damaged utf-8, a CR file', async () => {
  put(Buffer.from('caf\xe9\n', 'latin1'));
  expect((await read()).body('text')).toBe('     1│café\n');
  expect((await read()).data.encoding).toBe('latin1');
  put(Buffer.from('\x93caf\xe9\x94\n', 'latin1'));
  expect((await read()).body('text')).toBe('     1│“café”\n');
  put(Buffer.from('\xc3\xa9 \xff\n', 'latin1'));
  const damaged = await read();
  expect(damaged.body('text')).toBe('     1│é \ufffd\n');
  expect(damaged.data.invalid_utf8).toBe(1);
  put('a\rb\r');
  const cr = await read();
  expect(cr.body('text')).toBe('     1│a\n     2│b\n');
  expect(cr.data).toMatchObject({ line_ends: 'cr', total_lines: 2 });
});

test('a binary is named, not shown', async () => {
  put(Buffer.from('\x7fELF\0\0\0\x01', 'latin1'));
  const answer = await read();
  expect(answer.data).toMatchObject({ binary: true, mime: 'application/x-elf', size: 8 });
  expect(answer.content).toHaveLength(1);
});

test('an image is an image, by its bytes', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  put(png);
  const answer = await read();
  expect(answer.data).toEqual({
    uri: b.uri('a.txt'),
    hash: hashOf(png),
    mime: 'image/png',
    size: png.length,
    image: { block: 1 },
  });
  expect(answer.content[1]).toEqual({ type: 'image', data: png.toString('base64'), mimeType: 'image/png' });
});

test('a document reads as its text, in pages; text that mentions one is text', async () => {
  const { zipSync, strToU8 } = await import('fflate');
  const bytes = zipSync({ 'in/hello.txt': strToU8('Hello') });
  writeFileSync(b.at('a.zip'), bytes);
  const answer = await b.call('read', { uri: b.at('a.zip') });
  expect(answer.data).toMatchObject({ document: 'zip', hash: hashOf(bytes) });
  expect(answer.body('text')).toContain('Hello');
  put('about %PDF-1.7\n');
  expect((await read()).body('text')).toBe('     1│about %PDF-1.7\n');
});

test('a page of a huge file costs a page', async () => {
  const line = `${'z'.repeat(99)}\n`;
  put(line.repeat(20_000));
  truncateSync(b.at('a.txt'), 1_000_000_000);
  const before = process.memoryUsage();
  const answer = await read({ offset: 10_000 });
  const after = process.memoryUsage();
  expect(answer.data).toMatchObject({ total_lines: null, hash: null, size: 1_000_000_000 });
  expect(answer.body('text').startsWith(' 10001│zzz')).toBe(true);
  expect(Buffer.byteLength(answer.body('text'))).toBeLessThanOrEqual(32_768);
  expect(after.rss - before.rss).toBeLessThan(64e6);
  const next = await read({ cursor: answer.data.paging.cursor });
  expect(next.body('text').startsWith(String(Number(answer.data.paging.cursor) + 1).padStart(6))).toBe(true);
});

test('directories, missing files, links, odd names', async () => {
  mkdirSync(b.at('dir'));
  expect((await b.call('read', { uri: b.at('dir') })).error.code).toBe('INVALID_PARAMS');
  expect((await b.call('read', { uri: b.at('nope') })).error.code).toBe('NOT_FOUND');
  const odd = 'a#b%20 \n“ü”.txt';
  put('x\n', odd);
  expect((await b.call('read', { uri: b.uri(odd) })).body('text')).toBe('     1│x\n');
  expect((await b.call('read', { path: b.at(odd) })).data.uri).toBe(b.uri(odd));
  symlinkSync(odd, b.at('link'));
  expect((await b.call('read', { uri: b.at('link') })).data.uri).toBe(b.uri(odd));
  linkSync(b.at(odd), b.at('hard'));
  expect((await b.call('read', { uri: b.at('hard') })).ok).toBe(true);
});

test.each([
  [{ offset: -1 }],
  [{ limit: 0 }],
  [{ offset: 1.5 }],
  [{ cursor: 'x' }],
  [{ cursor: '-1' }],
  [{ cursor: '1', offset: 2 }],
  [{ limit: '5' }],
])('%j is refused', async (bad) => {
  put('x');
  expect((await read(bad)).error.code).toBe('INVALID_PARAMS');
});
