// The actions of plan on whole plans, with exact values, on a real store; those on steps are in steps.test.ts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plan } from './index.ts';
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
describe('create', () => {
  test('numbers plans N and steps N.i, and says what can begin', async () => {
    expect(await create()).toEqual({ id: '1', name: 'Checkout', status: 'active', steps: 4, next: ['1.1'] });
    expect((await create()).id).toBe('2');
    expect(await dependencies('2')).toEqual({ '2.1': [], '2.2': ['2.1'], '2.3': ['2.1'], '2.4': ['2.2', '2.3'] });
  });

  test('takes a text for a step, later steps as dependencies, and an empty list', async () => {
    const made = await create({ steps: ['one', { description: 'two', dependencies: [3, '3', '1.3'] }, 'three'] });
    expect(made).toMatchObject({ steps: 3, next: ['1.1', '1.3'] });
    expect(await dependencies('1')).toEqual({ '1.1': [], '1.2': ['1.3'], '1.3': [] });
    expect(await create({ steps: [] })).toMatchObject({ id: '2', steps: 0, next: [] });
  });

  test('weak spot 30: a cycle is refused by its path, a dependency that is no step by its name, and nothing is kept', async () => {
    const cycle = [
      { description: 'a', dependencies: [3] },
      { description: 'b', dependencies: [1] },
      { description: 'c', dependencies: [2] },
    ];
    const { error } = await fixture.call({ action: 'create', name: 'n', goal: 'g', steps: cycle });
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', cycle: ['1.1', '1.3', '1.2', '1.1'] });
    expect(error.message).toContain('1.1 -> 1.3 -> 1.2 -> 1.1 is a cycle');
    for (const [given, step] of [
      ['9', '1.9'],
      ['0', '1.0'],
      ['-1', '-1'],
      ['2.1', '2.1'],
      ['b', 'b'],
      ['__proto__', '__proto__'],
    ]) {
      const steps = ['a', { description: 'b', dependencies: [given] }];
      expect(await fixture.refused({ action: 'create', name: 'n', goal: 'g', steps })).toBe(
        `INVALID_PARAMS step 1.2 depends on '${step}', which is no step of plan 1; it has 1.1`,
      );
    }
    const itself = [{ description: 'a', dependencies: [1] }];
    expect(await fixture.refused({ action: 'create', name: 'n', goal: 'g', steps: itself })).toBe(
      'INVALID_PARAMS step 1.1 would depend on itself',
    );
    expect((await fixture.ok({ action: 'list' })).total).toBe(0);
    expect((await create()).id).toBe('1');
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ goal: '  ' }, 'goal'],
    [{ steps: 'one' }, 'steps'],
    [{ steps: [{ dependencies: [] }] }, 'steps.0.description'],
    [{ steps: ['a', { description: 'b', deps: [] }] }, 'steps.1'],
    [{ steps: [{ description: 'a', dependencies: [{}] }] }, 'steps.0.dependencies.0'],
    [{ steps: Array.from({ length: 1001 }, () => 'x') }, 'steps'],
    [{ status: 'active' }, 'status'],
  ])('weak spot 45: %j is refused', async (wrong, param) => {
    const { error } = await fixture.call({ action: 'create', name: 'n', goal: 'g', steps: [], ...wrong });
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', param });
  });
});

describe('show and get', () => {
  test('show is a Markdown checklist with the state of every step', async () => {
    await create();
    await update('1.1', 'completed', { output: 'form.html\nand its style' });
    await update(2, 'in_progress');
    await update('1.3', 'skipped');
    await update('1.4', 'blocked');
    const { data, text } = await fixture.call({ action: 'show' });
    expect(text).toBe(
      [
        '# Checkout (plan 1, active)',
        '',
        'Customers can pay',
        '',
        '██████████░░░░░░░░░░ 50% (2 of 4)',
        '',
        '- [x] 1.1 Write the form (2h; tools: fs, exec)',
        '  - output: form.html and its style',
        '- [~] 1.2 Call the bank (after 1.1; 1 day; @ann)',
        '- [-] 1.3 Write the mail (after 1.1)',
        '- [!] 1.4 Release (after 1.2, 1.3)',
        '',
      ].join('\n'),
    );
    expect(data).toMatchObject({ id: '1', name: 'Checkout', progress: { done: 2, total: 4, percent: 50 } });
  });

  test('get is the same as data, and with stepId one step with its output as it was given', async () => {
    await create({ tags: ['shop'] });
    const output = 'line one\n\n  line two ';
    await update('1.1', 'completed', { output });
    expect(await fixture.ok({ action: 'get', id: 1 })).toMatchObject({
      id: '1',
      name: 'Checkout',
      goal: 'Customers can pay',
      status: 'active',
      tags: ['shop'],
      steps: [
        {
          id: '1.1',
          description: 'Write the form',
          status: 'completed',
          tools: ['fs', 'exec'],
          estimate: '2h',
          output: 'line one line two',
        },
        { id: '1.2', description: 'Call the bank', status: 'pending', dependencies: ['1.1'], assignee: 'ann' },
        { id: '1.3' },
        { id: '1.4' },
      ],
    });
    const one = await fixture.call({ action: 'get', stepId: 1 });
    expect(one.text).toBe(output);
    expect(one.data).toMatchObject({ id: '1.1', status: 'completed' });
    await fixture.restart({ jsonOnly: true });
    expect((await fixture.ok({ action: 'get', stepId: '1.1' })).output).toBe(output);
    expect((await fixture.ok({ action: 'show' })).text).toContain('- [x] 1.1 Write the form');
  });

  test('an id is a number, latest, or a name that one plan has', async () => {
    expect(await fixture.refused({ action: 'show' })).toBe('NOT_FOUND there are no plans; create makes one');
    await create();
    await create({ name: 'Search' });
    await create({ name: 'Search' });
    expect((await fixture.ok({ action: 'show', id: 'Checkout' })).id).toBe('1');
    expect(await fixture.refused({ action: 'show', id: 'Search' })).toBe(
      "INVALID_PARAMS several plans are called 'Search'; give one of their ids",
    );
    expect(await fixture.refused({ action: 'show', id: 'Chekout' })).toBe(
      "NOT_FOUND there is no plan 'Chekout'; did you mean 'Checkout'?",
    );
    expect(await fixture.refused({ action: 'show', id: '9' })).toBe(
      "NOT_FOUND there is no plan '9'; the newest is 3 'Search'",
    );
    // The newest that is active; when none is, the newest.
    expect((await fixture.ok({ action: 'progress' })).id).toBe('3');
    await fixture.ok({ action: 'cancel', id: 3 });
    expect((await fixture.ok({ action: 'progress', id: 'latest' })).id).toBe('2');
    await fixture.ok({ action: 'archive', id: 2 });
    await fixture.ok({ action: 'cancel', id: 1 });
    expect((await fixture.ok({ action: 'progress' })).id).toBe('3');
  });
});

describe('estimate, progress, visualize', () => {
  test('estimates are added up, of all and of what is left', async () => {
    await create();
    await fixture.ok({ action: 'add_step', id: 1, description: 'a', estimate: '1h 45m' });
    await fixture.ok({ action: 'add_step', id: 1, description: 'b', estimate: 'not long' });
    await update('1.1', 'completed');
    expect(await fixture.ok({ action: 'estimate', id: 1 })).toEqual({
      id: '1',
      name: 'Checkout',
      plan: 'active',
      progress: { done: 1, total: 6, percent: 16 },
      counts: { pending: 5, in_progress: 0, completed: 1, blocked: 0, skipped: 0 },
      total: { steps: 6, work: '1 day 3 hours 45 minutes', unestimated: 2, others: ['not long'] },
      remaining: { steps: 5, work: '1 day 1 hour 45 minutes', unestimated: 2, others: ['not long'] },
      levels: 3,
    });
  });

  test('the bar has 20 cells, and is full only when all is done', async () => {
    await create({ steps: Array.from({ length: 150 }, (_, i) => `step ${i}`) });
    for (let i = 1; i < 150; i++) await update(i, 'skipped');
    expect((await fixture.ok({ action: 'progress' })).bar).toBe('███████████████████░ 99% (149 of 150)');
    await update(150, 'completed');
    expect(await fixture.ok({ action: 'progress', id: 1 })).toEqual({
      id: '1',
      name: 'Checkout',
      plan: 'completed',
      bar: '████████████████████ 100% (150 of 150)',
      progress: { done: 150, total: 150, percent: 100 },
      counts: { pending: 0, in_progress: 0, completed: 1, blocked: 0, skipped: 149 },
    });
    await create({ steps: [] });
    expect((await fixture.ok({ action: 'progress' })).bar).toBe('░░░░░░░░░░░░░░░░░░░░ 0% (0 of 0)');
  });

  test('levels are by depth of dependencies', async () => {
    await create();
    await update('1.1', 'completed');
    const { text, data } = await fixture.call({ action: 'visualize', id: 1 });
    expect(text).toBe(
      [
        'level 0',
        '  [x] 1.1 Write the form',
        'level 1',
        '  [ ] 1.2 Call the bank <- 1.1',
        '  [ ] 1.3 Write the mail <- 1.1',
        'level 2',
        '  [ ] 1.4 Release <- 1.2, 1.3',
        '',
      ].join('\n'),
    );
    expect(data).toMatchObject({ levels: 3 });
  });

  test('weak spot 23: a cycle that is in the tables all the same ends no view, and is named', async () => {
    await create();
    const { TABLES } = await import('./tables.ts');
    const db = await fixture.store.open(TABLES);
    await db.write((tx) => tx.run("UPDATE plan_step SET dependencies = '[4]' WHERE number = 2"));
    const { text, data } = await fixture.call({ action: 'visualize', id: 1 });
    expect(data).toMatchObject({ levels: 2, cyclic: ['1.2', '1.4'] });
    expect(text).toContain('in a cycle, or behind one\n  [ ] 1.2 Call the bank <- 1.4\n');
    for (const action of ['show', 'next', 'estimate', 'progress', 'get']) await fixture.ok({ action, id: 1 });
    // It is mended by a change of its dependencies.
    await fixture.ok({ action: 'update', id: 1, stepId: 2, dependencies: [1] });
    expect((await fixture.ok({ action: 'visualize', id: 1 })).cyclic).toBeUndefined();
  });

  test('weak spot 23: 1000 steps in a row overflow nothing', async () => {
    const steps = Array.from({ length: 1000 }, (_, i) => ({ description: `s${i}`, dependencies: i === 0 ? [] : [i] }));
    await create({ steps });
    expect((await fixture.ok({ action: 'estimate' })).levels).toBe(1000);
    expect((await fixture.ok({ action: 'visualize' })).levels).toBe(1000);
  });
});

describe('clone, cancel, archive, list, clear', () => {
  test('weak spot 30: a clone has step ids and dependencies of its own, and its next unlocks', async () => {
    await create({ tags: ['shop'] });
    await fixture.ok({ action: 'remove_step', id: 1, stepId: 1 });
    await fixture.ok({ action: 'add_step', id: 1, description: 'Plan', after: 2, estimate: '1h' });
    await fixture.ok({ action: 'update', id: 1, stepId: 2, status: 'completed', output: 'done', dependencies: [5] });
    expect(await fixture.ok({ action: 'clone', id: 1 })).toEqual({
      id: '2',
      name: 'Checkout (copy)',
      status: 'draft',
      steps: 4,
      next: ['2.2', '2.3'],
      from: '1',
    });
    expect(await dependencies('2')).toEqual({ '2.1': ['2.2'], '2.2': [], '2.3': [], '2.4': ['2.1', '2.3'] });
    const copy = await fixture.ok({ action: 'get', id: 2 });
    expect(copy).toMatchObject({ goal: 'Customers can pay', tags: ['shop'], progress: { done: 0 } });
    expect(copy.steps[0]).toEqual({
      id: '2.1',
      description: 'Call the bank',
      status: 'pending',
      dependencies: ['2.2'],
      estimate: '1 day',
      assignee: 'ann',
    });
    // A draft begins with its first step, and is not the latest before.
    expect((await fixture.ok({ action: 'progress' })).id).toBe('1');
    const begun = await fixture.ok({ action: 'update', id: 2, stepId: '2.2', status: 'completed' });
    expect(begun).toMatchObject({ plan: 'active', unlocked: [{ id: '2.1' }] });
    expect(await dependencies('1')).toEqual({ '1.2': ['1.5'], '1.5': [], '1.3': [], '1.4': ['1.2', '1.3'] });
    expect((await fixture.ok({ action: 'clone', id: 1, name: 'Again' })).name).toBe('Again');
  });

  test('archive and cancel change the status only', async () => {
    await create();
    await update(1, 'completed');
    expect(await fixture.ok({ action: 'archive', id: 1 })).toEqual({
      id: '1',
      name: 'Checkout',
      status: 'archived',
      before: 'active',
    });
    expect(await fixture.ok({ action: 'cancel', id: 1 })).toMatchObject({ status: 'cancelled', before: 'archived' });
    expect(await fixture.ok({ action: 'get', id: 1 })).toMatchObject({ status: 'cancelled', progress: { done: 1 } });
  });

  test('a list is newest first, by status and tags, with the progress of each', async () => {
    await create({ tags: ['shop', 'web'] });
    await update(1, 'completed');
    await create({ name: 'Search', tags: ['web'] });
    await fixture.ok({ action: 'clone', id: 2 });
    const ids = async (more: Record<string, unknown>): Promise<string[]> =>
      (await fixture.ok({ action: 'list', ...more })).plans.map((each: { id: string }) => each.id);
    expect(await ids({})).toEqual(['3', '2', '1']);
    expect(await ids({ filter: 'draft' })).toEqual(['3']);
    expect(await ids({ filter: 'active', tags: ['web'] })).toEqual(['2', '1']);
    expect(await ids({ tags: ['web', 'shop'] })).toEqual(['1']);
    expect(await ids({ limit: 1, cursor: '1' })).toEqual(['2']);
    const { plans, total } = await fixture.ok({ action: 'list', tags: ['shop'] });
    expect(total).toBe(1);
    expect(plans[0]).toMatchObject({
      id: '1',
      name: 'Checkout',
      status: 'active',
      goal: 'Customers can pay',
      progress: { done: 1, total: 4, percent: 25 },
      tags: ['shop', 'web'],
    });
    expect(await fixture.refused({ action: 'list', filter: 'open' })).toMatch(/^INVALID_PARAMS .*"archived"/);
    for (const limit of [0, -1, 1001, 1.5]) {
      expect(await fixture.refused({ action: 'list', limit })).toMatch(/^INVALID_PARAMS/);
    }
    expect(await fixture.refused({ action: 'list', cursor: '4' })).toMatch(/^INVALID_PARAMS .*past the end; 3 in all/);
  });

  test('nothing is deleted without confirm, and a number never comes again', async () => {
    await create();
    await create({ name: 'Search' });
    await fixture.ok({ action: 'notes', id: 1, text: 'kept' });
    expect(await fixture.refused({ action: 'clear', id: 2 })).toBe(
      "INVALID_PARAMS this would delete plan 2 'Search' for good; confirm: true does it",
    );
    expect(await fixture.refused({ action: 'clear', confirm: false })).toBe(
      'INVALID_PARAMS this would delete all 2 plans for good; confirm: true does it',
    );
    expect(await fixture.ok({ action: 'clear', id: 2, confirm: true })).toEqual({
      cleared: 1,
      id: '2',
      name: 'Search',
    });
    expect(await fixture.ok({ action: 'notes', id: 1 })).toMatchObject({ total: 1 });
    expect((await create()).id).toBe('3');
    expect(await fixture.ok({ action: 'clear', confirm: true })).toEqual({ cleared: 2 });
    expect((await create()).id).toBe('4');
    expect(await fixture.ok({ action: 'notes', id: 4 })).toMatchObject({ total: 0 });
    expect(await dependencies('4')).toMatchObject({ '4.4': ['4.2', '4.3'] });
  });
});

describe('notes', () => {
  test('are appended as they are, and read in their order; an empty one is refused, not read', async () => {
    await create();
    expect(await fixture.ok({ action: 'notes', id: 1 })).toMatchObject({ total: 0 });
    expect(await fixture.ok({ action: 'notes', id: 1, text: 'first' })).toEqual({
      id: '1',
      name: 'Checkout',
      notes: 1,
    });
    await fixture.ok({ action: 'notes', id: 'latest', text: 'second\nof two lines' });
    const { text, data } = await fixture.call({ action: 'notes', id: 1 });
    expect(data).toMatchObject({ id: '1', total: 2, count: 2 });
    expect(text.replaceAll(/\d{4}-\S+Z/g, 'TIME')).toBe('TIME\nfirst\n\nTIME\nsecond\nof two lines\n');
    expect(await fixture.refused({ action: 'notes', id: 1, text: '' })).toMatch(/^INVALID_PARAMS .*'text'.* is empty/);
    await fixture.ok({ action: 'archive', id: 1 });
    expect((await fixture.ok({ action: 'notes', id: 1, text: 'afterwards' })).notes).toBe(3);
  });
});

describe('answers', () => {
  test('every view is bounded, and its pages join to the whole', async () => {
    const steps = Array.from({ length: 300 }, (_, i) => ({
      description: `${i} ${'word '.repeat(60)}`,
      dependencies: i === 0 ? [] : [Math.ceil(i / 3)],
    }));
    await create({ steps, goal: 'g'.repeat(4000) });
    for (let i = 0; i < 30; i++) await fixture.ok({ action: 'notes', id: 1, text: `${i} ${'n'.repeat(700)}` });
    await fixture.ok({ action: 'update', id: 1, stepId: 1, status: 'pending', output: 'o'.repeat(20_000) });
    const all = { limit: 1000 };
    const most = 2048;
    for (const action of ['show', 'visualize', 'get', 'notes', 'next', 'list']) {
      for (const page of await fixture.pages({ action, ...(action === 'list' ? {} : { id: 1 }), ...all }, most)) {
        expect(page.bytes).toBeLessThanOrEqual(most + 4096);
      }
    }
    const shown = (await fixture.pages({ action: 'show', id: 1, ...all }, most)).map(({ text }) => text).join('');
    expect([...shown.matchAll(/^- \[ \] (\S+)/gm)].map(([, id]) => id)).toEqual(steps.map((_, i) => `1.${i + 1}`));
    const drawn = (await fixture.pages({ action: 'visualize', id: 1, ...all }, most)).map(({ text }) => text).join('');
    expect(drawn.replaceAll(/^level \d+, continued\n/gm, '')).toBe(
      (await fixture.call({ action: 'visualize', id: 1, ...all }, 1_000_000)).text,
    );
    const got = (await fixture.pages({ action: 'get', id: 1, ...all }, most)).flatMap(({ data }) => data.steps);
    expect(got.map((each: { id: string }) => each.id)).toEqual(steps.map((_, i) => `1.${i + 1}`));
    const output = await fixture.pages({ action: 'get', id: 1, stepId: 1 }, most);
    expect(output.map(({ text }) => text).join('')).toBe('o'.repeat(20_000));
    expect(output.length).toBe(11);
    const notes = (await fixture.pages({ action: 'notes', id: 1 }, most)).map(({ text }) => text).join('');
    expect(notes.split('n'.repeat(700)).length).toBe(31);
  });

  test('a read-only server shows plans and changes none', async () => {
    await create();
    await fixture.restart({ access: 'read-only' });
    expect((await fixture.ok({ action: 'show' })).id).toBe('1');
    expect((await fixture.ok({ action: 'notes', id: 1 })).total).toBe(0);
    for (const args of [
      { action: 'add_step', id: 1, description: 'x' },
      { action: 'notes', id: 1, text: 'x' },
      { action: 'clear', confirm: true },
    ]) {
      expect(await fixture.refused(args)).toMatch(/^PERMISSION_DENIED .*plan was not changed/);
    }
  });

  test('weak spot 32: every action that help lists can be called', async () => {
    await create();
    const needs: Record<string, Record<string, unknown>> = {
      create: { name: 'n', goal: 'g', steps: [] },
      update: { id: 1, stepId: 1, status: 'completed' },
      add_step: { id: 1, description: 'x' },
      remove_step: { id: 1, stepId: 2 },
      clone: { id: 1 },
      notes: { id: 1 },
      archive: { id: 1 },
      cancel: { id: 1 },
      clear: { confirm: true },
    };
    const { actions } = await fixture.ok({ action: 'help' });
    const names = (actions as { name: string }[]).map(({ name }) => name);
    expect(names.join(' ')).toBe(
      'create show update list next archive add_step remove_step estimate visualize clone cancel notes progress get clear',
    );
    const later = ['archive', 'cancel', 'clear'];
    for (const action of [...names.filter((each) => !later.includes(each)), ...later]) {
      await fixture.ok({ action, ...needs[action] });
    }
  });

  test('the published schema has every parameter once', () => {
    const { inputSchema } = plan.describe();
    expect(Object.keys(inputSchema['properties'] as object).join(' ')).toBe(
      'action name goal steps tags id limit cursor stepId status output description dependencies estimate assignee filter after text confirm action_name',
    );
  });
});
