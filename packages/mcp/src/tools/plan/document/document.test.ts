// The documented JSON file of plans: imported once and mended where it has to be, never touched; what is damaged is named.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFixture, type Fixture } from '../testkit.ts';

let fixture: Fixture;
let legacy: string;
beforeEach(() => {
  fixture = createFixture();
  legacy = path.join(fixture.dataDir, 'plans.json');
  mkdirSync(fixture.dataDir, { recursive: true });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await fixture.close();
});

const step = (
  id: string,
  dependencies: unknown[] = [],
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  id,
  description: `step ${id}`,
  status: 'pending',
  dependencies,
  ...more,
});
const planOf = (id: string, steps: unknown, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  name: `Plan ${id}`,
  goal: `goal ${id}`,
  steps,
  status: 'active',
  created: '2024-01-01T00:00:00.000Z',
  updated: '2024-02-01T00:00:00.000Z',
  ...more,
});
const get = (id: string): ReturnType<Fixture['ok']> => fixture.ok({ action: 'get', id });
const edges = async (id: string): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    ((await get(id)).steps as { id: string; dependencies?: string[] }[]).map((each) => [
      each.id,
      each.dependencies ?? [],
    ]),
  );

test('the file of earlier versions is imported once, and stays as it is', async () => {
  const steps = [
    step('2.1', [], { status: 'completed', output: 'made', tools: ['fs'], estimate: '2h', assignee: 'ann' }),
    step('2.4', ['2.1']),
  ];
  const plans = [
    planOf('2', steps, { tags: ['old'], notes: 'one note' }),
    planOf('5', [], { status: 'archived', notes: ['a', 'b'] }),
  ];
  const text = JSON.stringify({ plans, lastId: 7 });
  writeFileSync(legacy, text);
  expect((await fixture.ok({ action: 'list' })).note).toBe(`imported 2 plans from ${legacy}, which stays as it is`);
  expect(await get('2')).toEqual({
    id: '2',
    name: 'Plan 2',
    status: 'active',
    tags: ['old'],
    created: '2024-01-01T00:00:00.000Z',
    updated: '2024-02-01T00:00:00.000Z',
    goal: 'goal 2',
    progress: { done: 1, total: 2, percent: 50 },
    steps: [
      {
        id: '2.1',
        description: 'step 2.1',
        status: 'completed',
        tools: ['fs'],
        estimate: '2h',
        assignee: 'ann',
        output: 'made',
      },
      { id: '2.4', description: 'step 2.4', status: 'pending', dependencies: ['2.1'] },
    ],
    paging: { cursor: null, more: false, total: 2 },
  });
  expect((await get('5')).status).toBe('archived');
  expect((await fixture.call({ action: 'notes', id: 2 })).text).toBe('2024-02-01T00:00:00.000Z\none note\n');
  expect((await fixture.ok({ action: 'notes', id: 5 })).total).toBe(2);
  expect((await fixture.ok({ action: 'add_step', id: 2, description: 'x' })).stepId).toBe('2.5');
  expect((await fixture.ok({ action: 'create', name: 'n', goal: 'g', steps: [] })).id).toBe('8');

  await fixture.ok({ action: 'clear', id: 2, confirm: true });
  await fixture.restart();
  const again = await fixture.ok({ action: 'list' });
  expect([again.total, again.note]).toEqual([2, undefined]);
  expect(readFileSync(legacy, 'utf8')).toBe(text);
});

test('weak spot 30: what earlier versions broke is mended, and said', async () => {
  const plans = [
    // A clone with the dependencies of the old plan.
    planOf('4', [step('4.1'), step('4.2', ['1.1']), step('4.3', ['1.2', '4.2'])]),
    // The first step of an empty plan.
    planOf('6', [step('6.NaN'), step('6.1', ['6.NaN']), step('6.1', [])]),
    planOf('7', [step('7.1', ['7.3']), step('7.2', ['7.1', '9.9']), step('7.3', [2])]),
    planOf('8', [step('8.1', [], { status: 'done' }), step('8.2', [], { status: 'whatever' }), { id: '8.3' }, 'text']),
  ];
  writeFileSync(legacy, JSON.stringify({ plans, lastId: 8 }));
  const { note } = await fixture.ok({ action: 'list' });
  expect(note).toBe(
    `imported 4 plans from ${legacy}, which stays as it is (${[
      "plan 7: its step 2 depended on '9.9', which is no step of it",
      'plan 7: its steps 1 -> 3 -> 2 -> 1 were a cycle; 2 no longer depends on 1',
      'plan 8: its step at 2 has no description and was left out',
      'plan 8: its step 2 had an unknown status and is pending',
    ].join('; ')})`,
  );
  expect(await edges('4')).toEqual({ '4.1': [], '4.2': ['4.1'], '4.3': ['4.2'] });
  expect(await edges('6')).toEqual({ '6.2': [], '6.1': ['6.2'], '6.3': [] });
  expect(await edges('7')).toEqual({ '7.1': ['7.3'], '7.2': [], '7.3': ['7.2'] });
  expect((await get('8')).steps.map((each: { status: string }) => each.status)).toEqual([
    'completed',
    'pending',
    'pending',
  ]);
});

test('plans that are no plans are left out and named, the rest is taken; ids that are no numbers get one', async () => {
  const plans = [42, { id: '1' }, planOf('2', 'none'), planOf('2', []), planOf('2', []), planOf('x-1', [])];
  writeFileSync(legacy, JSON.stringify({ plans }));
  const { note, total } = await fixture.ok({ action: 'list' });
  expect(total).toBe(3);
  expect(note).toContain(
    '(plan 2 is 3 now, as there was a plan 2; plan at 0 has no name and was left out; plan 1 has no name and was left out; plan 2 has no list of steps and was left out)',
  );
});

test('lastId holds where there are no plans', async () => {
  writeFileSync(legacy, JSON.stringify({ plans: [], lastId: 3 }));
  expect((await fixture.ok({ action: 'create', name: 'n', goal: 'g', steps: [] })).id).toBe('4');
});

test('two servers that begin together import it once', async () => {
  writeFileSync(legacy, JSON.stringify({ plans: [planOf('1', [])] }));
  const other = createFixture({}, fixture.folder);
  await Promise.all([fixture.ok({ action: 'list' }), other.ok({ action: 'list' })]);
  expect((await fixture.ok({ action: 'list' })).total).toBe(1);
  await other.close();
});

test.each([
  ['cut off', '{"plans": [{"id": "1", "na'],
  ['something else', '{"todos": []}'],
  ['an object in place of a list', '{"plans": {"1": {}}}'],
  ['empty', ''],
])('weak spot 27: one that is %s is named, left as it is, and nothing is lost', async (_name, text) => {
  writeFileSync(legacy, text);
  const made = await fixture.ok({ action: 'create', name: 'n', goal: 'g', steps: ['a'] });
  expect(made.note).toMatch(/was not imported and not touched: it .*; mend it, and the next start imports it$/);
  expect(made.note.startsWith(legacy)).toBe(true);
  expect(readFileSync(legacy, 'utf8')).toBe(text);
  expect((await fixture.ok({ action: 'list' })).note).toBeUndefined();
  // Once mended it is imported by the next server, beside what was made meanwhile.
  writeFileSync(legacy, JSON.stringify({ plans: [planOf('1', [step('1.1'), step('1.2', ['1.1'])])] }));
  await fixture.restart();
  expect((await fixture.ok({ action: 'list' })).note).toContain('(plan 1 is 2 now, as there was a plan 1)');
  expect((await get('1')).name).toBe('n');
  expect(await edges('2')).toEqual({ '2.1': [], '2.2': ['2.1'] });
});

test('weak spot 27: a damaged database is set aside with its name told, and the file is imported again', async () => {
  writeFileSync(legacy, JSON.stringify({ plans: [planOf('1', [])] }));
  await fixture.ok({ action: 'create', name: 'n', goal: 'g', steps: [] });
  const { file } = fixture.store;
  await fixture.restart();
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  writeFileSync(file, 'this was a database'.repeat(400));
  const { note, total } = await fixture.ok({ action: 'list' });
  const [, name = ''] = /set aside as (\S+),/.exec(note as string) ?? [];
  expect(readFileSync(name, 'utf8')).toBe('this was a database'.repeat(400));
  expect(total).toBe(1);
});

test('PLAN_PATH names another', async () => {
  const file = path.join(fixture.folder, 'elsewhere.json');
  writeFileSync(file, JSON.stringify([planOf('3', [])]));
  vi.stubEnv('PLAN_PATH', file);
  expect((await fixture.ok({ action: 'list' })).note).toContain(file);
  expect((await get('3')).name).toBe('Plan 3');
});

test('a read-only server leaves it for later', async () => {
  writeFileSync(legacy, JSON.stringify({ plans: [planOf('1', [])] }));
  await fixture.restart({ access: 'read-only' });
  expect((await fixture.ok({ action: 'list' })).note).toMatch(/not imported yet/);
  expect(existsSync(path.join(fixture.dataDir, 'db'))).toBe(false);
});

test('300 steps that all depend on all are taken in bounded time, without a cycle', async () => {
  const all = Array.from({ length: 300 }, (_, i) => `1.${i + 1}`);
  writeFileSync(
    legacy,
    JSON.stringify({
      plans: [
        planOf(
          '1',
          all.map((id) => step(id, all)),
        ),
      ],
    }),
  );
  expect((await fixture.ok({ action: 'list' })).note).toContain('imported 1 plan from');
  expect((await fixture.ok({ action: 'visualize', id: 1 })).cyclic).toBeUndefined();
});
