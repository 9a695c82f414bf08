// The documented JSON file: imported once, in both shapes of facts, never touched; export and import; what is damaged is named.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFixture, type Fixture } from '../testkit.ts';

let fixture: Fixture;
let legacy: string;
beforeEach(() => {
  fixture = createFixture();
  legacy = path.join(fixture.dataDir, 'memory.json');
  mkdirSync(fixture.dataDir, { recursive: true });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await fixture.close();
});

const recall = async (key: string, namespace = 'default'): Promise<string> =>
  (await fixture.call({ action: 'recall', key, namespace })).text('value');
const entry = (key: string, value: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: '1',
  key,
  value,
  tags: ['old'],
  namespace: 'default',
  created: '2024-01-01T00:00:00.000Z',
  updated: '2024-02-01T00:00:00.000Z',
  ...more,
});

describe('the file of earlier versions', () => {
  test('weak spot 28: both shapes of facts in one file are imported once, and the file stays as it is', async () => {
    const text = JSON.stringify({
      entries: [entry('a', '1', { metadata: { by: 'me' } }), entry('b', '2', { namespace: 'p' })],
      lastId: 2,
      facts: [
        { id: '1', content: 'kb and tags', kb: 'one', tags: ['t'], created: '2024-01-01T00:00:00.000Z' },
        {
          id: '2',
          content: 'kb_name and scope',
          kb_name: 'two',
          scope: 'project',
          created: '2024-01-01T00:00:00.000Z',
        },
      ],
      lastFactId: 2,
      knowledgeBases: [{ name: 'three' }],
    });
    writeFileSync(legacy, text);
    const first = await fixture.ok({ action: 'recall', key: 'a' });
    expect(first.note).toBe(`imported 2 entries and 2 facts from ${legacy}, which stays as it is`);
    expect(first).toMatchObject({ tags: ['old'], metadata: { by: 'me' }, updated: '2024-02-01T00:00:00.000Z' });
    expect(await recall('b', 'p')).toBe('2');
    const { kbs } = await fixture.ok({ action: 'kb' });
    expect(kbs).toMatchObject([
      { kb: 'one', facts: 1 },
      { kb: 'three', facts: 0 },
      { kb: 'two', facts: 1 },
    ]);

    await fixture.ok({ action: 'delete', key: 'a' });
    await fixture.restart();
    const again = await fixture.ok({ action: 'recall', key: 'a' });
    expect(again).toMatchObject({ total: 0 });
    expect(again.note).toBeUndefined();
    expect(readFileSync(legacy, 'utf8')).toBe(text);
  });

  test('two servers that begin together import it once', async () => {
    writeFileSync(legacy, JSON.stringify({ entries: [entry('a', '1')] }));
    const other = createFixture({}, fixture.folder);
    await Promise.all([fixture.ok({ action: 'stats' }), other.ok({ action: 'stats' })]);
    expect(await fixture.ok({ action: 'stats' })).toMatchObject({ entries: 1 });
    await other.close();
  });

  test.each([
    ['cut off', '{"entries": [{"key": "a", "val'],
    ['something else', '{"todos": []}'],
    ['a list in place of an object', '{"entries": {"a": 1}}'],
    ['empty', ''],
  ])('weak spot 27: one that is %s is named, left as it is, and nothing is lost', async (_name, text) => {
    writeFileSync(legacy, text);
    const stored = await fixture.ok({ action: 'store', key: 'a', value: '1' });
    expect(stored.note).toContain(`${legacy} was not imported and not touched: it`);
    expect(stored.status).toBe('stored');
    expect(readFileSync(legacy, 'utf8')).toBe(text);
    expect((await fixture.ok({ action: 'stats' })).note).toBeUndefined();
    // Once mended it is imported by the next server.
    writeFileSync(legacy, JSON.stringify({ entries: [entry('b', '2')] }));
    await fixture.restart();
    expect(await recall('b')).toBe('2');
    expect(await recall('a')).toBe('1');
  });

  test('weak spot 27: a damaged database is set aside with its name told, and the JSON file is imported again', async () => {
    writeFileSync(legacy, JSON.stringify({ entries: [entry('a', '1')] }));
    await fixture.ok({ action: 'store', key: 'b', value: '2' });
    const { file } = fixture.store;
    await fixture.restart();
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    writeFileSync(file, 'this was a database'.repeat(400));
    const first = await fixture.ok({ action: 'list' });
    const [, name = ''] = /set aside as (\S+),/.exec(first.note) ?? [];
    expect(readFileSync(name, 'utf8')).toBe('this was a database'.repeat(400));
    expect(first.note).toContain('imported 1 entries');
    expect(await fixture.keys({ action: 'list' })).toEqual(['a']);
  });

  test('what cannot be taken is said, the rest is taken', async () => {
    const entries = [
      entry('a', '1', { ttl: 'whenever' }),
      entry('gone', '1', { ttl: '2020-01-01' }),
      { key: 'bare', value: 'v' },
      { id: 'content-shape', content: 'c', scope: 'project' },
      'text',
      { value: 'no key' },
      entry('a', 'second of the same key', { updated: '2024-03-01T00:00:00.000Z' }),
    ];
    writeFileSync(legacy, JSON.stringify({ entries, facts: [{ id: 1 }] }));
    const { note } = await fixture.ok({ action: 'stats' });
    expect(note).toContain('imported 3 entries and 0 facts');
    expect(note).toContain(
      'entry 0 had a ttl that is no date; it does not expire; entry 4 is no object; entry 5 has no usable key',
    );
    expect(await fixture.keys({ action: 'list', sort: 'key' })).toEqual(['a', 'bare', 'content-shape']);
    expect(await recall('a')).toBe('second of the same key');
    expect((await fixture.ok({ action: 'history', key: 'a' })).total).toBe(2);
    expect(await recall('content-shape', 'project')).toBe('c');
  });

  test('MEMORY_PATH names another', async () => {
    const file = path.join(fixture.folder, 'elsewhere.json');
    writeFileSync(file, JSON.stringify([entry('a', '1')]));
    vi.stubEnv('MEMORY_PATH', file);
    expect((await fixture.ok({ action: 'stats' })).note).toContain(file);
    expect(await recall('a')).toBe('1');
  });

  test('a read-only server leaves it for later', async () => {
    writeFileSync(legacy, JSON.stringify({ entries: [entry('a', '1')] }));
    await fixture.restart({ access: 'read-only' });
    expect((await fixture.ok({ action: 'list' })).note).toMatch(/not imported yet/);
    expect(existsSync(path.join(fixture.dataDir, 'db'))).toBe(false);
  });
});

describe('export and import', () => {
  test('an export is the documented shape, for its owner alone, and comes back whole elsewhere', async () => {
    await fixture.ok({
      action: 'store',
      key: 'a',
      value: 'one\n"two"',
      tags: ['t'],
      metadata: { n: 1 },
      ttl: '2099-01-01',
    });
    await fixture.ok({ action: 'store', key: 'a', value: 'other', namespace: 'p' });
    await fixture.ok({ action: 'facts', fact_action: 'store_fact', value: 'f', kb: 'k', tags: ['x'] });
    const made = await fixture.ok({ action: 'export' });
    expect(made).toMatchObject({ entries: 2, facts: 1 });
    const file = path.join(fixture.dataDir, 'memory-export.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const document = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    expect(document).toMatchObject({
      entries: [
        {
          id: '1',
          key: 'a',
          value: 'one\n"two"',
          tags: ['t'],
          namespace: 'default',
          metadata: { n: 1 },
          ttl: '2099-01-01',
        },
        { id: '2', key: 'a', value: 'other', namespace: 'p' },
      ],
      lastId: 2,
      facts: [{ id: '1', content: 'f', kb: 'k', kb_name: 'k', tags: ['x'] }],
      lastFactId: 1,
    });
    const other = createFixture();
    expect(await other.ok({ action: 'import', file })).toMatchObject({ imported: 2, facts: 1, skipped: 0 });
    await other.ok({ action: 'export' });
    const again = readFileSync(path.join(other.dataDir, 'memory-export.json'), 'utf8');
    expect(JSON.parse(again)).toEqual(document);
    await other.close();
    expect(readdirSync(fixture.dataDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('weak spot 29: importing twice makes no second entry, fact or version', async () => {
    await fixture.ok({ action: 'store', key: 'a', value: '1' });
    await fixture.ok({ action: 'export' });
    const file = path.join(fixture.dataDir, 'memory-export.json');
    await fixture.ok({ action: 'store', key: 'a', value: '2' });
    for (let i = 0; i < 2; i++) {
      expect(await fixture.ok({ action: 'import', file })).toMatchObject({ imported: 0, updated: 0, older: 1 });
    }
    expect(await recall('a')).toBe('2');
    expect((await fixture.ok({ action: 'history', key: 'a' })).total).toBe(2);
    expect(await fixture.ok({ action: 'stats' })).toMatchObject({ entries: 1 });
  });

  test('a named file is not written over, and must lie under a root', async () => {
    const file = path.join(fixture.folder, 'mine.json');
    writeFileSync(file, 'mine');
    await fixture.ok({ action: 'store', key: 'a', value: '1' });
    expect((await fixture.call({ action: 'export', file })).error).toMatchObject({ code: 'CONFLICT' });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await fixture.call({ action: 'export', file: '/etc/memory.json' })).error).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    expect((await fixture.call({ action: 'export', file: 'x.json' })).error).toMatchObject({ code: 'INVALID_PARAMS' });
    const fresh = path.join(fixture.folder, 'fresh.json');
    expect(await fixture.ok({ action: 'export', file: fresh, namespace: 'default' })).toMatchObject({
      entries: 1,
      facts: 0,
    });
  });

  test('data is a map from key to value', async () => {
    await fixture.ok({ action: 'store', key: 'a', value: 'old' });
    expect(await fixture.ok({ action: 'import', data: { a: 'new', n: 5, o: { deep: [1] } } })).toMatchObject({
      imported: 2,
      updated: 1,
    });
    expect([await recall('a'), await recall('n'), await recall('o')]).toEqual(['new', '5', '{"deep":[1]}']);
  });

  test('a large one is taken in parts, and once more adds nothing', async () => {
    const file = path.join(fixture.folder, 'large.json');
    const entries = Array.from({ length: 1201 }, (_, i) => entry(`k${i}`, `v${i}`));
    writeFileSync(file, JSON.stringify({ entries, facts: [{ content: 'f' }] }));
    expect(await fixture.ok({ action: 'import', file })).toMatchObject({ imported: 1201, facts: 1 });
    expect(await fixture.ok({ action: 'import', file })).toMatchObject({ imported: 0, unchanged: 1201, facts: 0 });
    expect(await recall('k1200')).toBe('v1200');
  });

  test('a file that is damaged, missing or no memory is refused with its name', async () => {
    const file = path.join(fixture.folder, 'x.json');
    expect((await fixture.call({ action: 'import', file })).error).toMatchObject({ code: 'NOT_FOUND' });
    for (const text of ['{"entries": [', '42', '{"a": "b"}']) {
      writeFileSync(file, text);
      const { error } = await fixture.call({ action: 'import', file });
      expect(error.code).toBe('INVALID_PARAMS');
      expect(error.message).toContain(`${file} was not imported and not touched`);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    expect((await fixture.call({ action: 'import' })).error).toMatchObject({ code: 'INVALID_PARAMS' });
    expect((await fixture.call({ action: 'import', file: fixture.folder })).error.message).toMatch(/no regular file/);
  });
});
