// Random changes of plans beside a naive model of them: whatever comes, a plan stays sound.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFixture, type Fixture } from './testkit.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.close());

/** A generator of numbers in [0, 1) that gives the same ones each time (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Step {
  readonly id: string;
  status: string;
  dependencies: string[];
}

const STATUSES = ['pending', 'in_progress', 'completed', 'blocked', 'skipped'];
const isOver = ({ status }: Step): boolean => status === 'completed' || status === 'skipped';

/** No step is reached from itself, and every dependency is one: by taking away what depends on nothing that is left. */
function isSound(steps: readonly Step[]): boolean {
  let left = [...steps];
  for (let before = -1; before !== left.length;) {
    before = left.length;
    const ids = new Set(left.map(({ id }) => id));
    left = left.filter((each) => each.dependencies.some((other) => ids.has(other)));
  }
  const ids = new Set(steps.map(({ id }) => id));
  return left.length === 0 && steps.every((each) => each.dependencies.every((other) => ids.has(other)));
}

function free(steps: readonly Step[]): string[] {
  const over = new Set(steps.filter(isOver).map(({ id }) => id));
  return steps
    .filter(({ status, dependencies }) => status === 'pending' && dependencies.every((each) => over.has(each)))
    .map(({ id }) => id);
}

test.each(Array.from({ length: 12 }, (_, seed) => seed))('sequence %i', async (seed) => {
  const random = randomFrom(seed);
  const pick = (most: number): number => Math.floor(random() * most);
  const first = await fixture.ok({ action: 'create', name: 'Random', goal: 'sound', steps: ['a', 'b', 'c'] });
  expect(first.id).toBe('1');
  let steps: Step[] = [1, 2, 3].map((i) => ({ id: `1.${i}`, status: 'pending', dependencies: [] }));
  let last = 3;
  let refused = 0;
  for (let turn = 0; turn < 60; turn++) {
    const ids = steps.map(({ id }) => id);
    // Now and then one that is not there.
    const some = (): string => (random() < 0.05 || ids.length === 0 ? '1.999' : (ids[pick(ids.length)] as string));
    const several = (): string[] => [...new Set(Array.from({ length: pick(3) }, some))];
    const action = ['add_step', 'update', 'update', 'rewire', 'rewire', 'remove_step'][pick(6)] as string;
    let then: Step[];
    let args: Record<string, unknown>;
    if (action === 'add_step') {
      const dependencies = several();
      const after = random() < 0.5 ? some() : undefined;
      args = { action, id: 1, description: 'x', dependencies, ...(after === undefined ? {} : { after }) };
      const step = { id: `1.${last + 1}`, status: 'pending', dependencies };
      const at = after === undefined ? ids.length : ids.indexOf(after) + 1;
      then = after !== undefined && at === 0 ? [] : steps.toSpliced(at, 0, step);
    } else if (action === 'remove_step') {
      const stepId = some();
      args = { action, id: 1, stepId };
      then = steps
        .filter(({ id }) => id !== stepId)
        .map((each) => ({ ...each, dependencies: each.dependencies.filter((other) => other !== stepId) }));
    } else {
      const stepId = some();
      const change = action === 'update' ? { status: STATUSES[pick(5)] as string } : { dependencies: several() };
      args = { action: 'update', id: 1, stepId, ...change };
      then = steps.map((each) => (each.id === stepId ? { ...each, ...change } : each));
    }
    const known = [args['stepId'], args['after']].every((each) => each === undefined || ids.includes(String(each)));
    const answer = await fixture.call(args);
    expect([answer.ok, args]).toEqual([known && isSound(then), args]);
    if (answer.ok) {
      const before = free(steps);
      expect((answer.data.unlocked as { id: string }[]).map(({ id }) => id)).toEqual(
        free(then).filter((id) => !before.includes(id)),
      );
      if (action === 'add_step') {
        last++;
        expect(answer.data.stepId).toBe(`1.${last}`);
      }
      steps = then;
    } else refused++;
    const { steps: there, status } = await fixture.ok({ action: 'get', id: 1, limit: 1000 });
    expect(
      (there as Step[]).map(({ id, status: each, dependencies = [] }) => ({ id, status: each, dependencies })),
    ).toEqual(steps);
    expect(((await fixture.ok({ action: 'next', id: 1 })).next as Step[]).map(({ id }) => id)).toEqual(free(steps));
    expect(status).toBe(steps.length > 0 && steps.every(isOver) ? 'completed' : 'active');
  }
  expect(refused).toBeGreaterThan(0);
  const copy = await fixture.ok({ action: 'clone', id: 1 });
  const cloned = (await fixture.ok({ action: 'get', id: copy.id, limit: 1000 })).steps as Step[];
  const renamed = new Map(steps.map(({ id }, i) => [id, `2.${i + 1}`]));
  expect(cloned.map(({ id, dependencies = [] }) => ({ id, dependencies }))).toEqual(
    steps.map(({ id, dependencies }) => ({
      id: renamed.get(id),
      dependencies: dependencies.map((each) => renamed.get(each)),
    })),
  );
});
