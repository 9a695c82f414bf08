// Memory as its caller knows it: every action by exact values, and the weak spots of the contract's reference (section 7).
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFixture, type Fixture } from './testkit.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(async () => {
  vi.useRealTimers();
  await fixture.close();
});

const store = (key: string, value: string, more: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
  fixture.ok({ action: 'store', key, value, ...more });
/** the value of a key of one namespace; undefined when there is none */
const valueOf = async (key: string, namespace = 'default'): Promise<string | undefined> => {
  const answer = await fixture.call({ action: 'recall', key, namespace });
  return answer.data.total === 1 ? answer.text('value') : undefined;
};
const refusal = async (args: Record<string, unknown>): Promise<Record<string, string>> => {
  const answer = await fixture.call(args);
  expect(answer.ok).toBe(false);
  return answer.error as Record<string, string>;
};

describe('store, recall, update, create', () => {
  test('store answers what it did, and recall gives the value back as it was', async () => {
    const value = 'line 1\r\n\tline "2" \\ \0 😀\n';
    expect(await store('a', value, { tags: ['x', 'y', 'x'] })).toEqual({
      key: 'a',
      namespace: 'default',
      status: 'stored',
      length: value.length,
    });
    const answer = await fixture.call({ action: 'recall', key: 'a' });
    expect(answer.data).toMatchObject({
      total: 1,
      key: 'a',
      namespace: 'default',
      tags: ['x', 'y'],
      value: { block: 1 },
    });
    expect(answer.text('value')).toBe(value);
    expect(await store('a', 'new')).toMatchObject({ status: 'updated', length: 3 });
    expect(await valueOf('a')).toBe('new');
  });

  test('id, content and scope are other names of key, value and namespace', async () => {
    await fixture.ok({ action: 'store', id: 'a', content: 'v', scope: 'project' });
    expect(await valueOf('a', 'project')).toBe('v');
  });

  test('the same key in two namespaces is two entries', async () => {
    await store('a', '1');
    await store('a', '2', { namespace: 'other' });
    expect([await valueOf('a'), await valueOf('a', 'other')]).toEqual(['1', '2']);
    const both = await fixture.call({ action: 'recall', key: 'a' });
    expect(both.data.total).toBe(2);
    expect(both.text()).toMatch(/^\[other] a \(updated [^)]+\)\n2\n\n\[default] a \(updated [^)]+\)\n1\n$/);
  });

  test('what is left out stays, and append adds a line', async () => {
    await store('a', 'one', { tags: ['t'], metadata: { by: 'me' } });
    await store('a', 'two', { append: true });
    const answer = await fixture.call({ action: 'recall', key: 'a' });
    expect(answer.data).toMatchObject({ tags: ['t'], metadata: { by: 'me' } });
    expect(answer.text('value')).toBe('one\ntwo');
    await store('b', '');
    await store('b', 'first', { append: true });
    expect(await valueOf('b')).toBe('first');
  });

  test('update changes what is there and makes nothing', async () => {
    await store('deploy', '1');
    const error = await refusal({ action: 'update', key: 'deplay', value: '2' });
    expect(error).toMatchObject({ code: 'NOT_FOUND', nearest: 'deploy' });
    expect(await fixture.keys({ action: 'list' })).toEqual(['deploy']);
    await fixture.ok({ action: 'update', key: 'deploy', tags: ['t'] });
    expect(await valueOf('deploy')).toBe('1');
    expect((await refusal({ action: 'update', key: 'deploy' })).message).toMatch(/give value, tags, metadata or ttl/);
  });

  test('create writes over nothing, and finds a key where none is given', async () => {
    await fixture.ok({ action: 'create', key: 'a', value: '1' });
    expect(await refusal({ action: 'create', key: 'a', value: '2' })).toMatchObject({ code: 'CONFLICT' });
    expect(await valueOf('a')).toBe('1');
    const made = await fixture.ok({ action: 'create', value: 'x' });
    const again = await fixture.ok({ action: 'create', value: 'x' });
    expect(new Set(['a', made.key, again.key]).size).toBe(3);
  });

  test('a key that is not there is answered with the nearest', async () => {
    await store('release-notes', '1');
    expect(await fixture.ok({ action: 'recall', key: 'relaese-notes' })).toMatchObject({
      total: 0,
      nearest: 'release-notes',
    });
  });

  test('a namespace that is empty is said, with the nearest', async () => {
    await store('a', '1', { namespace: 'project' });
    const note = "nothing is in namespace 'projekt'; did you mean 'project'?";
    for (const args of [{ action: 'recall', key: 'a' }, { action: 'list' }, { action: 'search', query: '1' }]) {
      expect(await fixture.ok({ ...args, namespace: 'projekt' })).toMatchObject({ total: 0, note });
    }
    expect(await fixture.ok({ action: 'search', query: 'b', namespace: 'project' })).not.toHaveProperty('note');
  });

  test('names of object members are keys, namespaces and tags like any other', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      await store(name, name, { namespace: name, tags: [name] });
      expect(await valueOf(name, name)).toBe(name);
    }
    expect((await fixture.ok({ action: 'stats' })).namespaces).toEqual({
      constructor: 1,
      hasOwnProperty: 1,
      toString: 1,
    });
  });

  test('one name in two compositions is one key', async () => {
    await store('caf\u00e9', '1');
    await store('cafe\u0301', '2');
    expect(await fixture.keys({ action: 'list' })).toEqual(['caf\u00e9']);
  });

  test('it is all there after a restart', async () => {
    await store('a', 'kept');
    await fixture.restart();
    expect(await valueOf('a')).toBe('kept');
  });
});

describe('history', () => {
  test('is the values a key had, newest first', async () => {
    for (const value of ['1', '2', '2', '3']) await store('a', value);
    await fixture.ok({ action: 'tag', key: 'a', tags: ['t'] });
    const { data, text } = await fixture.call({ action: 'history', key: 'a' });
    expect(data.total).toBe(3);
    expect(text().match(/version \d|^\d$/gm)).toEqual(['version 3', '3', 'version 2', '2', 'version 1', '1']);
  });

  test('keeps the last 50 earlier values of a key', async () => {
    for (let i = 0; i < 60; i++) await store('a', `v${i}`);
    const answer = await fixture.call({ action: 'history', key: 'a', limit: 1000 });
    expect(answer.data.total).toBe(51);
    expect(answer.text()).toContain('v9');
    expect(answer.text()).not.toMatch(/^v8$/m);
  });

  test('goes with its entry', async () => {
    await store('a', '1');
    await store('a', '2');
    await fixture.ok({ action: 'delete', key: 'a' });
    expect(await refusal({ action: 'history', key: 'a' })).toMatchObject({ code: 'NOT_FOUND' });
    await store('a', '3');
    expect((await fixture.ok({ action: 'history', key: 'a' })).total).toBe(1);
  });
});

describe('ttl', () => {
  test('is honoured at the moment of reading, by every action', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
    await store('a', 'alpha', { ttl: '2030-01-02', tags: ['t'] });
    await store('b', 'alpha');
    expect(await fixture.keys({ action: 'search', query: 'alpha' })).toHaveLength(2);
    vi.setSystemTime(new Date('2030-01-02T00:00:00Z'));
    expect(await valueOf('a')).toBeUndefined();
    expect(await fixture.keys({ action: 'list' })).toEqual(['b']);
    expect(await fixture.keys({ action: 'search', query: 'alpha' })).toEqual(['b']);
    expect(await fixture.ok({ action: 'stats' })).toMatchObject({ entries: 1, tags: {} });
    expect(await refusal({ action: 'update', key: 'a', value: '2' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await fixture.ok({ action: 'create', key: 'a', value: 'again' })).toMatchObject({ status: 'stored' });
    vi.setSystemTime(new Date('2040-01-01T00:00:00Z'));
    expect(await valueOf('a')).toBe('again');
  });

  test('never takes it away', async () => {
    await store('a', '1', { ttl: '2099-12-31T23:59:59+02:00' });
    expect(await fixture.ok({ action: 'recall', key: 'a' })).toMatchObject({ ttl: '2099-12-31T23:59:59+02:00' });
    await fixture.ok({ action: 'update', key: 'a', ttl: 'never' });
    expect(await fixture.ok({ action: 'recall', key: 'a' })).not.toHaveProperty('ttl');
  });

  test.each(['soon', '1', '', '2026-02-30', '2026-13-01', '2026-1-1', '2026-01-01T25:00', 'Tue, 01 Dec 2026'])(
    'weak spot 29: %j is refused and nothing is stored',
    async (ttl) => {
      expect(await refusal({ action: 'store', key: 'a', value: '1', ttl })).toMatchObject({
        code: 'INVALID_PARAMS',
        param: 'ttl',
      });
      expect(await fixture.keys({ action: 'list' })).toEqual([]);
    },
  );

  test('one that has passed is said', async () => {
    expect((await store('a', '1', { ttl: '2020-01-01' }))['note']).toMatch(/has expired already/);
    expect(await fixture.keys({ action: 'list' })).toEqual([]);
  });
});

describe('weak spot 29: destructive actions keep to namespaces and tags', () => {
  beforeEach(async () => {
    await store('a', '1', { tags: ['old'] });
    await store('b', '2');
    await store('a', '3', { namespace: 'other', tags: ['old'] });
  });
  const left = async (): Promise<string[]> => {
    const answer = await fixture.call({ action: 'list', sort: 'namespace' });
    return answer.data.total === 0 ? [] : (answer.text().match(/^\[\w+] \w+/gm) ?? []);
  };

  test('delete by tag removes from the namespace, from all only when they are asked for', async () => {
    expect(await fixture.ok({ action: 'delete', tag: 'old' })).toEqual({
      deleted: 1,
      namespace: 'default',
      keys: ['a'],
    });
    expect(await left()).toEqual(['[default] b', '[other] a']);
    expect(await fixture.ok({ action: 'delete', tag: 'old', namespace: '*' })).toMatchObject({ deleted: 1 });
    expect(await left()).toEqual(['[default] b']);
  });

  test('delete by key removes from the namespace; with a tag only what has it', async () => {
    expect(await fixture.ok({ action: 'delete', key: 'b', tag: 'old' })).toMatchObject({ deleted: 0 });
    await fixture.ok({ action: 'delete', key: 'a', namespace: 'other' });
    expect(await left()).toEqual(['[default] a', '[default] b']);
    expect(await refusal({ action: 'delete', key: 'b', namespace: 'other' })).toMatchObject({
      code: 'NOT_FOUND',
      namespaces: ['default'],
    });
    expect(await refusal({ action: 'delete' })).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  test('manage deletes from the namespace', async () => {
    await fixture.ok({ action: 'manage', namespace: 'other', data: { delete: ['a'] } });
    expect(await left()).toEqual(['[default] a', '[default] b']);
    await fixture.ok({ action: 'manage', data: { delete: [{ key: 'b', namespace: 'default' }] } });
    expect(await left()).toEqual(['[default] a']);
  });

  test('clear removes nothing without confirm, and only the namespace that is named', async () => {
    const error = await refusal({ action: 'clear' });
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', param: 'confirm', entries: 3 });
    expect(await refusal({ action: 'clear', namespace: 'other', confirm: false })).toMatchObject({ entries: 1 });
    expect(await left()).toHaveLength(3);
    expect(await fixture.ok({ action: 'clear', namespace: 'other', confirm: true })).toEqual({
      cleared: 1,
      namespace: 'other',
    });
    expect(await left()).toEqual(['[default] a', '[default] b']);
    expect(await fixture.ok({ action: 'clear', confirm: true })).toEqual({ cleared: 2, namespace: '*' });
    expect(await left()).toEqual([]);
  });

  test('what is left after many were removed at once is found, and what was removed is not', async () => {
    const create = Array.from({ length: 600 }, (_, i) => ({
      key: `many ${i}`,
      value: 'word',
      namespace: `n${+(i < 100)}`,
    }));
    await fixture.ok({ action: 'manage', data: { create } });
    await fixture.ok({ action: 'clear', namespace: 'n0', confirm: true });
    expect((await fixture.ok({ action: 'search', query: 'word' })).total).toBe(100);
    expect(await fixture.keys({ action: 'search', query: 'many 99', match: 'exact' })).toEqual(['many 99']);
    await fixture.ok({ action: 'clear', namespace: 'n1', confirm: true });
    expect((await fixture.ok({ action: 'search', query: 'word' })).total).toBe(0);
    await store('many 1', 'word');
    expect(await fixture.keys({ action: 'search', query: 'many word' })).toEqual(['many 1']);
  });

  test('nothing can be stored in all namespaces', async () => {
    expect(await refusal({ action: 'store', key: 'x', value: '1', namespace: '*' })).toMatchObject({
      param: 'namespace',
    });
  });
});

describe('tags, merge, manage, summarize, namespaces', () => {
  test('tag and untag', async () => {
    await store('a', '1', { tags: ['x'] });
    expect(await fixture.ok({ action: 'tag', key: 'a', tags: ['x', 'y'], tag: 'z' })).toMatchObject({
      tags: ['x', 'y', 'z'],
      changed: true,
    });
    expect(await fixture.ok({ action: 'untag', key: 'a', tag: 'x' })).toMatchObject({ tags: ['y', 'z'] });
    expect(await fixture.ok({ action: 'untag', key: 'a', tag: 'x' })).toMatchObject({ changed: false });
    expect(await fixture.keys({ action: 'list', tag: 'y' })).toEqual(['a']);
    expect(await fixture.keys({ action: 'search', query: 'x' })).toEqual([]);
    expect(await refusal({ action: 'tag', key: 'a' })).toMatchObject({ param: 'tags' });
    expect(await refusal({ action: 'tag', key: 'b', tag: 'x' })).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('merge joins what differs, once, and keeps what it took as versions', async () => {
    await store('a', 'one', { tags: ['x'], metadata: { n: 1 } });
    await store('a', 'two', { namespace: 'p', tags: ['y'], metadata: { n: 2, m: 3 } });
    await store('a', 'one', { namespace: 'q' });
    expect(await fixture.ok({ action: 'merge', key: 'a' })).toMatchObject({ merged: 3, values: 2, from: ['p', 'q'] });
    expect(await valueOf('a')).toBe('one\n---\ntwo');
    expect(await fixture.ok({ action: 'recall', key: 'a' })).toMatchObject({
      total: 1,
      tags: ['x', 'y'],
      metadata: { n: 1, m: 3 },
    });
    expect(await fixture.ok({ action: 'merge', key: 'a' })).toMatchObject({ merged: 1, values: 2 });
    expect(await valueOf('a')).toBe('one\n---\ntwo');
    expect((await fixture.ok({ action: 'history', key: 'a' })).total).toBe(4);
  });

  test('manage is all or nothing, and weak spot 29: it makes no second entry of a key', async () => {
    await store('a', '1');
    const error = await refusal({
      action: 'manage',
      data: {
        create: [
          { key: 'b', value: '2' },
          { key: 'a', value: '3' },
        ],
      },
    });
    expect(error).toMatchObject({ code: 'CONFLICT', key: 'a' });
    expect(await fixture.keys({ action: 'list' })).toEqual(['a']);
    const data = { create: [{ key: 'b', value: '2', tags: ['t'] }], update: [{ key: 'a', value: '9' }], delete: [] };
    expect(await fixture.ok({ action: 'manage', data })).toEqual({ created: 1, updated: 1, deleted: 0, keys: ['b'] });
    expect(await valueOf('a')).toBe('9');
    expect((await refusal({ action: 'manage', data: { created: [] } })).message).toMatch(/Unrecognized key: "created"/);
  });

  test('summarize keeps the given text', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T12:30:00Z') });
    const made = await fixture.ok({ action: 'summarize', content: 'what we did', topic: 'sprint 9' });
    expect(made.key).toBe('summary-sprint 9-20300101T123000000Z');
    const again = await fixture.ok({ action: 'summarize', content: 'more', topic: 'sprint 9' });
    expect(again.key).toBe('summary-sprint 9-20300101T123000000Z-2');
    expect(await fixture.ok({ action: 'recall', key: made.key })).toMatchObject({ tags: ['summary', 'sprint 9'] });
  });

  test('namespaces with their counts', async () => {
    await store('a', '1');
    await store('b', '1', { namespace: 'p' });
    await store('c', '1', { namespace: 'p' });
    const { namespaces, total } = await fixture.ok({ action: 'namespaces' });
    expect(total).toBe(2);
    expect(namespaces).toMatchObject([
      { namespace: 'default', entries: 1 },
      { namespace: 'p', entries: 2 },
    ]);
  });
});

describe('facts and knowledge bases', () => {
  const fact = (fact_action: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    action: 'facts',
    fact_action,
    ...more,
  });

  test('are apart from entries, and one fact is kept once', async () => {
    expect(
      await fixture.ok(fact('store_fact', { value: 'Water boils at 100 °C', kb: 'physics', tags: ['t'] })),
    ).toMatchObject({ id: '1', status: 'stored' });
    expect(
      await fixture.ok(fact('store_fact', { value: 'Water boils at 100 °C', kb: 'physics', tags: ['u'] })),
    ).toMatchObject({ id: '1', status: 'known' });
    await fixture.ok(fact('store_fact', { value: 'The house is blue' }));
    expect(await fixture.keys({ action: 'list' })).toEqual([]);
    const found = await fixture.call(fact('recall_facts', { query: 'WATER physics' }));
    expect(found.text()).toMatch(/^1 \[physics] #t #u \([^)]+\)\nWater boils at 100 °C\n$/);
    expect((await fixture.ok(fact('list_facts', { kb: 'default' }))).total).toBe(1);
    expect((await fixture.ok(fact('recall_facts', { tag: 'u' }))).total).toBe(1);
    expect(await refusal(fact('delete_fact', { key: '1', kb: 'default' }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await fixture.ok(fact('delete_fact', { id: '1' }))).toMatchObject({ deleted: 1 });
    expect(await refusal(fact('delete_fact', { id: '1' }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal(fact('store_fact'))).toMatchObject({ param: 'value' });
  });

  test('a knowledge base is made, listed, and deleted with its facts on confirm', async () => {
    expect(await fixture.ok({ action: 'kb', kb_action: 'create', kb: 'k' })).toEqual({ kb: 'k', status: 'created' });
    await fixture.ok(fact('store_fact', { value: 'f', kb: 'k' }));
    expect((await fixture.ok({ action: 'kb' })).kbs).toMatchObject([{ kb: 'k', facts: 1 }]);
    expect(await refusal({ action: 'kb', kb_action: 'delete', kb: 'k' })).toMatchObject({ param: 'confirm', facts: 1 });
    expect(await fixture.ok({ action: 'kb', kb_action: 'delete', kb: 'k', confirm: true })).toEqual({
      kb: 'k',
      deleted: 1,
    });
    expect(await refusal({ action: 'kb', kb_action: 'delete', kb: 'k' })).toMatchObject({ code: 'NOT_FOUND' });
    expect((await refusal({ action: 'kb', kb_action: 'drop', kb: 'k' })).message).toMatch(/create, list, delete/);
  });
});

describe('weak spot 45: input is held to the schema', () => {
  test.each([
    [{ action: 'store', key: 'a', value: 1 }, 'value'],
    [{ action: 'store', key: '', value: 'x' }, 'key'],
    [{ action: 'store', key: 'a\nb', value: 'x' }, 'key'],
    [{ action: 'store', key: 'a', value: 'half \ud83d' }, 'value'],
    [{ action: 'store', key: 'a', value: 'x', tags: 'x' }, 'tags'],
    [{ action: 'store', key: 'a', value: 'x', colour: 'red' }, 'colour'],
    [{ action: 'store', key: 'a', value: 'x'.repeat(1_000_001) }, 'value'],
    [{ action: 'list', limit: 0 }, 'limit'],
    [{ action: 'list', limit: 1001 }, 'limit'],
    [{ action: 'list', limit: 2.5 }, 'limit'],
    [{ action: 'list', cursor: '-1' }, 'cursor'],
    [{ action: 'list', cursor: '7' }, 'cursor'],
    [{ action: 'list', sort: 'size' }, 'sort'],
    [{ action: 'clear', confirm: 'yes' }, 'confirm'],
  ])('%j', async (args, param) => {
    expect(await refusal(args)).toMatchObject({ code: 'INVALID_PARAMS', param });
    expect(await fixture.keys({ action: 'list' })).toEqual([]);
  });

  test('an empty value is a value', async () => {
    await store('a', 'x');
    expect(await store('a', '')).toMatchObject({ status: 'updated', length: 0 });
    expect(await fixture.ok({ action: 'recall', key: 'a' })).toMatchObject({ total: 1, value: '', length: 0 });
  });
});

describe('lists', () => {
  test('hold 50 unless told otherwise, and say where the rest is', async () => {
    const create = Array.from({ length: 120 }, (_, i) => ({
      key: `k${String(i).padStart(3, '0')}`,
      value: `common v${i}`,
    }));
    await fixture.ok({ action: 'manage', data: { create } });
    for (const args of [{ action: 'list', sort: 'key' }, { action: 'recall' }, { action: 'search', query: 'common' }]) {
      const { count, paging } = await fixture.ok(args);
      expect([count, paging]).toEqual([50, { cursor: '50', more: true, total: 120 }]);
      expect(new Set(await fixture.keys(args)).size).toBe(120);
    }
    expect(await fixture.keys({ action: 'list', sort: 'key', limit: 7 })).toEqual(create.map(({ key }) => key));
  });

  test('sorted by when they were made or changed, the last first', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
    for (const key of ['b', 'a', 'c']) {
      await store(key, '1', { namespace: key === 'c' ? 'a' : 'z' });
      vi.setSystemTime(Date.now() + 1000);
    }
    await store('b', '2', { namespace: 'z' });
    const by = (sort: string): Promise<string[]> => fixture.keys({ action: 'list', sort });
    expect([await by('updated'), await by('created'), await by('key'), await by('namespace')]).toEqual([
      ['b', 'c', 'a'],
      ['c', 'a', 'b'],
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
    ]);
  });

  test('every answer is bounded, and pages of a long value join to it', async () => {
    const value = `${'0123456789 é😀"\n'.repeat(9000)}end`;
    await store('long', value);
    await store('short', 'x');
    for (const jsonOnly of [false, true]) {
      await fixture.restart({ jsonOnly });
      let joined = '';
      for (let cursor: string | null | undefined; cursor !== null;) {
        const args = { action: 'recall', key: 'long', ...(cursor === undefined ? {} : { cursor }) };
        const answer = await fixture.call(args, 4096);
        expect(answer.bytes).toBeLessThanOrEqual(8192);
        joined += jsonOnly ? answer.data.entries[0].value : answer.text().replace(/^\[default] long [^\n]*\n/, '');
        cursor = answer.data.paging.cursor as string | null;
      }
      expect(joined.replace(/\n$/, '')).toBe(value);
    }
  });

  test('a value is cut around what was looked for', async () => {
    await store('a', `${'before '.repeat(2000)}needle in ${'after '.repeat(2000)}`);
    const { text } = await fixture.call({ action: 'search', query: 'NEEDLE' });
    const [head, snippet = ''] = text().split('\n');
    expect(head).toMatch(/^\[default] a \(updated [^,]+, 26010 characters\)$/);
    expect(snippet).toContain('needle in after');
    expect(snippet.length).toBeLessThanOrEqual(202);
  });

  test('in --json-only the entries are in the envelope', async () => {
    await fixture.restart({ jsonOnly: true });
    await store('a', 'x', { tags: ['t'] });
    await store('b', 'y');
    const { entries } = await fixture.ok({ action: 'search', query: 'x' });
    expect(entries).toMatchObject([{ key: 'a', namespace: 'default', tags: ['t'], value: 'x', length: 1 }]);
  });
});

test('a read-only server reads and changes nothing', async () => {
  await store('a', '1');
  await fixture.restart({ access: 'read-only' });
  expect(await valueOf('a')).toBe('1');
  for (const args of [
    { action: 'store', key: 'a', value: '2' },
    { action: 'delete', key: 'a' },
    { action: 'clear', confirm: true },
    { action: 'export' },
    { action: 'import', data: { b: '1' } },
  ]) {
    expect(await refusal(args)).toMatchObject({ code: 'PERMISSION_DENIED' });
  }
  expect(await valueOf('a')).toBe('1');
});

test('5,000 entries: counted, paged, found', async () => {
  for (let from = 0; from < 5000; from += 1000) {
    const create = Array.from({ length: 1000 }, (_, i) => ({
      key: `entry ${from + i}`,
      value: `number ${from + i} of many`,
    }));
    await fixture.ok({ action: 'manage', data: { create } });
  }
  expect(await fixture.ok({ action: 'stats' })).toMatchObject({ entries: 5000 });
  expect((await fixture.ok({ action: 'search', query: 'many' })).total).toBe(5000);
  expect(await fixture.keys({ action: 'search', query: '4711', match: 'exact' })).toEqual(['entry 4711']);
  expect(new Set(await fixture.keys({ action: 'list', limit: 1000 })).size).toBe(5000);
});
