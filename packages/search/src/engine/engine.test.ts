import { appendFileSync, chmodSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { randomFrom } from '../store/random.ts';
import type { IndexOptions, Query, SearchIndex } from '../types.ts';
import { cursorOf, readCursor } from './cursor.ts';
import { openIndex } from './open.ts';
import { allHits, listing, makeTree, randomText, type TestTree, WORDS } from './tree.ts';

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function tree(files?: Readonly<Record<string, string | Uint8Array>>): TestTree {
  const made = makeTree(files);
  ends.push(() => made.end());
  return made;
}

async function open(made: TestTree, options: IndexOptions = {}): Promise<SearchIndex> {
  const index = await openIndex(made.root, { cache: made.cache, build: 'never', threads: 2, ...options });
  ends.push(() => index.close());
  return index;
}

async function find(index: SearchIndex, query: string | Query): Promise<string[]> {
  return listing(await index.search(typeof query === 'string' ? { pattern: query } : query), index.root);
}

it('the ends of the text are those of the file, not of a block of it', async () => {
  const line = `${'x'.repeat(99)}\n`;
  // far more than one block, with lines at block starts that only look like the first
  const made = tree({ 'big.txt': `bar\n${`foo${line}`.repeat(6000)}`, 'small.txt': 'foo\n' });
  const index = await open(made);
  await index.build();
  expect(await find(index, { pattern: '\\Afoo', multiline: true })).toEqual(['small.txt:1:foo']);
  expect((await index.search({ pattern: 'x\\n\\z', multiline: true })).total).toBe(1);
});

it('a link in the place of the cache folder is not written through', async () => {
  const made = tree({ 'a.txt': 'foo\n' });
  const index = await open(made);
  await index.build();
  const { folder } = index.status();
  await index.close();
  const elsewhere = `${folder}-elsewhere`;
  renameSync(folder!, elsewhere);
  symlinkSync(elsewhere, folder!);
  const again = await open(made);
  const there = readdirSync(elsewhere);
  await expect(again.build()).rejects.toThrow('is a link');
  expect(readdirSync(elsewhere)).toEqual(there);
  expect((await again.search({ pattern: 'foo' })).total).toBe(1);
});

describe('an answer', () => {
  const files = {
    'a.txt': 'one foo\ntwo\nfoo foo\n',
    'b/c.txt': 'foo\n',
    'b/a.txt': 'bar\nfoo\n',
    'b-d.txt': 'foo\r\nlast foo',
    'none.txt': 'nothing\n',
    '.hidden': 'foo\n',
    '.ignore': 'left-out\n',
    'left-out/x.txt': 'foo\n',
    'bin.dat': 'foo\n\0',
  };
  const expected = [
    'a.txt:1:one foo',
    'a.txt:3:foo foo',
    'b-d.txt:1:foo\r',
    'b-d.txt:2:last foo',
    'b/a.txt:2:foo',
    'b/c.txt:1:foo',
  ];

  it.each(['scan', 'index'])('is ordered by weight, then path, then line (%s)', async (by) => {
    const made = tree(files);
    const index = await open(made);
    if (by === 'index') await index.build();
    const found = await index.search({ pattern: 'foo' });
    expect(found.by).toBe(by);
    expect(await listing(found, made.root)).toEqual(expected);
    expect(found).toMatchObject({ total: 6, fileCount: 4, partial: false, skipped: [] });
    expect(found.files[0]).toEqual({ file: path.join(index.root, 'a.txt'), weight: 2, count: 2 });
  });

  it.each(['scan', 'index'])('knows spans, offsets and context, no line twice (%s)', async (by) => {
    const made = tree({ 'a.txt': '1\n2 é foo\n3\n4 foo foo\n5\n6\n7\n8 foo\n' });
    const index = await open(made);
    if (by === 'index') await index.build();
    const hits = await allHits(await index.search({ pattern: 'foo' }), 1, 2);
    expect(hits.map(({ line, spans, offset, before, after }) => ({ line, spans, offset, before, after }))).toEqual([
      { line: 2, spans: [4, 7], offset: 2, before: ['1'], after: ['3'] },
      { line: 4, spans: [2, 5, 6, 9], offset: 13, before: [], after: ['5', '6'] },
      { line: 8, spans: [2, 5], offset: 29, before: ['7'], after: [] },
    ]);
  });

  it.each(['scan', 'index'])('honours globs, which also bring back what rules leave out (%s)', async (by) => {
    const made = tree(files);
    const index = await open(made);
    if (by === 'index') await index.build();
    expect(await find(index, { pattern: 'foo', globs: ['b/*.txt'] })).toEqual(['b/a.txt:2:foo', 'b/c.txt:1:foo']);
    expect(await find(index, { pattern: 'foo', globs: ['!*.txt'] })).toEqual([]);
    expect(await find(index, { pattern: 'foo', globs: ['.hidden'] })).toEqual(['.hidden:1:foo']);
    expect(await find(index, { pattern: 'foo', globs: ['left-out', 'x.txt'] })).toEqual(['left-out/x.txt:1:foo']);
  });

  it('sees what changes in a file that globs bring back', async () => {
    const made = tree(files);
    const index = await open(made);
    await index.build();
    const query = { pattern: 'foo', globs: ['.hidden'] };
    expect(await find(index, query)).toEqual(['.hidden:1:foo']);
    made.write('.hidden', 'none\nfoo\n');
    expect(await find(index, query)).toEqual(['.hidden:2:foo']);
  });

  it.each(['scan', 'index'])('keeps to a directory, also to one that rules leave out (%s)', async (by) => {
    const made = tree(files);
    const index = await open(made);
    if (by === 'index') await index.build();
    const below = (name: string): Query => ({ pattern: 'foo', path: path.join(index.root, name) });
    expect(await find(index, below('b'))).toEqual(['b/a.txt:2:foo', 'b/c.txt:1:foo']);
    expect(await find(index, below('left-out'))).toEqual(['left-out/x.txt:1:foo']);
    await expect(index.search(below('nowhere'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('holds a named file whatever it is, up to its first NUL', async () => {
    const made = tree({ ...files, '.x/late.bin': 'foo 1\nfoo 2\0foo\nfoo 3\n' });
    const index = await open(made);
    const named = (name: string): Query => ({ pattern: 'foo', path: path.join(index.root, name) });
    expect(await find(index, named('.hidden'))).toEqual(['.hidden:1:foo']);
    expect(await find(index, named('.x/late.bin'))).toEqual(['.x/late.bin:1:foo 1', '.x/late.bin:2:foo 2']);
    symlinkSync('a.txt', path.join(made.root, 'link'));
    expect(await find(index, named('link'))).toEqual(['link:1:one foo', 'link:3:foo foo']);
  });

  it('has files over the limit as skipped, and searches them when they are named', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const big = `foo first\n${line.repeat(200_000)}foo last\n`;
    const made = tree({ 'big.txt': big, 'small.txt': 'foo\n' });
    const index = await open(made);
    for (const by of ['scan', 'index']) {
      if (by === 'index') await index.build();
      const found = await index.search({ pattern: 'foo' });
      expect(found.by).toBe(by);
      expect(await listing(found, made.root)).toEqual(['small.txt:1:foo']);
      expect(found.skipped).toEqual([{ file: path.join(index.root, 'big.txt'), reason: 'larger than 16 MiB' }]);
    }
    const named = await index.search({ pattern: 'foo', path: path.join(index.root, 'big.txt') });
    const hits = await allHits(named, 1, 1);
    expect(hits.map(({ line: at, offset, before, after }) => ({ at, offset, before, after }))).toEqual([
      { at: 1, offset: 0, before: [], after: ['x'.repeat(99)] },
      { at: 200_002, offset: 20_000_010, before: ['x'.repeat(99)], after: [] },
    ]);
  });

  it('leaves out what is withheld, unless the program agrees', async () => {
    const made = tree({ 'key.pem': '-----BEGIN KEY\nfoo\n', 'a.txt': 'foo\n' });
    const index = await open(made, { withhold: 'BEGIN KEY' });
    for (const by of ['scan', 'index']) {
      if (by === 'index') await index.build();
      expect(await find(index, 'foo')).toEqual(['a.txt:1:foo']);
      const agreed = await index.search({ pattern: 'foo' }, { accept: () => true });
      expect(agreed.fileCount).toBe(2);
      const refused = await index.search({ pattern: 'foo' }, { accept: (file) => !file.endsWith('a.txt') });
      expect(refused.files.map((each) => path.basename(each.file))).toEqual(['key.pem']);
    }
  });

  it('tells definitions from uses, and puts files that define first', async () => {
    const made = tree({
      'a.c': 'x = probe();\nprobe(1);\nprobe(2);\n',
      'b.c': '#define probe 1\n',
      'c.txt': 'probe\n',
      'd.py': 'def probe():\n  probe()\n  probes()\n',
    });
    const index = await open(made);
    for (const by of ['scan', 'index']) {
      if (by === 'index') await index.build();
      const found = await index.symbol({ name: 'probe' });
      const shown = (await allHits(found)).map((hit) => `${path.basename(hit.file)}:${hit.line}:${hit.type}`);
      expect(shown.slice(0, 3)).toEqual(['d.py:1:definition', 'd.py:2:reference', 'b.c:1:definition']);
      expect(found.files[0]!.weight).toBe(2 ** 32 + 1);
      expect(shown.some((each) => each.startsWith('c.txt'))).toBe(false);
    }
  });

  it('may come from a JavaScript expression, whose time is bounded', async () => {
    const made = tree({ 'a.txt': 'é foobar\nfoobaz\n', 'evil.txt': `${'x'.repeat(60)}\n`, 'b.txt': 'no\n' });
    const index = await open(made);
    const found = await index.search({ pattern: '(?<=é )foo(?!baz)', backtrack: true }, { deadlineMs: 60_000 });
    const [hit] = await allHits(found);
    expect(hit).toMatchObject({ line: 1, text: 'é foobar', spans: [2, 5], offset: 0 });
    const evil = await index.search({ pattern: '^(x+x+)+y', backtrack: true }, { deadlineMs: 60_000 });
    expect(evil.skipped).toEqual([{ file: path.join(index.root, 'evil.txt'), reason: 'the expression took too long' }]);
    await expect(index.search({ pattern: '(', backtrack: true })).rejects.toMatchObject({ code: 'PATTERN' });
  });

  it('says what is wrong with a query', async () => {
    const index = await open(tree({ a: 'x' }));
    await expect(index.search({ pattern: '(' })).rejects.toMatchObject({
      code: 'PATTERN',
      position: expect.any(Number),
    });
    await expect(index.search({ pattern: 'x', globs: ['{'] })).rejects.toMatchObject({ code: 'GLOB' });
    await expect(index.search({ pattern: 'x' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await expect(openIndex('/nowhere/at/all')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is named by its content: the cursor of a page tells whether the list is the same', async () => {
    const made = tree(files);
    const first = await open(made);
    const found = await first.search({ pattern: 'foo' });
    const cursor = cursorOf(found, 3);
    expect(readCursor(cursor)).toEqual({ id: found.id, offset: 3 });
    expect(readCursor('nonsense')).toBeUndefined();
    await first.build();
    expect((await first.search({ pattern: 'foo' })).id).toBe(found.id);
    made.write('b/c.txt', 'foo\nfoo\n');
    expect((await first.search({ pattern: 'foo' })).id).not.toBe(found.id);
  });

  it('says of a page that a file has changed since', async () => {
    const made = tree(files);
    const index = await open(made);
    const found = await index.search({ pattern: 'foo' });
    made.write('a.txt', 'foo\n');
    const page = await found.page({ offset: 0, limit: 10 });
    expect(page.changed).toBe(true);
    expect(page.next).toBeUndefined();
  });
});

describe('the index', () => {
  it('answers as a scan does, for random trees and queries, through changes', async () => {
    const random = randomFrom(7);
    const made = tree();
    const name = (): string =>
      `d${random(6)}/${random(4) === 0 ? '.' : ''}f${random(40)}.${random(2) === 0 ? 'c' : 'txt'}`;
    for (let i = 0; i < 150; i++) made.write(name(), randomText(random, random(40)));
    made.write('large.txt', randomText(random, 40_000));
    const index = await open(made);
    const scan = await open(made, { cache: false });
    await index.build();
    for (let round = 0; round < 60; round++) {
      for (let change = random(4); change > 0; change--) {
        if (random(3) === 0) made.remove(name());
        else made.write(name(), randomText(random, random(40)));
      }
      if (round === 30) await index.build();
      const word = (): string => WORDS[random(WORDS.length - 2)]!;
      const pattern = [
        word(),
        `${word()}.*${word()}`,
        `${word()}|${word()}`,
        `^${word()}`,
        `[a-x]{${1 + random(6)}}$`,
        '',
      ][random(6)]!;
      const query: Query = {
        pattern,
        ignoreCase: random(3) === 0,
        word: random(4) === 0,
        multiline: random(6) === 0,
        ...(random(4) === 0 ? { globs: [['*.c'], ['!d1'], ['.f*'], ['d*/', '*.txt']][random(4)]! } : {}),
      };
      const [indexed, scanned] = [await index.search(query), await scan.search(query)];
      expect([indexed.by, scanned.by]).toEqual(['index', 'scan']);
      expect({ query, files: indexed.files }).toEqual({ query, files: scanned.files });
      expect(indexed.id).toBe(scanned.id);
    }
  });

  it.each([true, false])('never misses a change made before the call (watch: %s)', async (watch) => {
    const made = tree({ 'a.txt': 'nothing\n', 'd/b.txt': 'foo\n' });
    const index = await open(made, { watch });
    await index.build();
    expect(await find(index, 'foo')).toEqual(['d/b.txt:1:foo']);
    made.write('a.txt', 'foo\n');
    expect(await find(index, 'foo')).toEqual(['a.txt:1:foo', 'd/b.txt:1:foo']);
    made.write('new/deep/c.txt', 'foo\n');
    expect(await find(index, 'foo')).toEqual(['a.txt:1:foo', 'd/b.txt:1:foo', 'new/deep/c.txt:1:foo']);
    made.remove('d');
    renameSync(path.join(made.root, 'a.txt'), path.join(made.root, 'z.txt'));
    expect(await find(index, 'foo')).toEqual(['new/deep/c.txt:1:foo', 'z.txt:1:foo']);
    made.write('.ignore', 'z.txt\n');
    expect(await find(index, 'foo')).toEqual(['new/deep/c.txt:1:foo']);
    made.remove('.ignore');
    appendFileSync(path.join(made.root, 'z.txt'), 'foo\n');
    const old = new Date(2001, 1, 1);
    utimesSync(path.join(made.root, 'z.txt'), old, old);
    expect(await find(index, 'foo')).toEqual(['z.txt:1:foo', 'z.txt:2:foo', 'new/deep/c.txt:1:foo']);
  });

  it('is built after the first answer, and taken over by another process', async () => {
    const made = tree({ 'a.txt': 'foo\n' });
    const first = await open(made, { build: 'auto' });
    const second = await open(made);
    expect(first.status()).toMatchObject({ index: 'none', dirty: 0 });
    expect((await first.search({ pattern: 'foo' })).by).toBe('scan');
    for (let tries = 0; tries < 500 && first.status().index !== 'ready'; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(first.status()).toMatchObject({ index: 'ready', generation: 1, files: 1, builtAt: expect.any(Date) });
    expect((await first.search({ pattern: 'foo' })).by).toBe('index');
    expect((await second.search({ pattern: 'foo' })).by).toBe('index');
  });

  it('gets another segment when it is built again, and finds what was replaced there only', async () => {
    const made = tree(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}.txt`, `word${i} common\n`])));
    const index = await open(made);
    await index.build();
    made.write('f1.txt', 'other1 common\n');
    made.remove('f2.txt');
    made.write('new.txt', 'word1 common\n');
    await index.build();
    expect(index.status()).toMatchObject({ generation: 2, files: 400 });
    expect(await find(index, 'word1\\b|word2\\b|other1')).toEqual(['f1.txt:1:other1 common', 'new.txt:1:word1 common']);
    expect((await index.search({ pattern: 'common' })).total).toBe(400);
  });

  it('is dropped where it is damaged: the answer comes from a scan', async () => {
    const made = tree({ 'a.txt': 'foo\n', 'b.txt': 'bar\n' });
    const index = await open(made);
    await index.build();
    await index.close();
    const [folder] = readdirSync(made.cache).filter((name) => /^[0-9a-f]{16}$/.test(name));
    const home = path.join(made.cache, folder!);
    for (const segment of readdirSync(home).filter((name) => name.startsWith('seg-'))) {
      for (const file of readdirSync(path.join(home, segment))) {
        writeFileSync(path.join(home, segment, file), Buffer.alloc(5000, 7));
      }
    }
    const again = await open(made);
    const found = await again.search({ pattern: 'foo' });
    expect(found.by).toBe('scan');
    expect(await listing(found, made.root)).toEqual(['a.txt:1:foo']);
    expect(again.status().reason).toEqual(expect.any(String));
    await again.build();
    expect((await again.search({ pattern: 'foo' })).by).toBe('index');
  });

  it('cannot be where nothing may be written, and that is said', async () => {
    const made = tree({ 'a.txt': 'foo\n' });
    made.write('../file', '');
    const index = await open({ ...made, cache: path.join(made.root, '..', 'file', 'cache') });
    expect((await index.search({ pattern: 'foo' })).by).toBe('scan');
    await expect(index.build()).rejects.toThrow();
    expect(index.status()).toMatchObject({ index: 'off', reason: expect.any(String) });
    const off = await open(made, { cache: false });
    expect(off.status()).toMatchObject({ index: 'off' });
    chmodSync(made.root, 0o755);
  });
});

describe('a search that is ended', () => {
  it('by its deadline answers with what it has', async () => {
    const random = randomFrom(3);
    const made = tree();
    for (let i = 0; i < 2000; i++) made.write(`f${i}.txt`, randomText(random, 100));
    const index = await open(made, { cache: false });
    const found = await index.search({ pattern: 'alpha' }, { deadlineMs: 0 });
    expect(found.partial).toBe(true);
    for (const hit of await allHits(found)) expect(hit.text).toContain('alpha');
  });

  it('by its deadline in a large file that is named', async () => {
    const made = tree({ 'large.txt': 'foo bar baz\n'.repeat(1_600_000) });
    const index = await open(made, { cache: false });
    const query = { pattern: 'foo', path: path.join(index.root, 'large.txt') };
    const found = await index.search(query, { deadlineMs: 0 });
    expect(found.partial).toBe(true);
    expect(found.total).toBeLessThan(1_600_000);
  });

  it('by its signal, too', async () => {
    const made = tree({ 'a.txt': 'foo\n' });
    const index = await open(made, { cache: false });
    const stop = new AbortController();
    const answer = index.search({ pattern: 'foo' }, { signal: stop.signal });
    stop.abort();
    await expect(answer.then((found) => found.partial)).resolves.toBe(true);
  });

  it('by close, which leaves nothing running', async () => {
    const made = tree(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}.txt`, 'foo\n'])));
    const index = await open(made, { build: 'auto' });
    const answer = index.search({ pattern: 'foo' }).catch((error: unknown) => error);
    const build = index.build().catch((error: unknown) => error);
    await index.close();
    await Promise.all([answer, build]);
    await expect(index.search({ pattern: 'foo' })).rejects.toMatchObject({ code: 'CLOSED' });
    const left = process.getActiveResourcesInfo().filter((each) => /Worker|MessagePort|FSEvent/.test(each));
    expect(left).toEqual([]);
  });
});
