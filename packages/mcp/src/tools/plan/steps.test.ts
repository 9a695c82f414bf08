// The steps of a plan: update, next, add_step, remove_step, with exact values, on a real store.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFixture, type Fixture } from './testkit.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.close());

const STEPS = [
  { description: 'Write the form', estimate: '2h', tools: ['fs', 'exec'] },
  { description: 'Call the bank', dependencies: ['1'], assignee: 'ann', estimate: '1 day' },
  { description: 'Write the mail', dependencies: [1] },
  { description: 'Release', dependencies: ['2', '3'] },
];

const create = (more: Record<string, unknown> = {}): Promise<{ id: string }> =>
  fixture.ok({ action: 'create', name: 'Checkout', goal: 'Customers can pay', steps: STEPS, ...more });
const update = (stepId: unknown, status: string, more: Record<string, unknown> = {}): ReturnType<Fixture['ok']> =>
  fixture.ok({ action: 'update', id: 'latest', stepId, status, ...more });
const dependencies = async (id: string): Promise<Record<string, string[]>> => {
  const { steps } = await fixture.ok({ action: 'get', id, limit: 1000 });
  return Object.fromEntries(
    (steps as { id: string; dependencies?: string[] }[]).map((each) => [each.id, each.dependencies ?? []]),
  );
};
const nextIds = async (id = 'latest'): Promise<string[]> =>
  ((await fixture.ok({ action: 'next', id })).next as { id: string }[]).map((each) => each.id);

describe('update and next', () => {
  test('next is right after every change, and update says what it unlocked', async () => {
    await create();
    expect(await nextIds()).toEqual(['1.1']);
    expect(await update('1.1', 'completed')).toEqual({
      id: '1',
      stepId: '1.1',
      status: 'completed',
      plan: 'active',
      progress: { done: 1, total: 4, percent: 25 },
      unlocked: [
        { id: '1.2', description: 'Call the bank' },
        { id: '1.3', description: 'Write the mail' },
      ],
      next: { id: '1.2', description: 'Call the bank' },
    });
    expect(await nextIds()).toEqual(['1.2', '1.3']);
    expect((await update('1.2', 'in_progress')).unlocked).toEqual([]);
    expect(await nextIds()).toEqual(['1.3']);
    expect(await update('1.3', 'completed')).toMatchObject({ unlocked: [], next: null });
    expect(await fixture.ok({ action: 'next' })).toMatchObject({
      next: [],
      inProgress: ['1.2'],
      note: 'no step can begin: 1 in progress, 1 waiting for others',
    });
    // Taken back, and over again.
    await update('1.1', 'pending');
    expect(await nextIds()).toEqual(['1.1']);
    await update('1.1', 'completed');
    expect((await update('1.2', 'completed')).unlocked).toEqual([{ id: '1.4', description: 'Release' }]);
    expect(await update('1.4', 'completed')).toMatchObject({ plan: 'completed', progress: { percent: 100 } });
    expect((await fixture.ok({ action: 'next', id: 1 })).note).toBe('every step is completed or skipped');
  });

  test('weak spot 30: a skipped step counts as over for those that depend on it', async () => {
    await create();
    expect((await update('1.1', 'skipped')).unlocked).toHaveLength(2);
    await update('1.2', 'skipped');
    expect((await update('1.3', 'completed')).unlocked).toEqual([{ id: '1.4', description: 'Release' }]);
    expect((await update('1.4', 'skipped')).plan).toBe('completed');
  });

  test('an output stays until another is given, also an empty one', async () => {
    await create();
    const output = async (): Promise<string> => (await fixture.call({ action: 'get', id: 1, stepId: 1 })).text;
    await update(1, 'in_progress', { output: 'half' });
    await update(1, 'completed');
    expect(await output()).toBe('half');
    await update(1, 'completed', { output: '' });
    expect(await output()).toBe('');
  });

  test('other fields change too; what would be a cycle or no step is refused and changes nothing', async () => {
    await create();
    const changes = { description: 'Form', estimate: '3h', assignee: 'bob', dependencies: [3] };
    expect(await fixture.refused({ action: 'update', id: 1, stepId: 1, ...changes })).toBe(
      'INVALID_PARAMS 1.1 -> 1.3 -> 1.1 is a cycle: none of them could begin. Leave one of these dependencies out',
    );
    expect(await fixture.refused({ action: 'update', id: 1, stepId: 2, dependencies: ['7'] })).toMatch(
      /^INVALID_PARAMS step 1\.2 depends on '1\.7', which is no step of plan 1/,
    );
    expect(await dependencies('1')).toEqual({ '1.1': [], '1.2': ['1.1'], '1.3': ['1.1'], '1.4': ['1.2', '1.3'] });
    await fixture.ok({ action: 'update', id: 1, stepId: 3, ...changes, dependencies: [] });
    expect((await fixture.ok({ action: 'get', id: 1 })).steps[2]).toEqual({
      id: '1.3',
      description: 'Form',
      status: 'pending',
      estimate: '3h',
      assignee: 'bob',
    });
    expect(await nextIds()).toEqual(['1.1', '1.3']);
  });

  test('a step that begins before its time is kept, and it is said', async () => {
    await create();
    expect((await update('1.4', 'in_progress')).note).toBe('1.4 depends on 1.2, 1.3, not over yet');
    expect((await update('1.4', 'blocked')).note).toBeUndefined();
  });

  test('a step that is not there, a plan that is put away, a status that is none are refused', async () => {
    await create();
    expect(await fixture.refused({ action: 'update', id: 1, stepId: '1.9', status: 'completed' })).toBe(
      "NOT_FOUND plan 1 has no step '1.9'; it has 1.1, 1.2, 1.3, 1.4",
    );
    // As a number it would be 1.1.
    const { error } = await fixture.call({ action: 'update', id: 1, stepId: 1.1, status: 'completed' });
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', param: 'stepId', expected: 'string', actual: 'number' });
    expect(await fixture.refused({ action: 'update', id: 1, stepId: 1 })).toMatch(
      /^INVALID_PARAMS step 1\.1: give 'status'/,
    );
    expect(await fixture.refused({ action: 'update', id: 1, stepId: 1, status: 'done' })).toMatch(/^INVALID_PARAMS/);
    await fixture.ok({ action: 'cancel', id: 1 });
    expect((await fixture.ok({ action: 'next' })).note).toBe('plan 1 is cancelled; clone it to go on with a copy');
    for (const action of ['update', 'remove_step']) {
      const status = action === 'update' ? { status: 'completed' } : {};
      expect(await fixture.refused({ action, id: 1, stepId: 1, ...status })).toBe(
        'CONFLICT plan 1 is cancelled; clone it to go on with a copy',
      );
    }
  });
});

describe('add_step and remove_step', () => {
  test('a step comes at the end or after the one that is named, with an estimate; text is another name of it', async () => {
    await create();
    expect(
      await fixture.ok({
        action: 'add_step',
        id: 1,
        description: 'Test',
        dependencies: ['4'],
        after: 1,
        estimate: '30m',
      }),
    ).toEqual({
      id: '1',
      stepId: '1.5',
      place: 2,
      plan: 'active',
      progress: { done: 0, total: 5, percent: 0 },
      unlocked: [],
      next: { id: '1.1', description: 'Write the form' },
    });
    expect(await fixture.ok({ action: 'add_step', id: 1, description: 'Party', text: '3h' })).toMatchObject({
      stepId: '1.6',
      place: 6,
      unlocked: [{ id: '1.6', description: 'Party' }],
    });
    const { steps } = await fixture.ok({ action: 'get', id: 1 });
    expect(steps.map((each: { id: string; estimate?: string }) => [each.id, each.estimate])).toEqual([
      ['1.1', '2h'],
      ['1.5', '30m'],
      ['1.2', '1 day'],
      ['1.3', undefined],
      ['1.4', undefined],
      ['1.6', '3h'],
    ]);
    const both = { action: 'add_step', id: 1, description: 'x', text: '1h', estimate: '2h' };
    expect(await fixture.refused(both)).toMatch(/^INVALID_PARAMS 'text' is another name of 'estimate'/);
    expect(await fixture.refused({ action: 'update', id: 1, stepId: 1, text: 'x' })).toMatch(
      /^INVALID_PARAMS plan update takes no 'text'/,
    );
    expect(await fixture.refused({ action: 'add_step', id: 1, description: 'x', after: '1.9' })).toMatch(/^NOT_FOUND/);
    expect(await fixture.refused({ action: 'add_step', id: 1, description: 'x', dependencies: [9] })).toMatch(
      /^INVALID_PARAMS step 1\.7 depends on '1\.9'/,
    );
    expect(await fixture.refused({ action: 'add_step', id: 1, description: 'x', dependencies: [7] })).toBe(
      'INVALID_PARAMS step 1.7 would depend on itself',
    );
  });

  test('weak spot 30: the first step of an empty plan has a number, and no number comes twice', async () => {
    await create({ steps: [] });
    const add = async (): Promise<string> =>
      (await fixture.ok({ action: 'add_step', id: 1, description: 'x' })).stepId as string;
    expect([await add(), await add()]).toEqual(['1.1', '1.2']);
    await fixture.ok({ action: 'remove_step', id: 1, stepId: '1.2' });
    await fixture.ok({ action: 'remove_step', id: 1, stepId: '1.1' });
    expect(await add()).toBe('1.3');
  });

  test('a step that is removed leaves the dependencies of others, which are named and may be unlocked', async () => {
    await create();
    expect(await fixture.ok({ action: 'remove_step', id: 1, stepId: 1 })).toEqual({
      id: '1',
      removed: { id: '1.1', description: 'Write the form', status: 'pending' },
      noLongerDependOnIt: ['1.2', '1.3'],
      plan: 'active',
      progress: { done: 0, total: 3, percent: 0 },
      unlocked: [
        { id: '1.2', description: 'Call the bank' },
        { id: '1.3', description: 'Write the mail' },
      ],
      next: { id: '1.2', description: 'Call the bank' },
    });
    expect(await dependencies('1')).toEqual({ '1.2': [], '1.3': [], '1.4': ['1.2', '1.3'] });
  });

  test('a new step opens a completed plan again, the removal of the last open one completes it', async () => {
    await create({ steps: ['only'] });
    expect((await update(1, 'completed')).plan).toBe('completed');
    expect((await fixture.ok({ action: 'add_step', id: 1, description: 'more' })).plan).toBe('active');
    expect((await fixture.ok({ action: 'remove_step', id: 1, stepId: 2 })).plan).toBe('completed');
  });

  test('a plan has 1000 steps at most', async () => {
    await create({ steps: Array.from({ length: 1000 }, (_, i) => `step ${i}`) });
    expect(await fixture.refused({ action: 'add_step', id: 1, description: 'x' })).toMatch(/^CONFLICT .* 1000 steps/);
  });
});
