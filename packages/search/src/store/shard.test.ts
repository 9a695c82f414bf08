// A shard gives back the lists that were put, and notices every altered or missing byte before it loses a document.
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsFor } from './bits.ts';
import { DamagedError } from './damaged.ts';
import { bitmap, deltas, randomFrom, randomLists } from './random.ts';
import { decodeHeader, directoryAt } from './shard-format.ts';
import { ShardReader, ShardWriter } from './shard.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hanzo-shard-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function write(lists: ReadonlyMap<number, readonly number[]>, docs: number): string {
  const file = join(folder, `s${files++}.idx`);
  const writer = new ShardWriter(file);
  for (const [gram, list] of lists) {
    const short = deltas(list);
    const dense = short.length > docs >> 3;
    writer.put(gram, dense ? bitmap(list, docs) : short, dense);
  }
  const { bytes } = writer.finish(docs);
  expect(bytes).toBe(readFileSync(file).length);
  return file;
}

function members(set: Uint32Array): number[] {
  const found: number[] = [];
  for (let doc = 0; doc < set.length * 32; doc++) if (((set[doc >> 5]! >>> (doc & 31)) & 1) === 1) found.push(doc);
  return found;
}

function gramOf(reader: ShardReader, key: number, base = 0): number[] {
  const set = new Uint32Array(wordsFor(reader.docs + base));
  reader.orGram(key, set, base);
  return members(set);
}

function pairOf(reader: ShardReader, key: number): number[] {
  const set = new Uint32Array(wordsFor(reader.docs));
  reader.orPair(key, set, 0);
  return members(set);
}

describe('a shard', () => {
  it.each([
    [1, 1, 1],
    [2, 3, 7],
    [3, 200, 31],
    [4, 500, 1000],
    [5, 1000, 2049],
    [6, 60, 40_000],
  ])('gives back every list that was put (seed %i, %i grams, %i documents)', (seed, grams, docs) => {
    const random = randomFrom(seed);
    const lists = randomLists(random, grams, docs);
    const reader = new ShardReader(write(lists, docs));
    const byPair = new Map<number, Set<number>>();
    for (const [key, list] of lists) {
      expect(gramOf(reader, key).join()).toBe(list.join());
      const base = random(100);
      expect(gramOf(reader, key, base).join()).toBe(list.map((doc) => doc + base).join());
      expect(reader.gramBytes(key)).toBeGreaterThan(0);
      const all = byPair.get(key >>> 8) ?? new Set<number>();
      for (const doc of list) all.add(doc);
      byPair.set(key >>> 8, all);
    }
    for (const [key, all] of byPair) expect(pairOf(reader, key).join()).toBe([...all].sort((a, b) => a - b).join());
    for (let probe = 0; probe < 500; probe++) {
      const key = random(0x100_0000);
      if (!lists.has(key)) {
        expect(reader.gramBytes(key)).toBe(0);
        expect(gramOf(reader, key)).toEqual([]);
      }
      if (!byPair.has(key >>> 8)) expect(pairOf(reader, key >>> 8)).toEqual([]);
    }
    reader.close();
  });

  it('holds no gram at all, or the first and the last there are', () => {
    const none = new ShardReader(write(new Map(), 0));
    expect(gramOf(none, 0)).toEqual([]);
    expect(pairOf(none, 0xffff)).toEqual([]);
    none.close();
    const edges = new ShardReader(
      write(
        new Map([
          [0, [0]],
          [0xff_ffff, [1]],
        ]),
        2,
      ),
    );
    expect([gramOf(edges, 0), gramOf(edges, 0xff_ffff), pairOf(edges, 0), pairOf(edges, 0xffff)]).toEqual([
      [0],
      [1],
      [0],
      [1],
    ]);
    edges.close();
  });

  it('takes grams in ascending order only, and bitmaps of one length', () => {
    const writer = new ShardWriter(join(folder, 'order.idx'));
    writer.put(5, deltas([1]), false);
    expect(() => writer.put(5, deltas([1]), false)).toThrow('gram 5 after 5');
    expect(() => writer.put(0x100_0000, deltas([1]), false)).toThrow('gram');
    writer.put(6, bitmap([1], 20), true);
    expect(() => writer.finish(2000)).toThrow('bitmaps of 3 bytes for 2000 documents');
    writer.abandon();
  });

  it('notices every flipped byte, wherever it is', () => {
    const lists = randomLists(randomFrom(7), 60, 300);
    const file = write(lists, 300);
    const right = readFileSync(file);
    const answers = (): string => {
      const reader = new ShardReader(file);
      try {
        return [...lists.keys()].map((key) => gramOf(reader, key).join()).join(';');
      } finally {
        reader.close();
      }
    };
    const expected = answers();
    let noticed = 0;
    const fd = openSync(file, 'r+');
    // all of the header, the postings and the edges of the directory, and a sample of the table of pairs, which is one sum
    const header = decodeHeader(right);
    const table = typeof header === 'string' ? 0 : directoryAt(header.postings);
    expect(table).toBeGreaterThan(1_000);
    let flipped = 0;
    for (let at = 0; at < right.length; at += at > table + 100 && at < right.length - 2_000 ? 1999 : 1) {
      flipped++;
      writeSync(fd, Uint8Array.of(right[at]! ^ (1 << (at % 8))), 0, 1, at);
      try {
        if (answers() !== expected) expect.fail(`byte ${at} changed the answer`);
      } catch (error) {
        if (!(error instanceof DamagedError)) throw error;
        noticed++;
      }
      writeSync(fd, right, at, 1, at);
    }
    closeSync(fd);
    // all but the at most three bytes that fill up the last word of the postings
    expect(flipped - noticed).toBeLessThan(4);
  });

  it('notices when it was cut or grew', () => {
    const file = write(randomLists(randomFrom(8), 60, 300), 300);
    const right = readFileSync(file);
    for (const length of [0, 1, 63, 64, 65, 1000, right.length - 1]) {
      writeFileSync(file, right);
      truncateSync(file, length);
      expect(() => new ShardReader(file)).toThrow(DamagedError);
    }
    writeFileSync(file, Buffer.concat([right, Buffer.from([0])]));
    expect(() => new ShardReader(file)).toThrow(DamagedError);
    writeFileSync(
      file,
      'something else entirely, but longer than the header of a shard is, which takes it a few more words',
    );
    expect(() => new ShardReader(file)).toThrow('is not a shard');
  });
});
