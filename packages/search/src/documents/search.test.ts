// Documents for an engine: one text in the order of the document, a reason for what was left out, and text kept on disk.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as make from './fixtures.ts';
import { prune, recall } from './kept.ts';
import { isDocumentGlob } from './names.ts';
import { documentParts, type DocumentParts } from './search.ts';

let folder = '';
let cache = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'document-search-'));
  cache = path.join(folder, 'cache');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, bytes: Buffer | string): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

/** `entry, place: text` of every part. */
function shown(found: DocumentParts | undefined): string[] | undefined {
  return found?.parts.map(({ entry = '', place = '', start, end }) => {
    const text = Buffer.from(found.text.subarray(start, end)).toString();
    return `${[entry, place].filter((each) => each !== '').join(', ')}: ${text}`;
  });
}

const cell = (text: string): string => `<c r="B4" t="inlineStr"><is><t>${text}</t></is></c>`;

const DOCUMENTS: readonly (readonly [name: string, bytes: () => Buffer, parts: readonly string[]])[] = [
  ['a.pdf', () => make.pdf([['one'], ['two', 'three']]), ['page 1: one', 'page 2: two\nthree']],
  ['a.docx', () => make.docx(make.para('first') + make.para('second')), ['para 1: first', 'para 2: second']],
  ['a.pptx', () => make.pptx([make.shape(['b']), make.shape(['a'])], [2, 1]), ['slide 1: a', 'slide 2: b']],
  ['a.xlsx', () => make.xlsx({ Data: `<row r="4">${cell('found')}</row>` }), ['sheet Data!B4: found']],
  ['a.odt', () => make.openDocument('text', '<text:p>open</text:p>'), ['para 1: open']],
  ['a.zip', () => make.zip({ 'in/x.txt': 'x\ny\n', 'z.txt': 'z' }), ['in/x.txt: x\ny\n', 'z.txt: z']],
  [
    'a.tar.gz',
    () => gzipSync(make.tar(make.tarRecord('b.txt', 'b\n'), make.tarRecord('a.txt', 'a\n'))),
    ['b.txt: b\n', 'a.txt: a\n'],
  ],
  [
    'nested.zip',
    () =>
      make.zip({
        'in.tgz': new Uint8Array(gzipSync(make.tar(make.tarRecord('b.docx', make.docx(make.para('deep')))))),
        'after.txt': 'after\n',
      }),
    ['in.tgz!b.docx, para 1: deep', 'after.txt: after\n'],
  ],
];

test.each(DOCUMENTS)(
  '%s: every part in the order of the document, each closed by a line end',
  async (name, bytes, parts) => {
    const found = await documentParts(put(name, bytes()));
    expect(shown(found)).toEqual(parts);
    expect(found?.skipped).toEqual([]);
    for (const { end } of found?.parts ?? []) {
      expect([found?.text[end - 1], found?.text[end]]).toContain(10);
    }
  },
);

test.each([
  ['locked.pdf', () => make.pdf([['x']], true), [], /^password-protected$/],
  ['cut.docx', () => make.docx(make.para('x')).subarray(0, 300), [], /^damaged or truncated zip$/],
  ['cut.pdf', () => make.pdf([['x']]).subarray(0, 60), [], /truncated|no text/],
  [
    'bomb.zip',
    () => make.zip({ 'zeros.txt': new Uint8Array(70_000_000), 'b.txt': 'b\n' }, 9),
    ['b.txt: b\n'],
    /^zeros.txt: .*64\.0 MiB/,
  ],
  ['bomb.gz', () => gzipSync(Buffer.alloc(70_000_000)), [], /more than 64\.0 MiB/],
  ['locked.zip', () => make.asEncrypted(make.zip({ 'a.txt': 'a' })), [], /^a.txt: encrypted$/],
  [
    'part.tar',
    () => make.tar(make.tarRecord('a.txt', 'a\n'), make.tarRecord('b', 'b'.repeat(2000))).subarray(0, 2000),
    ['a.txt: a\n'],
    /truncated tar/,
  ],
] as const)('%s is skipped with a reason; what could be read of it is there', async (name, bytes, parts, reason) => {
  const file = put(name, bytes());
  const found = await documentParts(file);
  expect(shown(found)).toEqual(parts);
  expect(found?.skipped).toEqual([{ file, reason: expect.stringMatching(reason) }]);
});

test('binary members are passed over without a word, as binary files are in a tree', async () => {
  const found = await documentParts(put('b.zip', make.zip({ 'a.bin': new Uint8Array([0, 1, 2]), 'a.txt': 'a' })));
  expect(shown(found)).toEqual(['a.txt: a']);
  expect(found?.skipped).toEqual([]);
});

test('many members that cannot be read are counted, not listed', async () => {
  const members = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}.pdf`, '%PDF-1.4 no']));
  const found = await documentParts(put('many.zip', make.zip(members)));
  expect(found?.skipped).toHaveLength(21);
  expect(found?.skipped.at(-1)?.reason).toBe('10 more members could not be read');
});

test('what is no document, or cannot be opened, is none', async () => {
  expect(await documentParts(put('a.c', 'int main;\n'))).toBeUndefined();
  expect(await documentParts(path.join(folder, 'nowhere.pdf'))).toBeUndefined();
  expect(await documentParts(folder)).toBeUndefined();
  await expect(documentParts(path.join(folder, 'a.zip'), AbortSignal.abort())).rejects.toThrow('aborted');
});

describe('the text on disk', () => {
  const members = { 'a.txt': 'kept\n', 'b.txt': 'b' };
  let file = '';
  let whole: DocumentParts | undefined;
  beforeAll(async () => {
    file = put('kept.zip', make.zip(members));
    // what changed a moment ago may change again without a trace, and is not kept
    expect(shown(await documentParts(file, undefined, cache))).toHaveLength(2);
    expect(() => readdirSync(cache)).toThrow('ENOENT');
    await sleep(2100);
    whole = await documentParts(file, undefined, cache);
  });
  const entry = (): string => path.join(cache, readdirSync(cache)[0] as string);

  test('is what was extracted, in a file nobody else can read', async () => {
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.text$/)]);
    expect(statSync(entry()).mode & 0o777).toBe(0o600);
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    const again = await documentParts(file, undefined, cache);
    expect(shown(again)).toEqual(shown(whole));
    expect(again?.skipped).toEqual([]);
  });

  test('is believed only when it is whole', async () => {
    const good = readFileSync(entry());
    const { size, ctimeMs: ctime, ino } = statSync(file);
    const identity = { size, ctime, ino };
    expect(recall(cache, file, identity)).toBeDefined();
    const damage = [
      (bytes: Buffer) => bytes.subarray(0, -1),
      (bytes: Buffer) => bytes.subarray(0, 10),
      (bytes: Buffer) => bytes.subarray(0, 0),
      ...Array.from({ length: 40 }, (_, i) => (bytes: Buffer) => {
        const at = Math.floor((i / 40) * bytes.length);
        bytes[at] = (bytes[at] as number) ^ 0x20;
        return bytes;
      }),
    ];
    for (const spoil of damage) {
      writeFileSync(entry(), spoil(Buffer.from(good)));
      expect(recall(cache, file, identity)).toBeUndefined();
    }
    expect(shown(await documentParts(file, undefined, cache))).toEqual(shown(whole));
    expect(readFileSync(entry())).toEqual(good);
  });

  test('is not used for a changed file, whatever its size and modification time say', async () => {
    const { mtime } = statSync(file);
    const other = make.zip({ ...members, 'a.txt': 'tepk\n' });
    expect(other).toHaveLength(statSync(file).size);
    writeFileSync(file, other);
    utimesSync(file, mtime, mtime);
    expect(shown(await documentParts(file, undefined, cache))).toEqual(['a.txt: tepk\n', 'b.txt: b']);
  });

  test('is left out where it cannot be written', async () => {
    const readOnly = put('no-folder', '');
    const old = path.join(folder, 'a.zip');
    expect(shown(await documentParts(old, undefined, path.join(readOnly, 'cache')))).toHaveLength(2);
  });

  test('is bounded in bytes: what was not used for longest goes first, other files stay', () => {
    const bounded = path.join(folder, 'bounded');
    mkdirSync(bounded);
    const name = (i: number): string => `${String(i).padStart(32, '0')}.text`;
    for (let i = 0; i < 10; i++) {
      writeFileSync(path.join(bounded, name(i)), Buffer.alloc(100));
      utimesSync(path.join(bounded, name(i)), 1000 + ((i * 7) % 10), 1000 + ((i * 7) % 10));
    }
    writeFileSync(path.join(bounded, 'foreign'), Buffer.alloc(1000));
    prune(bounded, 1000, 500);
    expect(readdirSync(bounded)).toHaveLength(11);
    prune(bounded, 999, 500);
    // by last use: 0, 3, 6, 9, 2 | 5, 8, 1, 4, 7
    expect(readdirSync(bounded).sort()).toEqual([1, 4, 5, 7, 8].map(name).concat('foreign'));
  });
});

test.each([
  [['*.pdf'], true],
  [['**/*.PDF'], true],
  [['docs/*.{md,docx}'], true],
  [['*.{tar.gz,c}'], true],
  [['*.{a,{b,xlsx}}'], true],
  [['*.tar.gz'], true],
  [['*.[pP][dD][fF]'], true],
  [['*.c', 'report.odt'], true],
  [['!*.zip'], false],
  [['*.c'], false],
  [['docs/**'], false],
  [['*.pdf.ts'], false],
  [['*.pdfx'], false],
  [['{a,b'], false],
  [[], false],
])('globs %j ask for documents: %s', (globs, asks) => {
  expect(isDocumentGlob(globs)).toBe(asks);
});

test('a glob of nothing but braces does not take for ever', () => {
  expect(isDocumentGlob(['{a,b}'.repeat(2000)])).toBe(false);
});
