// Every action of tasks, as its callers see it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dueOf } from './due.ts';
import { TABLES } from './tables.ts';
import { createFixture, type Fixture } from './testkit.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.close());

const add = async (content: string, more: Record<string, unknown> = {}): Promise<string> =>
  (await fixture.ok({ action: 'add', content, ...more })).id;
const text = async (args: Record<string, unknown>): Promise<string> => (await fixture.call(args)).text();
const error = async (args: Record<string, unknown>): Promise<unknown> => (await fixture.call(args)).error;
const ids = async (args: Record<string, unknown> = { action: 'list' }): Promise<string[]> =>
  (await fixture.all(args)).map(({ id }) => id as string);

describe('add', () => {
  test('gives the next number and what was made', async () => {
    const made = await fixture.ok({
      action: 'add',
      content: '  Pay the rent ',
      priority: 'high',
      due: '2099-01-31',
      tags: ['home', 'home', 'money'],
      project: 'flat',
      assignee: 'ann',
    });
    expect(made).toEqual({
      id: '1',
      content: 'Pay the rent',
      status: 'pending',
      priority: 'high',
      created: made.created,
      updated: made.created,
      due: '2099-01-31',
      tags: ['home', 'money'],
      project: 'flat',
      assignee: 'ann',
    });
    expect(await add('next')).toBe('2');
    await fixture.ok({ action: 'delete', id: 2 });
    expect(await add('a number is not given twice')).toBe('3');
  });

  test('title and text are other names of content, and done of completed', async () => {
    await fixture.ok({ action: 'add', title: 'a' });
    await fixture.ok({ action: 'create', text: 'b', status: 'done' });
    expect(await text({ action: 'list' })).toBe('- [ ] 1 a\n- [x] 2 b\n');
  });

  test('a subtask is of the project of its parent unless another is named', async () => {
    await add('a', { project: 'p' });
    expect(await fixture.ok({ action: 'add', content: 'b', parent: '1' })).toMatchObject({ project: 'p', parent: '1' });
    expect(await fixture.ok({ action: 'add', content: 'c', parent: '#1', project: 'q' })).toMatchObject({
      project: 'q',
    });
    expect((await fixture.ok({ action: 'add', content: 'd', parent: 1, project: '' })).project).toBeUndefined();
  });

  test('weak spot 31: a parent that is not there is refused', async () => {
    await add('a');
    expect(await error({ action: 'add', content: 'b', parent: 7 })).toMatchObject({
      code: 'NOT_FOUND',
      message: 'there is no task 7; the newest is 1; list shows all',
      param: 'parent',
    });
    expect(await ids()).toEqual(['1']);
  });

  test.each(['tomorrow', '2026-02-30', '2026-13-01', '31.12.2026', '2026-01-01T25:00', ' ', '20260101'])(
    'the due date %j is refused',
    async (due) => {
      expect(await error({ action: 'add', content: 'a', due })).toMatchObject({ code: 'INVALID_PARAMS', param: 'due' });
    },
  );

  test('a time is kept in UTC', async () => {
    expect(await fixture.ok({ action: 'add', content: 'a', due: '2099-01-31T17:00+02:00' })).toMatchObject({
      due: '2099-01-31T15:00:00.000Z',
    });
    expect(await fixture.ok({ action: 'add', content: 'a', due: '2099-01-31 17:00' })).toMatchObject({
      due: '2099-01-31T17:00:00.000Z',
    });
  });

  test('the tree has 32 levels and no more', async () => {
    for (let i = 0; i < 32; i++) await add('a', { parent: i });
    expect(await error({ action: 'add', content: 'a', parent: 32 })).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'below task 32 it would be more than 32 levels deep',
    });
    await add('b');
    await add('c', { parent: 33 });
    expect(await error({ action: 'move', id: 33, parent: 31 })).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await fixture.ok({ action: 'move', id: 33, parent: 30 })).toMatchObject({ moved: 2 });
    expect(await fixture.ok({ action: 'delete', id: 1 })).toMatchObject({ deleted: 34 });
  });
});

describe('weak spot 45: what is wrong or empty', () => {
  test.each([
    [{ action: 'add', content: 5 }, 'content'],
    [{ action: 'add', content: ' \n ' }, 'content'],
    [{ action: 'add', content: 'a\u0000' }, 'content'],
    [{ action: 'add', content: '\ud800' }, 'content'],
    [{ action: 'add', content: 'a'.repeat(2001) }, 'content'],
    [{ action: 'add', content: 'a', priority: 'urgent' }, 'priority'],
    [{ action: 'add', content: 'a', tags: 'one' }, 'tags'],
    [{ action: 'add', content: 'a', project: 'a\nb' }, 'project'],
    [{ action: 'add', content: 'a', color: 'red' }, 'color'],
    [{ action: 'list', limit: 0 }, 'limit'],
    [{ action: 'list', limit: -1 }, 'limit'],
    [{ action: 'list', cursor: '-1' }, 'cursor'],
    [{ action: 'list', cursor: '9' }, 'cursor'],
    [{ action: 'list', sort: 'size' }, 'sort'],
    [{ action: 'update', id: 'one', status: 'done' }, 'id'],
    [{ action: 'update', id: 1 }, 'status'],
    [{ action: 'move', id: 1 }, 'project'],
    [{ action: 'delete' }, 'id'],
    [{ action: 'search', query: '' }, 'query'],
    [{ action: 'import' }, 'file'],
  ])('%j is refused', async (args, param) => {
    await add('there');
    expect(await error(args)).toMatchObject({ code: 'INVALID_PARAMS', param });
  });

  test('an empty text takes a value away, and stands for items without', async () => {
    await add('a', { due: '2099-01-01', project: 'p', assignee: 'ann', tags: ['t'] });
    const then = await fixture.ok({ action: 'update', id: 1, due: '', project: '', assignee: '', tags: [] });
    expect(then).toEqual({
      id: '1',
      content: 'a',
      status: 'pending',
      priority: 'medium',
      created: then.created,
      updated: then.updated,
      changed: true,
    });
    await add('b', { project: 'p', assignee: 'bob' });
    expect(await ids({ action: 'list', project: '' })).toEqual(['1']);
    expect(await ids({ action: 'list', assignee: '' })).toEqual(['1']);
  });
});

describe('list', () => {
  test('in progress first, then pending, completed, cancelled; then by priority, then by number', async () => {
    for (const status of ['cancelled', 'completed', 'pending', 'in_progress']) {
      for (const priority of ['low', 'medium', 'high', 'high']) await add(status, { status, priority });
    }
    const order = [15, 16, 14, 13, 11, 12, 10, 9, 7, 8, 6, 5, 3, 4, 2, 1].map(String);
    expect(await ids()).toEqual(order);
    expect(await ids({ action: 'list', limit: 3 })).toEqual(order);
    expect(await ids({ action: 'list', sort: 'created' })).toEqual(order.map((_, i) => String(i + 1)));
    expect(await ids({ action: 'list', sort: 'status', limit: 4 })).toEqual(
      [13, 14, 15, 16, 9, 10, 11, 12, 5, 6, 7, 8, 1, 2, 3, 4].map(String),
    );
  });

  test('is a checklist with children below their parents', async () => {
    await add('Move house', { project: 'flat', priority: 'high' });
    await add('Boxes', { parent: 1, status: 'completed', tags: ['buy'] });
    await add('Van', { parent: 1, due: '2020-01-31', assignee: 'ann' });
    await add('Licence\nin the drawer\n- [x] 1 no task', { parent: 3, status: 'cancelled' });
    await add('Rest', { status: 'in_progress' });
    expect(await text({ action: 'list' })).toBe(
      [
        '- [~] 5 Rest',
        '- [ ] 1 Move house (high, project: flat)',
        '  - [ ] 3 Van (due 2020-01-31 OVERDUE, @ann, project: flat)',
        '    - [-] 4 Licence (project: flat)',
        '      in the drawer',
        '      \\- [x] 1 no task',
        '  - [x] 2 Boxes (project: flat, #buy)',
        '',
      ].join('\n'),
    );
    expect(await text({ action: 'list', status: 'done' })).toBe('- [x] 2 Boxes (project: flat, #buy, below 1)\n');
    expect(await text({ action: 'list', parent: 1, tag: 'buy' })).toBe('- [x] 2 Boxes (project: flat, #buy)\n');
    expect(await ids({ action: 'list', parent: 0 })).toEqual(['5', '1']);
    expect(await ids({ action: 'list', assignee: 'ann' })).toEqual(['3']);
    expect(await ids({ action: 'list', priority: 'high' })).toEqual(['1']);
    expect(await ids({ action: 'list', sort: 'due', parent: 1 })).toEqual(['3', '2']);
  });

  test('a page ends at the limit, or where the room of the answer ends; pages join to the whole', async () => {
    for (let i = 1; i <= 30; i++) await add(`${i} ${'x'.repeat(100)}`);
    const whole = await text({ action: 'list' });
    expect(await fixture.ok({ action: 'list', limit: 7 })).toMatchObject({
      total: 30,
      count: 7,
      paging: { cursor: '7', more: true, total: 30 },
    });
    let joined = '';
    for (let cursor: string | undefined | null; cursor !== null;) {
      const answer = await fixture.call({ action: 'list', ...(cursor === undefined ? {} : { cursor }) }, 1000);
      joined += answer.text();
      expect(answer.data.count).toBeLessThan(10);
      cursor = answer.data.paging.cursor;
    }
    expect(joined).toBe(whole);
  });
});

describe('changes', () => {
  test('update changes what is given, and says of a parent what is still open below', async () => {
    await add('a');
    await add('b', { parent: 1 });
    await add('c', { parent: 2 });
    expect(await fixture.ok({ action: 'update', id: 1, status: 'completed', content: 'A' })).toMatchObject({
      content: 'A',
      status: 'completed',
      changed: true,
      note: '2 below it are still open',
    });
    expect(await fixture.ok({ action: 'update', id: 1, status: 'completed' })).toMatchObject({ changed: false });
    expect(await error({ action: 'update', id: 9, status: 'done' })).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('batch sets all or none', async () => {
    for (const each of ['a', 'b', 'c']) await add(each);
    expect(await error({ action: 'batch', ids: [1, 9, 2, 8], status: 'completed' })).toMatchObject({
      code: 'NOT_FOUND',
      ids: [9, 8],
    });
    expect(await ids({ action: 'list', status: 'completed' })).toEqual([]);
    await fixture.ok({ action: 'update', id: 2, status: 'completed' });
    expect(await fixture.ok({ action: 'batch', ids: ['1', 2, 1], status: 'done' })).toEqual({
      status: 'completed',
      total: 2,
      changed: 1,
      unchanged: 1,
    });
    expect(await ids({ action: 'list', status: 'completed' })).toEqual(['1', '2']);
  });

  test('prioritize and assign', async () => {
    await add('a');
    expect(await fixture.ok({ action: 'prioritize', id: 1, priority: 'low' })).toMatchObject({ priority: 'low' });
    expect(await fixture.ok({ action: 'assign', id: 1, assignee: 'ann' })).toMatchObject({ assignee: 'ann' });
    expect((await fixture.ok({ action: 'assign', id: 1, assignee: '' })).assignee).toBeUndefined();
  });

  test('weak spot 31: notes begin without a blank line, are appended, and are read in pages', async () => {
    await add('a');
    expect(await fixture.ok({ action: 'notes', id: 1 })).toMatchObject({ length: 0, text: '' });
    await fixture.ok({ action: 'notes', id: 1, text: 'one' });
    expect(await fixture.ok({ action: 'notes', id: 1, text: 'two\nthree' })).toEqual({
      id: '1',
      content: 'a',
      length: 13,
    });
    expect(await text({ action: 'notes', id: 1 })).toBe('one\ntwo\nthree');
    const first = await fixture.call({ action: 'notes', id: 1 }, 5);
    expect(first.text() + (await text({ action: 'notes', id: 1, cursor: first.data.paging.cursor }))).toBe(
      'one\ntwo\nthree',
    );
    for (let i = 0; i < 4; i++) await fixture.ok({ action: 'notes', id: 1, text: 'x'.repeat(20_000) });
    expect(await error({ action: 'notes', id: 1, text: 'x'.repeat(20_000) })).toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

describe('the tree', () => {
  beforeEach(async () => {
    await add('1', { project: 'p' });
    await add('2', { parent: 1 });
    await add('3', { parent: 2 });
    await add('4', { parent: 3 });
    await add('5', { project: 'q' });
  });

  test('move takes the whole subtree to another project', async () => {
    expect(await fixture.ok({ action: 'move', id: 2, project: 'q' })).toMatchObject({
      moved: 3,
      project: 'q',
      parent: '1',
    });
    expect(await ids({ action: 'list', project: 'q' })).toEqual(['2', '3', '4', '5']);
    expect(await ids({ action: 'list', project: 'p' })).toEqual(['1']);
  });

  test('move takes the whole subtree to another parent, and to the top', async () => {
    expect(await fixture.ok({ action: 'move', id: 2, parent: 5 })).toMatchObject({ moved: 3, parent: '5' });
    expect(await text({ action: 'list' })).toBe(
      '- [ ] 1 1 (project: p)\n- [ ] 5 5 (project: q)\n  - [ ] 2 2 (project: p)\n    - [ ] 3 3 (project: p)\n      - [ ] 4 4 (project: p)\n',
    );
    expect((await fixture.ok({ action: 'move', id: 3, parent: 0, project: 'q' })).parent).toBeUndefined();
    expect(await ids({ action: 'list', parent: 0 })).toEqual(['1', '3', '5']);
    expect(await ids({ action: 'list', project: 'q' })).toEqual(['3', '4', '5']);
  });

  test('weak spot 31: nothing comes below itself', async () => {
    for (const action of ['move', 'update']) {
      expect(await error({ action, id: 1, parent: 1 })).toMatchObject({ message: 'task 1 cannot be below itself' });
      expect(await error({ action, id: 1, parent: 4 })).toMatchObject({
        code: 'INVALID_PARAMS',
        message: 'task 1 cannot be below 4, which is below it',
      });
    }
    expect(await ids({ action: 'subtasks', id: 1 })).toEqual(['2', '3', '4']);
  });

  test('weak spot 31: delete takes the whole subtree and says how many', async () => {
    expect(await fixture.ok({ action: 'remove', id: 2 })).toEqual({ id: '2', content: '2', deleted: 3, below: 2 });
    expect(await ids()).toEqual(['1', '5']);
    expect(await fixture.ok({ action: 'delete', ids: [1, 5] })).toEqual({ deleted: 2, below: 0 });
    expect(await error({ action: 'delete', id: 1 })).toMatchObject({
      code: 'NOT_FOUND',
      message: 'there is no task 1; there are none; add makes one',
    });
  });

  test('subtasks gives all below, and how many are done', async () => {
    await fixture.ok({ action: 'batch', ids: [3, 4], status: 'completed' });
    const answer = await fixture.call({ action: 'subtasks', id: 1 });
    expect(answer.data).toMatchObject({ task: { id: '1' }, children: 1, done: 2, total: 3, count: 3 });
    expect(answer.text()).toBe('- [ ] 2 2 (project: p)\n  - [x] 3 3 (project: p)\n    - [x] 4 4 (project: p)\n');
  });

  test('archive puts away what is over and has nothing open below; it is listed when asked for', async () => {
    await fixture.ok({ action: 'batch', ids: [1, 3, 4, 5], status: 'completed' });
    expect(await fixture.ok({ action: 'archive', project: 'p' })).toEqual({
      archived: 2,
      kept: 1,
      note: '1 stay, as something below them is open',
    });
    expect(await ids({ action: 'list', sort: 'created' })).toEqual(['1', '2', '5']);
    expect(await ids({ action: 'list', archived: true })).toEqual(['3', '4']);
    expect(await error({ action: 'add', content: 'x', parent: 3 })).toMatchObject({ code: 'CONFLICT' });
    expect(await error({ action: 'move', id: 5, parent: 3 })).toMatchObject({ code: 'CONFLICT' });
    await fixture.ok({ action: 'update', id: 2, status: 'cancelled' });
    expect(await fixture.ok({ action: 'archive', id: 2 })).toEqual({ archived: 1 });
    expect(await fixture.ok({ action: 'archive' })).toEqual({ archived: 2 });
    expect(await ids()).toEqual([]);
    // What is open again comes back with all above it.
    await fixture.ok({ action: 'update', id: 3, status: 'pending' });
    expect(await ids()).toEqual(['1', '2', '3']);
    expect(await ids({ action: 'list', archived: true })).toEqual(['4', '5']);
    expect(await fixture.ok({ action: 'batch', ids: [4, 5], status: 'pending' })).toMatchObject({ changed: 2 });
    expect(await ids({ action: 'list', archived: true })).toEqual([]);
  });

  test('an archived item that is opened below another place takes those above it out, not those it left', async () => {
    await fixture.ok({ action: 'batch', ids: [1, 2, 3, 4, 5], status: 'completed' });
    await fixture.ok({ action: 'archive' });
    await fixture.ok({ action: 'update', id: 3, status: 'pending', parent: 5 });
    expect(await ids({ action: 'list', sort: 'created' })).toEqual(['5', '3']);
    expect(await ids({ action: 'list', archived: true })).toEqual(['1', '2', '4']);
  });

  test('clear asks first, keeps to its filter, and hangs what stays below what stays', async () => {
    await fixture.ok({ action: 'update', id: 4, project: 'r' });
    await fixture.ok({ action: 'update', id: 2, project: 'r' });
    expect(await error({ action: 'clear', project: 'p' })).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'this would delete 2 of 5 tasks for good; confirm: true does it',
      param: 'confirm',
    });
    expect(await fixture.ok({ action: 'clear', project: 'p', confirm: true })).toEqual({ cleared: 2 });
    expect(await text({ action: 'list' })).toBe(
      '- [ ] 2 2 (project: r)\n  - [ ] 4 4 (project: r)\n- [ ] 5 5 (project: q)\n',
    );
    expect(await fixture.ok({ action: 'clear', status: 'completed', confirm: true })).toEqual({ cleared: 0 });
    expect(await fixture.ok({ action: 'clear', archived: true, confirm: true })).toEqual({ cleared: 0 });
    expect(await fixture.ok({ action: 'clear', confirm: true })).toEqual({ cleared: 3 });
    expect(await fixture.ok({ action: 'list' })).toMatchObject({ total: 0 });
  });
});

test('search finds every word in content, tags, project or assignee, in any case and script', async () => {
  await add('Buy MILK', { tags: ['shop'] });
  await add('Call Zoé', { project: 'Family', assignee: 'ann' });
  await add('我们在东京开会');
  await add('100% done_', { status: 'completed' });
  for (const [query, found] of [
    ['milk', ['1']],
    ['shop buy', ['1']],
    ['zoe family', ['2']],
    ['ANN', ['2']],
    ['东京', ['3']],
    ['%', ['4']],
    ['_', ['4']],
    ['milk ann', []],
  ] as const) {
    expect(await ids({ action: 'search', query })).toEqual(found);
  }
  expect(await ids({ action: 'find', query: 'a', status: 'pending', project: 'Family' })).toEqual(['2']);
});

test('search follows every change, and puts words before their parts', async () => {
  await add('Straßenkarte zeichnen', { priority: 'high' });
  await add('Karte kaufen', { priority: 'low' });
  await add('Kartei ordnen', { tags: ['Büro'] });
  expect(await ids({ action: 'search', query: 'KARTE' })).toEqual(['2', '3', '1']);
  expect(await ids({ action: 'search', query: 'strasse' })).toEqual(['1']);
  await fixture.ok({ action: 'update', id: '2', content: 'Plan kaufen', tags: [] });
  await fixture.ok({ action: 'move', id: '3', project: 'Karten' });
  await fixture.ok({ action: 'assign', id: '2', assignee: 'Zoë' });
  expect(await ids({ action: 'search', query: 'karte' })).toEqual(['3', '1']);
  expect(await ids({ action: 'search', query: 'buro karten' })).toEqual(['3']);
  expect(await ids({ action: 'search', query: 'zoe plan' })).toEqual(['2']);
  const many = Array.from({ length: 40 }, (_, i) => `w${i}x`);
  await add(many.join(' '));
  await add(many.slice(1).join(' '));
  expect(await ids({ action: 'search', query: many.join(' ') })).toEqual(['4']);
});

test('what was written before there was a search column is found', async () => {
  const old = await fixture.store.open({ ...TABLES, migrations: TABLES.migrations.slice(0, 1) });
  await old.write((tx) =>
    tx.run(`INSERT INTO tasks_item (content, status, priority, created, updated, tags, project, notes)
            VALUES ('Zoë anrufen', 'pending', 'low', '2026-01-01', '2026-01-01', '["Büro"]', 'Heim', '')`),
  );
  await fixture.restart();
  for (const query of ['zoe', 'BURO', 'heim']) expect(await ids({ action: 'search', query })).toEqual(['1']);
});

test('a day is over, and what is due on it overdue, when it has passed in UTC; a time when it is there', () => {
  expect(dueOf('2028-02-29')).toEqual({ due: '2028-02-29', dueAt: Date.UTC(2028, 2, 1) });
  expect(dueOf('2028-02-29T23:30-01:00')).toEqual({
    due: '2028-03-01T00:30:00.000Z',
    dueAt: Date.UTC(2028, 2, 1, 0, 30),
  });
});

test('stats counts what is not archived; overdue is what is open and whose day or time has passed', async () => {
  await add('a', { due: '2020-01-01', project: 'p', assignee: 'ann' });
  await add('b', { due: '2020-01-01T10:00Z', project: 'p', status: 'in_progress', priority: 'high' });
  await add('c', { due: '2020-01-01', status: 'completed', project: 'p' });
  await add('d', { due: '2099-01-01', project: '__proto__' });
  await add('e');
  await add('f', { status: 'cancelled' });
  await fixture.ok({ action: 'archive', id: 6 });
  expect(await fixture.ok({ action: 'stats' })).toEqual({
    total: 5,
    status: { pending: 3, in_progress: 1, completed: 1, cancelled: 0 },
    priority: { high: 1, medium: 4, low: 0 },
    overdue: 2,
    archived: 1,
    projects: [
      { project: 'p', open: 2, total: 3 },
      { project: '__proto__', open: 1, total: 1 },
    ],
    assignees: [{ assignee: 'ann', open: 1, total: 1 }],
  });
});

test('a read-only server lists, and writes nothing', async () => {
  await add('a');
  await fixture.restart({ access: 'read-only' });
  expect(await ids()).toEqual(['1']);
  for (const args of [
    { action: 'add', content: 'b' },
    { action: 'delete', id: 1 },
    { action: 'export' },
    { action: 'import', text: '- [ ] b' },
  ]) {
    expect(await error(args)).toMatchObject({ code: 'PERMISSION_DENIED' });
  }
});
