// The todo service as tools on both stores: limits, choices by name, and one organization's items never another's.
import { UnknownTool } from '@hanzo/tool';
import { expect, it } from 'vitest';
import { Problem } from '../../core/problem.ts';
import type { Store } from '../../ports/store.ts';
import { describeStores } from '../../store/testkit.ts';
import { person, recordingAudit, statusOf, testCaller, testClock, testIds } from '../../testing/caller.ts';
import { createTodoApp } from './index.ts';
import { todoMigrations } from './migrations.ts';
import { PRIORITIES, STATUSES } from './service.ts';

const { signal } = new AbortController();

function appOn(store: Store) {
  const audit = recordingAudit();
  const clock = testClock();
  const app = createTodoApp({ store, clock, ids: testIds, audit });
  const [provider] = app.providers;
  if (provider === undefined) throw new Error('no provider');
  const call = testCaller(app.ops);
  return {
    audit,
    clock,
    provider,
    board: async (org: string, name: string) =>
      ((await call(person(org), 'post_todo_boards', { body: { name } })) as { id: string }).id,
    boardStatus: (org: string, name: string) => statusOf(call(person(org), 'post_todo_boards', { body: { name } })),
    // tools answer JSON objects
    run: async (org: string, name: string, args: Record<string, unknown> = {}) =>
      (await provider.dispatch(person(org), `todo_${name}`, args, { signal })) as {
        item: Record<string, unknown>;
        items: Record<string, unknown>[];
        total: number;
        boards: { name: string }[];
      },
  };
}

describeStores('todo', ({ open }) => {
  it('offers four tools and none that deletes, and nothing without an organization', async () => {
    const at = appOn(await open(todoMigrations));
    const offers = await at.provider.list({ org: 'acme', project: '' }, { signal });
    expect(offers.map(({ name, source }) => `${source} ${name}`)).toStrictEqual([
      'zap-service todo_boards',
      'zap-service todo_list',
      'zap-service todo_create',
      'zap-service todo_update',
    ]);
    for (const { inputSchema } of offers) expect(inputSchema).toMatchObject({ additionalProperties: false });
    const properties = offers[2]?.inputSchema?.['properties'] as Record<string, { enum: readonly string[] }>;
    expect(properties['status']?.enum).toStrictEqual([...STATUSES]);
    expect(properties['priority']?.enum).toStrictEqual([...PRIORITIES]);
    expect(await at.provider.list({ org: '', project: '' }, { signal })).toStrictEqual([]);
    await expect(at.run('', 'boards')).rejects.toThrow(UnknownTool);
    await expect(at.run('acme', 'delete')).rejects.toThrow(UnknownTool);
  });

  it('takes the one board there is, and names the choices where there are more', async () => {
    const at = appOn(await open(todoMigrations));
    await expect(at.run('acme', 'create', { title: 'x' })).rejects.toThrow('There is no board yet');
    const home = await at.board('acme', 'Home');
    expect((await at.run('acme', 'create', { title: ' Milk ' })).item).toMatchObject({
      board: home,
      title: 'Milk',
      notes: '',
      status: 'open',
      priority: 'medium',
      source: 'agent',
      user: 'acme-user',
    });
    const work = await at.board('acme', 'Work');
    await expect(at.run('acme', 'create', { title: 'x' })).rejects.toThrow("'board' must be one of 'Home', 'Work'.");
    await expect(at.run('acme', 'create', { title: 'x', board: 'Away' })).rejects.toThrow(
      "the boards are 'Home', 'Work'",
    );
    expect((await at.run('acme', 'create', { title: 'x', board: 'Work' })).item).toMatchObject({ board: work });
    expect((await at.run('acme', 'create', { title: 'x', board: work })).item).toMatchObject({ board: work });
    expect(await at.boardStatus('acme', 'Work')).toBe(409);
    expect((await at.run('acme', 'boards')).boards.map(({ name }) => name)).toStrictEqual(['Home', 'Work']);
    expect(at.audit.entries.map(({ action }) => action)).toStrictEqual(['todo.board.create', 'todo.board.create']);
  });

  it('lists 50 unless asked for up to 200, newest first, and says how many there are', async () => {
    const at = appOn(await open(todoMigrations));
    await at.board('acme', 'Home');
    for (let n = 0; n < 55; n++) {
      await at.run('acme', 'create', { title: `t${n}`, ...(n % 5 === 0 ? { status: 'done' } : {}) });
      at.clock.advance(1000);
    }
    const first = await at.run('acme', 'list');
    expect([first.items.length, first.total, first.items[0]?.['title']]).toStrictEqual([50, 55, 't54']);
    expect((await at.run('acme', 'list', { limit: 200 })).items).toHaveLength(55);
    expect(await at.run('acme', 'list', { status: 'done', limit: 1 })).toMatchObject({
      total: 11,
      items: [{ title: 't50' }],
    });
    for (const args of [{ limit: 0 }, { limit: 201 }, { status: 'finished' }, { org: 'acme' }]) {
      expect([args, await statusOf(at.run('acme', 'list', args))]).toStrictEqual([args, 400]);
    }
  });

  it('changes an item, of the caller’s own organization only', async () => {
    const at = appOn(await open(todoMigrations));
    await at.board('acme', 'Home');
    await at.board('rival', 'Home');
    const id = (await at.run('acme', 'create', { title: 'Milk' })).item['id'];
    at.clock.advance(5000);
    const changed = (await at.run('acme', 'update', { id, status: 'done', priority: 'high' })).item;
    expect(changed).toMatchObject({ id, title: 'Milk', status: 'done', priority: 'high', updatedAt: 1_790_000_005 });
    await expect(at.run('rival', 'update', { id, title: 'taken' })).rejects.toThrow(Problem);
    expect(await statusOf(at.run('rival', 'update', { id, title: 'taken' }))).toBe(404);
    expect(await statusOf(at.run('rival', 'update', { id, title: 'taken', org: 'acme' }))).toBe(400);
    expect((await at.run('rival', 'list')).items).toStrictEqual([]);
    expect((await at.run('acme', 'list')).items).toMatchObject([{ title: 'Milk' }]);
  });
});
