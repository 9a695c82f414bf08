import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getuid, platform } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOLDS_TO_ASCII, NON_ASCII, NUL, UNREAD, UTF16, UTF8_MARK, WITHHELD } from '../match/types.ts';
import { openSegment } from '../store/segment.ts';
import type { Segment } from '../store/types.ts';
import { findPath, pathOf, sortPaths } from '../tree/table.ts';
import { NEVER_INDEXED } from '../tree/types.ts';
import { blocksOf } from './blocks.ts';
import { buildSegment } from './build.ts';
import type { BuiltSegment, SegmentJob } from './build.ts';
import { gramsOf } from './grams.ts';
import { verifySegment } from './verify.ts';

const MOST = 1 << 20;
let root: string;
let folder: string;
let paths: string[];
const open: Segment[] = [];

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'build-tree-'));
  folder = mkdtempSync(path.join(tmpdir(), 'build-index-'));
  paths = [];
});

afterEach(() => {
  for (const segment of open.splice(0)) segment.close();
  rmSync(root, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

function put(file: string, content: string | Uint8Array): void {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(root, file), content);
  paths.push(file);
}

function build(more: Partial<SegmentJob> = {}): Promise<BuiltSegment> {
  sortPaths(paths);
  return buildSegment({ root, paths, folder, name: 's', threads: 2, maxFileBytes: MOST, ...more });
}

function opened(): Segment {
  const segment = openSegment(folder, 's');
  open.push(segment);
  return segment;
}

const flagsOf = (segment: Segment, file: string): number => segment.files.flags[findPath(segment.files, file)]!;
const ctimeOf = (segment: Segment, file: string): number => segment.files.ctime[findPath(segment.files, file)]!;

function docsWith(segment: Segment, gram: number): number[] {
  const set = segment.candidates({ kind: 'gram', gram }, false)!;
  const found: number[] = [];
  for (let doc = 0; doc < segment.docs.count; doc++) if ((set[doc >> 5]! >> (doc & 31)) & 1) found.push(doc);
  return found;
}

/** Compares every posting with what the texts hold, and the documents with how they are divided. */
function expectExact(segment: Segment, texts: ReadonlyMap<string, Uint8Array | undefined>): void {
  const wanted = new Map<number, number[]>();
  let doc = 0;
  for (let file = 0; file < segment.files.count; file++) {
    const text = texts.get(pathOf(segment.files, file));
    const whole = text === undefined || (segment.files.flags[file]! & UTF16) !== 0;
    const blocks = whole ? [0, text?.length ?? 0] : blocksOf(text);
    for (let i = 0; i < blocks.length; i += 2, doc++) {
      const [offset, length] = [blocks[i]!, blocks[i + 1]!];
      expect([segment.docs.file[doc], segment.docs.offset[doc], segment.docs.length[doc]]).toEqual([
        file,
        offset,
        length,
      ]);
      if (!text || length === 0) continue;
      for (const gram of gramsOf(text.subarray(offset, offset + length))) {
        const list = wanted.get(gram);
        if (list) list.push(doc);
        else wanted.set(gram, [doc]);
      }
    }
  }
  expect(segment.docs.count).toBe(doc);
  for (const [gram, docs] of wanted) {
    const found = docsWith(segment, gram);
    if (found.join() !== docs.join()) expect([gram, found]).toEqual([gram, docs]);
  }
  for (let gram = 5; gram < 1 << 24; gram += 9973) if (!wanted.has(gram)) expect(docsWith(segment, gram)).toEqual([]);
}

/** Lines of a few words, so that the tree has few grams and each of them is worth asking for. */
function prose(length: number, seed: number): Buffer {
  const words = ['static', 'int', 'größe', 'return', '日本', '(void)', 'MODULE_X', '\t', 'a', ';\r'];
  let text = '';
  let state = seed;
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += `${words[(state >>> 16) % words.length]}${(state >>> 20) % 7 === 0 ? '\n' : ' '}`;
  }
  return Buffer.from(text);
}

describe('a segment', () => {
  it('holds exactly the postings of a naive reading, whatever files hold', async () => {
    const texts = new Map<string, Uint8Array | undefined>();
    const text = (file: string, content: string | Uint8Array, seen?: Uint8Array): void => {
      put(file, content);
      texts.set(file, seen ?? Buffer.from(content));
    };
    const noText = (file: string, content: Uint8Array): void => {
      put(file, content);
      texts.set(file, undefined);
    };
    text('empty', '');
    text('newlines', '\n\n\n\n');
    text('short/a', 'a');
    text('short/ab', 'ab');
    text('crlf', 'one\r\ntwo\r\n');
    text('no-end', 'one\ntwo');
    text('latin1', Buffer.from([0x4a, 0xfc, 0x72, 0x67, 10, 0xff]));
    text('utf8', 'Jürgen 日本 \u{1f600}\n');
    text('kelvin', '1 \u212a\n');
    text('long-s', 'Congre\u017fs\n');
    text('mark', '\ufeffhello\nmark\n', Buffer.from('hello\nmark\n'));
    text('mark-large', `\ufeff${prose(300_000, 3)}`, prose(300_000, 3));
    text('utf16le', Buffer.from('\ufeffwide Ü\n', 'utf16le'), Buffer.from('wide Ü\n'));
    text('utf16be', Buffer.from('\ufeffwide Ü\n', 'utf16le').swap16(), Buffer.from('wide Ü\n'));
    text('utf16-large', Buffer.from(`\ufeff${prose(300_000, 4)}`, 'utf16le'), Buffer.from(prose(300_000, 4)));
    noText('late-nul', Buffer.concat([prose(1000, 1), Buffer.from([0])]));
    noText('too-large', Buffer.alloc(MOST + 1, 'x'));
    text('largest', Buffer.concat([prose(MOST - 40_000, 5)]).subarray(0, MOST));
    text('one-line', Buffer.alloc(300 * 1024, 'abc'));
    for (let i = 0; i < 40; i++) text(`many/${i}`, prose(2000 + 100 * i, i));
    await build();
    const segment = opened();
    expectExact(segment, texts);

    expect(flagsOf(segment, 'crlf')).toBe(0);
    expect(flagsOf(segment, 'latin1')).toBe(NON_ASCII);
    expect(flagsOf(segment, 'kelvin')).toBe(NON_ASCII | FOLDS_TO_ASCII);
    expect(flagsOf(segment, 'long-s')).toBe(NON_ASCII | FOLDS_TO_ASCII);
    expect(flagsOf(segment, 'mark')).toBe(UTF8_MARK);
    expect(flagsOf(segment, 'utf16be')).toBe(UTF16 | NON_ASCII);
    expect(flagsOf(segment, 'late-nul') & NUL).toBe(NUL);
    expect(flagsOf(segment, 'too-large')).toBe(UNREAD);
    expect(flagsOf(segment, 'largest')).toBe(NON_ASCII);
  });

  it('is the same when it takes threads and many shards', async () => {
    const texts = new Map<string, Uint8Array>();
    for (let i = 0; i < 5200; i++) {
      const content = prose(40 + (i % 60), i);
      put(`d${i % 50}/f${i}`, content);
      texts.set(`d${i % 50}/f${i}`, content);
    }
    const told: number[] = [];
    const { files, docs } = await build({
      poolBytes: 4 << 20,
      threads: 3,
      pause: new Int32Array(new SharedArrayBuffer(4)),
      onProgress: ({ done, total }) => told.push(done, total ?? -1),
    });
    expect([files, docs]).toEqual([5200, 5200]);
    expect(told.slice(-2)).toEqual([5200, 5200]);
    expect(readdirSync(path.join(folder, 's')).length).toBeGreaterThan(3);
    expectExact(opened(), texts);
  });

  it('of no files is one', async () => {
    await build();
    expect(opened().files.count).toBe(0);
  });
});

describe('what is stamped', () => {
  it('is nothing for what is gone, a link, a pipe or a folder, and none of them stops the build', async () => {
    for (const file of ['gone', 'link', 'pipe', 'folder', 'there']) put(file, 'text\n');
    for (const file of ['gone', 'link', 'pipe', 'folder']) unlinkSync(path.join(root, file));
    symlinkSync('there', path.join(root, 'link'));
    mkdirSync(path.join(root, 'folder'));
    if (platform !== 'win32') spawnSync('mkfifo', [path.join(root, 'pipe')]);
    await build();
    const segment = opened();
    for (const file of ['gone', 'link', 'pipe', 'folder']) {
      const i = findPath(segment.files, file);
      const { flags, ctime, size, ino } = segment.files;
      expect([file, flags[i], ctime[i], size[i], ino[i]]).toEqual([file, UNREAD, 0, 0, 0]);
    }
    expect(flagsOf(segment, 'there')).toBe(0);
  });

  it.skipIf(getuid?.() === 0)('is kept for a file without permission, so that giving it is a change', async () => {
    put('secret', 'text\n');
    chmodSync(path.join(root, 'secret'), 0);
    await setTimeout(2100);
    await build();
    expect(flagsOf(opened(), 'secret')).toBe(UNREAD);
    expect(ctimeOf(opened(), 'secret')).toBeGreaterThan(0);
  });

  it('is nothing for bytes without order, which are in no list', async () => {
    const noise = Buffer.alloc(MOST);
    let state = 1;
    for (let i = 0; i < noise.length; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      noise[i] = 11 + ((state >>> 24) % 245);
    }
    put('noise', noise);
    put('text', 'text\n');
    await setTimeout(2100);
    await build();
    expect(ctimeOf(opened(), 'noise')).toBe(NEVER_INDEXED);
    expect(ctimeOf(opened(), 'text')).toBeGreaterThan(0);
  });

  it('says what is withheld', async () => {
    put('key', `-----BEGIN PRIVATE KEY-----\n${'x'.repeat(300)}`);
    put('text', `${' '.repeat(200)}-----BEGIN PRIVATE KEY-----\n`);
    await build({ withhold: '-----BEGIN' });
    expect(flagsOf(opened(), 'key')).toBe(WITHHELD);
    expect(flagsOf(opened(), 'text')).toBe(0);
  });
});

describe('a build that fails', () => {
  it('is ended by its signal, and leaves nothing', async () => {
    for (let i = 0; i < 3000; i++) put(`f${i}`, prose(500, i));
    const ender = new AbortController();
    const ended = build({ signal: ender.signal });
    await setTimeout(30);
    ender.abort();
    await expect(ended).rejects.toMatchObject({ name: 'SearchError', code: 'ABORTED' });
    await expect(build({ signal: ender.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(platform === 'win32')('says that the disk is why, and leaves nothing', async () => {
    put('text', 'text\n');
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'not a folder');
    await expect(build()).rejects.toMatchObject({ name: 'BuildError', code: 'DISK' });
  });

  it('takes the place of one that was killed', async () => {
    put('text', 'text\n');
    mkdirSync(path.join(folder, 's.tmp'));
    writeFileSync(path.join(folder, 's.tmp', '0-0.shard'), 'half');
    await build();
    expect(readdirSync(folder)).toEqual(['s']);
    expect(docsWith(opened(), 0x746578)).toEqual([0]);
  });
});

describe('verifying', () => {
  beforeEach(async () => {
    put('a', prose(5000, 1));
    put('b', prose(300_000, 2));
    put('c', '\ufeffmarked\n');
    await setTimeout(2100);
    await build();
  });

  it('finds nothing wrong with what was built, and passes over what has changed since', async () => {
    expect(await verifySegment(opened(), root, 50)).toBeUndefined();
    writeFileSync(path.join(root, 'a'), 'quite another text\n');
    expect(await verifySegment(opened(), root, 50)).toBeUndefined();
  });

  it('names a file whose postings are not there', async () => {
    const segment = opened();
    const none: Segment = {
      ...segment,
      candidates: () => new Uint32Array(1),
      files: segment.files,
      docs: segment.docs,
    };
    expect(await verifySegment(none, root, 50)).toBe('a');
  });
});
