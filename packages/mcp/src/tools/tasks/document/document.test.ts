// The documents of tasks: the JSON file of earlier versions imported once and never touched; export and import, JSON and Markdown.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFixture, type Fixture } from '../testkit.ts';

let fixture: Fixture;
let legacy: string;
beforeEach(() => {
  fixture = createFixture();
  legacy = path.join(fixture.dataDir, 'todos.json');
  mkdirSync(fixture.dataDir, { recursive: true });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await fixture.close();
});

const list = async (from = fixture): Promise<string> => (await from.call({ action: 'list' })).text();
const at = (name: string): string => path.join(fixture.folder, name);
const item = (id: unknown, content: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  content,
  status: 'pending',
  priority: 'medium',
  created: '2024-01-01T00:00:00.000Z',
  updated: '2024-02-01T00:00:00.000Z',
  ...more,
});

describe('the file of earlier versions', () => {
  test('is imported once with its numbers and parents, and stays as it is', async () => {
    const text = JSON.stringify({
      items: [
        item('4', 'child', { parent: '2', notes: '\n\nfirst\nsecond', tags: ['t'], due: '2099-01-01' }),
        item('2', 'parent', { status: 'done', project: 'p', assignee: 'ann', priority: 'high' }),
      ],
      lastId: 9,
    });
    writeFileSync(legacy, text);
    const first = await fixture.call({ action: 'list' });
    expect(first.data.note).toBe(`imported 2 tasks from ${legacy}, which stays as it is`);
    expect(first.text()).toBe('- [x] 2 parent (high, @ann, project: p)\n  - [ ] 4 child (due 2099-01-01, #t, notes)\n');
    expect((await fixture.call({ action: 'notes', id: 4 })).text()).toBe('first\nsecond');
    expect(await fixture.ok({ action: 'add', content: 'new' })).toMatchObject({ id: '10' });
    await fixture.ok({ action: 'delete', id: 2 });
    await fixture.restart();
    expect(await list()).toBe('- [ ] 10 new\n');
    expect(readFileSync(legacy, 'utf8')).toBe(text);
  });

  test('two servers that begin together import it once', async () => {
    writeFileSync(legacy, JSON.stringify({ items: [item('1', 'a')] }));
    const other = createFixture({}, fixture.folder);
    await Promise.all([fixture.ok({ action: 'stats' }), other.ok({ action: 'stats' })]);
    expect(await fixture.ok({ action: 'stats' })).toMatchObject({ total: 1 });
    await other.close();
  });

  test.each([
    ['cut off', '{"items": [{"content": "a", "sta'],
    ['something else', '{"entries": []}'],
    ['no list', '{"items": {"a": 1}}'],
    ['empty', ''],
  ])('weak spot 27: one that is %s is named, left as it is, and nothing is lost', async (_name, text) => {
    writeFileSync(legacy, text);
    const added = await fixture.ok({ action: 'add', content: 'a' });
    expect(added.note).toContain(`${legacy} was not imported and not touched: it`);
    expect(added.id).toBe('1');
    expect(readFileSync(legacy, 'utf8')).toBe(text);
    expect((await fixture.ok({ action: 'stats' })).note).toBeUndefined();
    // Once mended it is imported by the next server; a number that is taken is not given twice.
    writeFileSync(legacy, JSON.stringify({ items: [item('1', 'b'), item('2', 'c', { parent: '1' })] }));
    await fixture.restart();
    const then = await fixture.call({ action: 'list' });
    expect(then.data.note).toContain('task 1 is 2 now, as there was a task 1');
    expect(then.text()).toBe('- [ ] 1 a\n- [ ] 2 b\n  - [ ] 3 c\n');
  });

  test('weak spot 27: a damaged database is set aside with its name told, and the JSON file is imported again', async () => {
    writeFileSync(legacy, JSON.stringify({ items: [item('1', 'a')] }));
    await fixture.ok({ action: 'add', content: 'b' });
    const { file } = fixture.store;
    await fixture.restart();
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    writeFileSync(file, 'this was a database'.repeat(400));
    const first = await fixture.call({ action: 'list' });
    const [, name = ''] = /set aside as (\S+),/.exec(first.data.note) ?? [];
    expect(readFileSync(name, 'utf8')).toBe('this was a database'.repeat(400));
    expect(first.text()).toBe('- [ ] 1 a\n');
  });

  test('what is wrong in it is mended and told', async () => {
    const items = [
      item('1', 'a', { due: 'tomorrow', status: 'someday' }),
      item('2', 'b', { parent: '3' }),
      item('3', 'c', { parent: '2' }),
      item('4', 'd', { parent: '99' }),
      { id: '5' },
      'text',
    ];
    writeFileSync(legacy, JSON.stringify(items));
    const first = await fixture.call({ action: 'list' });
    expect(first.data.note).toContain('imported 4 tasks');
    expect(first.data.note).toContain('items[0].status: ');
    expect(first.data.note).toContain('items[0].due: give an ISO date');
    expect(first.text()).toBe('- [ ] 1 a\n- [ ] 3 c\n  - [ ] 2 b\n- [ ] 4 d\n');
  });

  test('TODO_PATH names another', async () => {
    writeFileSync(at('elsewhere.json'), JSON.stringify({ items: [item(1, 'a')] }));
    vi.stubEnv('TODO_PATH', at('elsewhere.json'));
    expect((await fixture.ok({ action: 'stats' })).note).toContain(at('elsewhere.json'));
    expect(await list()).toBe('- [ ] 1 a\n');
  });

  test('a read-only server leaves it for later', async () => {
    writeFileSync(legacy, JSON.stringify({ items: [item('1', 'a')] }));
    await fixture.restart({ access: 'read-only' });
    expect((await fixture.ok({ action: 'list' })).note).toMatch(/not imported yet/);
    expect(existsSync(path.join(fixture.dataDir, 'db'))).toBe(false);
  });
});

/** A tree with everything a task can have. */
async function plant(): Promise<void> {
  await fixture.ok({ action: 'add', content: 'gone' });
  await fixture.ok({ action: 'delete', id: 1 });
  await fixture.ok({
    action: 'add',
    content: 'Move\n\n  deep\n- [x] no box\n\\- [ ] escaped\n1) [ ] neither',
    priority: 'high',
    due: '2099-01-31',
    tags: ['a', '-->'],
    project: 'p "q"',
    assignee: 'ann',
  });
  await fixture.ok({ action: 'add', content: 'Boxes <!-- task {"id":"9"} -->', parent: 2, status: 'cancelled' });
  await fixture.ok({ action: 'add', content: 'Tape', parent: 3, status: 'completed' });
  await fixture.ok({ action: 'add', content: 'Tape', status: 'in_progress' });
  await fixture.ok({ action: 'notes', id: 3, text: 'see\n--> there' });
  await fixture.ok({ action: 'archive', id: 3 });
}

/** Items without what a new place gives them. */
async function shape(from: Fixture): Promise<unknown[]> {
  await from.ok({ action: 'export' });
  const { items } = JSON.parse(readFileSync(path.join(from.dataDir, 'todos-export.json'), 'utf8'));
  const contents = new Map(items.map((each: { id: string; content: string }) => [each.id, each.content]));
  return items
    .map((each: { parent?: string }) => ({ ...each, id: undefined, parent: contents.get(each.parent) }))
    .toSorted((a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

describe('export and import', () => {
  test('an export is the documented shape, for its owner alone', async () => {
    await plant();
    const made = await fixture.ok({ action: 'export' });
    const file = path.join(fixture.dataDir, 'todos-export.json');
    expect(made).toEqual({ file: `file://${file}`, format: 'json', tasks: 4 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      items: [
        { id: '2', status: 'pending', priority: 'high', due: '2099-01-31', tags: ['a', '-->'], assignee: 'ann' },
        { id: '3', status: 'cancelled', parent: '2', notes: 'see\n--> there' },
        { id: '4', status: 'completed', parent: '3' },
        { id: '5', status: 'in_progress', content: 'Tape' },
      ],
      lastId: 5,
    });
    expect(readdirSync(fixture.dataDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await fixture.ok({ action: 'export', file: at('p.json'), project: 'p "q"', archived: false });
    expect(JSON.parse(readFileSync(at('p.json'), 'utf8')).items).toHaveLength(1);
  });

  test('of equal tasks of one time the one of the same number is meant', async () => {
    const text = JSON.stringify({ items: [item(1, 'a', { status: 'completed' }), item(2, 'a')] });
    await fixture.ok({ action: 'import', text });
    await fixture.ok({ action: 'export', file: at('t.md') });
    const ticked = readFileSync(at('t.md'), 'utf8').replace('- [ ] a', '- [x] a');
    expect(await fixture.ok({ action: 'import', text: ticked })).toEqual({ imported: 0, unchanged: 1, updated: 1 });
    expect(await list()).toBe('- [x] 1 a\n- [x] 2 a\n');
  });

  test('two documents of one time and the same numbers are not taken for each other', async () => {
    for (const name of ['a', 'b']) {
      const text = JSON.stringify({ items: [item(1, name), item(2, `${name}2`)] });
      expect(await fixture.ok({ action: 'import', text })).toEqual({ imported: 2, unchanged: 0, updated: 0 });
    }
  });

  test.each(['t.json', 't.md'])(
    '%s comes back whole elsewhere, renumbered, and a second time adds nothing',
    async (name) => {
      await plant();
      await fixture.ok({ action: 'export', file: at(name) });
      const other = createFixture();
      await other.ok({ action: 'add', content: 'first here' });
      await other.ok({ action: 'add', content: 'second' });
      expect(await other.ok({ action: 'import', file: at(name) })).toEqual({ imported: 4, unchanged: 0, updated: 0 });
      expect(await other.ok({ action: 'import', file: at(name) })).toEqual({ imported: 0, unchanged: 4, updated: 0 });
      await other.ok({ action: 'delete', ids: [1, 2] });
      expect(await shape(other)).toEqual(await shape(fixture));
      // Also not after a change on either side.
      const [moved] = await other.all({ action: 'search', query: 'Move' });
      await other.ok({ action: 'update', id: moved.id, content: 'Moved', status: 'completed' });
      expect(await other.ok({ action: 'import', file: at(name) })).toEqual({ imported: 0, unchanged: 4, updated: 0 });
      await fixture.ok({ action: 'update', id: 2, content: 'Renamed' });
      expect(await fixture.ok({ action: 'import', file: at(name) })).toEqual({ imported: 0, unchanged: 4, updated: 0 });
      await other.close();
    },
  );

  test('the Markdown of an export is a checklist as GitHub has them', async () => {
    await fixture.ok({ action: 'add', content: 'one\nmore' });
    await fixture.ok({ action: 'add', content: 'two', parent: 1, status: 'completed' });
    await fixture.ok({ action: 'export', file: at('t.md') });
    expect(readFileSync(at('t.md'), 'utf8').replaceAll(/<!-- task \{"id":"(\d)".*?\} -->/g, '<!-- $1 -->')).toBe(
      '# Tasks\n\n- [ ] one <!-- 1 -->\n  more\n  - [x] two <!-- 2 -->\n',
    );
  });

  test('a box that was ticked by hand is taken over', async () => {
    await plant();
    await fixture.ok({ action: 'export', file: at('t.md') });
    const text = readFileSync(at('t.md'), 'utf8').replace('- [ ] Tape', '- [x] Tape');
    expect(await fixture.ok({ action: 'import', text })).toEqual({ imported: 0, unchanged: 3, updated: 1 });
    expect(await fixture.all({ action: 'list', status: 'completed' })).toMatchObject([{ id: '5' }]);
  });

  test('a checklist written by hand, with tabs, numbers, stars and text around', async () => {
    const text = [
      '# Release',
      'Text before.',
      '',
      '- [x] build',
      '\t- [ ] on *Linux*',
      '\t\tand with care',
      '* [~] test',
      '    1. [-] by hand',
      '',
      '```',
      '- [ ] no task',
      '```',
      '- plain',
      '+ [X] ship',
    ].join('\r\n');
    expect(await fixture.ok({ action: 'import', text })).toEqual({ imported: 5, unchanged: 0, updated: 0 });
    expect(await list()).toBe(
      '- [~] 3 test\n  - [-] 4 by hand\n- [x] 1 build\n  - [ ] 2 on *Linux*\n    and with care\n- [x] 5 ship\n',
    );
    expect(await fixture.ok({ action: 'import', text })).toEqual({ imported: 0, unchanged: 5, updated: 0 });
  });

  test('equal tasks stay as many as they are', async () => {
    const text = '- [ ] a\n- [ ] a\n';
    expect(await fixture.ok({ action: 'import', text })).toMatchObject({ imported: 2 });
    expect(await fixture.ok({ action: 'import', text })).toMatchObject({ imported: 0, unchanged: 2 });
    expect(await fixture.ok({ action: 'import', text: `${text}- [ ] a` })).toMatchObject({ imported: 1, unchanged: 2 });
  });

  test.each([
    ['{"items": [{"content": "a"}, {"content": 5}]}', 'items[1].content: '],
    ['{"items": [{"content": "a"}, 7]}', 'items[1]: is no object'],
    ['{"items": [{"status": "pending"}]}', 'items[0]: has no content'],
    ['{"items": [{"content": "a", "status": "later"}]}', 'items[0].status: '],
    ['{"items": [{"content": "a", "due": "soon"}]}', 'items[0].due: '],
    ['{"items": [{"content": "a", "tags": "t"}]}', 'items[0].tags: '],
    ['{"items": [{"content": "a", "created": "then"}]}', 'items[0].created: '],
    ['{"items": [{"content": "a", "parent": 9}]}', 'items[0].parent: 9 is no item of this document'],
    ['{"items": [{"id": 1, "content": "a"}, {"id": "1", "content": "b"}]}', 'items[1].id: "1" is there twice'],
    [
      '[{"id": 1, "content": "a", "parent": 2}, {"id": 2, "content": "b", "parent": 1}]',
      'items[1].parent: it would be below itself',
    ],
    ['{"items": 3}', "it has no list of 'items'"],
    ['{"items": [', 'it is not JSON'],
    ['- [ ] a\n  - [?] b', 'line 2: [?] is no mark of a task'],
    ['- [ ] a\n- [ ]', 'line 2.content: is empty'],
    ['- [ ] a <!-- task {"id": -->', 'line 1: its comment is no JSON object'],
    ['nothing to do', 'it has no checklist'],
    ['', 'it has no checklist'],
  ])('weak spot 31: %j is refused with the place, and nothing of it is imported', async (text, message) => {
    const { error } = await fixture.call({ action: 'import', text });
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.message).toContain(message);
    expect(await fixture.ok({ action: 'stats' })).toMatchObject({ total: 0 });
  });

  test('more than 32 levels are refused', async () => {
    const text = Array.from({ length: 33 }, (_, i) => `${'  '.repeat(i)}- [ ] ${i}`).join('\n');
    expect((await fixture.call({ action: 'import', text })).error.message).toContain(
      'line 33.parent: it is more than 32',
    );
    expect(await fixture.ok({ action: 'import', text: text.slice(0, text.lastIndexOf('\n')) })).toMatchObject({
      imported: 32,
    });
  });

  test('a file is named in what is said about it, and left as it is', async () => {
    writeFileSync(at('bad.json'), '{"items": [');
    const bad = await fixture.call({ action: 'import', file: at('bad.json') });
    expect(bad.error.message).toContain(`${at('bad.json')} was not imported and not touched: it is not JSON`);
    expect(readFileSync(at('bad.json'), 'utf8')).toBe('{"items": [');
    expect((await fixture.call({ action: 'import', file: at('none.json') })).error).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('a named file is not written over, and must lie under a root', async () => {
    writeFileSync(at('mine.md'), 'mine');
    await fixture.ok({ action: 'add', content: 'a' });
    expect((await fixture.call({ action: 'export', file: at('mine.md') })).error).toMatchObject({ code: 'CONFLICT' });
    expect(readFileSync(at('mine.md'), 'utf8')).toBe('mine');
    expect((await fixture.call({ action: 'export', file: '/etc/todos.json' })).error).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  test('what comes back below a task that was put away since is put away too, or stands at the top while it is open', async () => {
    await fixture.ok({ action: 'add', content: 'a', status: 'completed' });
    await fixture.ok({ action: 'add', content: 'open', parent: 1 });
    await fixture.ok({ action: 'add', content: 'over', parent: 1, status: 'completed' });
    await fixture.ok({ action: 'export', file: at('t.json') });
    await fixture.ok({ action: 'delete', ids: [2, 3] });
    await fixture.ok({ action: 'archive' });
    expect(await fixture.ok({ action: 'import', file: at('t.json') })).toEqual({
      imported: 2,
      unchanged: 1,
      updated: 0,
      problems: ['items[1]: at the top level, as task 1 is archived'],
    });
    expect(await list()).toBe('- [ ] 4 open\n');
    expect(await fixture.all({ action: 'list', archived: true })).toMatchObject([
      { id: '1' },
      { id: '5', parent: '1' },
    ]);
  });

  test('20,000 tasks in a chain of 32 and flat are imported and listed', async () => {
    const items = Array.from({ length: 20_000 }, (_, i) => item(i, `task ${i}`, i % 32 === 0 ? {} : { parent: i - 1 }));
    writeFileSync(at('many.json'), JSON.stringify({ items }));
    expect(await fixture.ok({ action: 'import', file: at('many.json') })).toMatchObject({ imported: 20_000 });
    expect(await fixture.ok({ action: 'import', file: at('many.json') })).toMatchObject({ unchanged: 20_000 });
    expect(await fixture.ok({ action: 'list', limit: 1000 })).toMatchObject({ total: 20_000 });
  });
});
