// A segment gives back its columns, evaluates conditions as sets do, and is never opened when any byte of it is wrong.
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DamagedError } from './damaged.ts';
import { bitmap, deltas, randomFrom, randomLists } from './random.ts';
import { openSegment, writeSegment } from './segment.ts';
import { ShardWriter } from './shard.ts';
import type { DocTable } from './types.ts';
import type { GramQuery } from '../plan/types.ts';
import { makeFileTable, pathOf } from '../tree/table.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hanzo-segment-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Random = (below: number) => number;

interface Made {
  readonly lists: Map<number, number[]>;
  readonly docs: DocTable;
  readonly shards: readonly number[];
}

/** A segment whose files have one to four documents, and whose shards are of `shards` documents. */
function make(name: string, random: Random, shards: readonly number[], grams: number): Made {
  const count = shards.reduce((sum, docs) => sum + docs, 0);
  const file = new Uint32Array(count);
  let files = 0;
  for (let doc = 0; doc < count; files++) {
    for (let more = random(4) === 0 ? 1 + random(4) : 1; more > 0 && doc < count; more--) file[doc++] = files;
  }
  const offset = Uint32Array.from(file, (owner, doc) => (file[doc - 1] === owner ? doc : 0));
  const docs: DocTable = { count, file, offset, length: Uint32Array.from(file, () => random(1 << 30)) };
  const lists = randomLists(random, grams, count);
  mkdirSync(join(folder, name), { recursive: true });
  let firstDoc = 0;
  const entries = shards.map((size, index) => {
    const path = join(folder, name, `s${index}.idx`);
    const writer = new ShardWriter(path);
    for (const [gram, list] of lists) {
      const mine = list.filter((doc) => doc >= firstDoc && doc < firstDoc + size).map((doc) => doc - firstDoc);
      if (mine.length === 0) continue;
      const short = deltas(mine);
      const dense = short.length > (size + 7) >> 3;
      writer.put(gram, dense ? bitmap(mine, size) : short, dense);
    }
    writer.finish(size);
    const entry = { file: path, firstDoc, docs: size };
    firstDoc += size;
    return entry;
  });
  const paths = Array.from({ length: files }, (_, i) => `dir/naïve ${String(i).padStart(5, '0')}.ts`);
  const stats = paths.map((_, i) => ({ ctime: 1.7e12 + i / 8, size: i * 3, ino: 2 ** 40 + i }));
  writeSegment(folder, name, {
    files: makeFileTable(
      paths,
      stats,
      paths.map((_, i) => i & 127),
    ),
    docs,
    shards: entries,
  });
  return { lists, docs, shards };
}

/** The condition as sets of numbers say it; undefined for all. */
function naive(query: GramQuery, made: Made, perFile: boolean): Set<number> | undefined {
  const whole = (docs: Iterable<number>): Set<number> => {
    if (!perFile) return new Set(docs);
    const owners = new Set([...docs].map((doc) => made.docs.file[doc]!));
    return new Set([...made.docs.file.keys()].filter((doc) => owners.has(made.docs.file[doc]!)));
  };
  switch (query.kind) {
    case 'all':
      return undefined;
    case 'none':
      return new Set();
    case 'gram':
      return whole(made.lists.get(query.gram) ?? []);
    case 'pair':
      return whole([...made.lists].flatMap(([gram, list]) => (gram >>> 8 === query.pair ? list : [])));
    case 'or': {
      const parts = query.parts.map((part) => naive(part, made, perFile));
      return parts.includes(undefined) ? undefined : new Set(parts.flatMap((part) => [...part!]));
    }
    case 'and': {
      const parts = query.parts.map((part) => naive(part, made, perFile)).filter((part) => part !== undefined);
      return parts.length === 0
        ? undefined
        : parts.reduce((left, right) => new Set([...left].filter((doc) => right.has(doc))));
    }
  }
}

function randomQuery(random: Random, grams: readonly number[], depth: number): GramQuery {
  const pick = random(depth > 0 ? 8 : 5);
  if (pick === 0) return { kind: 'gram', gram: random(0x100_0000) };
  if (pick === 1) return { kind: 'pair', pair: grams[random(grams.length)]! >>> 8 };
  if (pick < 5)
    return random(40) === 0
      ? { kind: random(2) ? 'all' : 'none' }
      : { kind: 'gram', gram: grams[random(grams.length)]! };
  const parts = Array.from({ length: random(5) }, () => randomQuery(random, grams, depth - 1));
  return { kind: pick === 5 ? 'or' : 'and', parts };
}

const members = (set: Uint32Array | undefined): string | undefined =>
  set &&
  [...set]
    .flatMap((word, at) => [...Array(32).keys()].filter((bit) => (word >>> bit) & 1).map((bit) => at * 32 + bit))
    .join();

describe('a segment', () => {
  it.each([
    [1, [64]],
    [2, [100, 7, 33, 260]],
    [3, [1, 1, 1000]],
  ])('evaluates conditions as sets do, by documents and by files (seed %i)', (seed, shards) => {
    const random = randomFrom(seed);
    const made = make(`evaluate-${seed}`, random, shards, 150);
    const segment = openSegment(folder, `evaluate-${seed}`);
    const grams = [...made.lists.keys()];
    for (let round = 0; round < 400; round++) {
      const query = randomQuery(random, grams, 3);
      for (const perFile of [false, true]) {
        const expected = naive(query, made, perFile);
        const found = members(segment.candidates(query, perFile));
        const right = expected && [...expected].sort((a, b) => a - b).join();
        if (found !== right) expect.soft(found, JSON.stringify({ query, perFile })).toBe(right);
      }
    }
    segment.close();
    expect(() => segment.candidates({ kind: 'all' }, false)).toThrow('closed');
    segment.close();
  });

  it('gives sets that may be changed', () => {
    make('fresh', randomFrom(4), [40_000], 30);
    const segment = openSegment(folder, 'fresh');
    const query: GramQuery = { kind: 'pair', pair: 0 };
    const first = segment.candidates(query, false)!;
    const before = members(first);
    first.fill(0xffff_ffff);
    expect(members(segment.candidates(query, false))).toBe(before);
    segment.close();
  });

  it('gives back its columns, in memory that threads share', () => {
    const made = make('columns', randomFrom(5), [10, 22], 5);
    const segment = openSegment(folder, 'columns');
    const { files, docs } = segment;
    expect(pathOf(files, 3)).toBe('dir/naïve 00003.ts');
    expect([files.ctime[3], files.size[3], files.ino[3], files.flags[3]]).toEqual([1.7e12 + 3 / 8, 9, 2 ** 40 + 3, 3]);
    expect({ ...docs }).toEqual(made.docs);
    for (const column of [...Object.values(files), ...Object.values(docs)]) {
      if (typeof column !== 'number') expect(column.buffer).toBeInstanceOf(SharedArrayBuffer);
    }
    expect(files.count).toBe(made.docs.file.at(-1)! + 1);
    segment.close();
  });

  it('is not opened when a byte of its table is wrong, or any of it is missing', () => {
    make('flip', randomFrom(6), [5, 6], 3);
    const table = join(folder, 'flip', 'segment.bin');
    const right = readFileSync(table);
    const fd = openSync(table, 'r+');
    for (let at = 0; at < right.length; at++) {
      writeSync(fd, Uint8Array.of(right[at]! ^ (1 << (at % 8))), 0, 1, at);
      let error: unknown;
      try {
        openSegment(folder, 'flip').close();
      } catch (thrown) {
        error = thrown;
      }
      if (!(error instanceof DamagedError)) expect.fail(`byte ${at}: ${String(error)}`);
      writeSync(fd, right, at, 1, at);
    }
    closeSync(fd);
    openSegment(folder, 'flip').close();
    for (const length of [0, 10, 256, right.length - 1]) {
      writeFileSync(table, right.subarray(0, length));
      expect(() => openSegment(folder, 'flip')).toThrow(DamagedError);
    }
    writeFileSync(table, right);
    rmSync(join(folder, 'flip', 's1.idx'));
    expect(() => openSegment(folder, 'flip')).toThrow(DamagedError);
    expect(() => openSegment(folder, 'nowhere')).toThrow(DamagedError);
  });

  it('takes no shard of another build, however right that is', () => {
    make('mine', randomFrom(7), [50], 20);
    make('theirs', randomFrom(8), [50], 20);
    copyFileSync(join(folder, 'theirs', 's0.idx'), join(folder, 'mine', 's0.idx'));
    expect(() => openSegment(folder, 'mine')).toThrow('another build');
  });

  it('refuses shards that do not cover the documents', () => {
    const made = make('gaps', randomFrom(9), [10, 10], 5);
    const files = makeFileTable(['a']);
    const file = join(folder, 'gaps', 's0.idx');
    expect(() =>
      writeSegment(folder, 'gaps', { files, docs: made.docs, shards: [{ file, firstDoc: 0, docs: 10 }] }),
    ).toThrow('10 documents in shards, 20');
    expect(() =>
      writeSegment(folder, 'gaps', { files, docs: made.docs, shards: [{ file, firstDoc: 1, docs: 10 }] }),
    ).toThrow('do not follow on');
  });
});
