// Random changes beside a model of the tree: it stays sound, and nothing is lost but what was deleted.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFixture, type Fixture } from './testkit.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = createFixture();
});
afterEach(() => fixture.close());

interface Node {
  parent: number;
  status: string;
  project: string;
  archived: boolean;
}

/** The same numbers for the same seed (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const over = (status: string): boolean => status === 'completed' || status === 'cancelled';
const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'];

test.each([1, 2, 3, 4])('random changes keep the tree sound (seed %i)', async (seed) => {
  const random = numbers(seed);
  const model = new Map<number, Node>();
  const pick = (): number => (model.size === 0 ? 1 : ([...model.keys()][random(model.size)] as number));
  const above = (id: number): number[] => {
    const path: number[] = [];
    for (let at = id; at !== 0; at = model.get(at)?.parent ?? 0) path.push(at);
    return path;
  };
  const below = (id: number): number[] => [...model.keys()].filter((each) => above(each).includes(id));
  const set = (id: number, change: Partial<Node>): void => void Object.assign(model.get(id) as Node, change);
  const takeOut = (id: number): void => {
    if (model.get(id)?.archived) for (const each of above(id)) set(each, { archived: false });
  };

  for (let i = 0; i < 150; i++) {
    const what = random(12);
    const id = pick();
    const parent = random(3) === 0 ? 0 : pick();
    const status = STATUSES[random(4)] as string;
    const there = model.get(id);
    if (what < 4) {
      const fits = parent === 0 || model.get(parent)?.archived === false;
      const answer = await fixture.call({ action: 'add', content: `${i}`, parent, status });
      expect(answer.ok).toBe(fits);
      if (fits)
        model.set(Number(answer.data.id), {
          parent,
          status,
          project: model.get(parent)?.project ?? '',
          archived: false,
        });
    } else if (!there) {
      expect((await fixture.call({ action: 'delete', id })).error).toMatchObject({ code: 'NOT_FOUND' });
    } else if (what < 6) {
      const answer = await fixture.call({ action: 'move', id, parent, project: `p${status}` });
      const away = model.get(parent)?.archived === true && !there.archived;
      const fits = !above(parent).includes(id) && !away;
      expect(answer.ok).toBe(fits);
      if (fits) {
        set(id, { parent });
        for (const each of below(id)) set(each, { project: `p${status}` });
        expect(answer.data.moved).toBe(below(id).length);
      }
    } else if (what < 9) {
      await fixture.ok({ action: 'update', id, status });
      set(id, { status });
      if (!over(status)) takeOut(id);
    } else if (what < 10) {
      await fixture.ok({ action: 'archive', id });
      for (const each of below(id)) {
        const free = below(each).every((other) => over(model.get(other)?.status ?? ''));
        if (free) set(each, { archived: true });
      }
    } else if (what < 11 && model.size > 8) {
      const gone = below(id);
      expect(await fixture.ok({ action: 'delete', id })).toMatchObject({
        deleted: gone.length,
        below: gone.length - 1,
      });
      for (const each of gone) model.delete(each);
    } else {
      const gone = [...model].filter(([, node]) => node.status === 'cancelled' && node.archived).map(([each]) => each);
      expect(await fixture.ok({ action: 'clear', status: 'cancelled', archived: true, confirm: true })).toEqual({
        cleared: gone.length,
      });
      const kept = [...model.keys()].filter((each) => !gone.includes(each));
      const up = new Map(
        kept.map((each) => [
          each,
          above(each)
            .slice(1)
            .find((one) => !gone.includes(one)) ?? 0,
        ]),
      );
      for (const each of gone) model.delete(each);
      for (const [each, to] of up) set(each, { parent: to });
    }
  }

  const rows = [false, true].map((archived) => fixture.all({ action: 'list', archived, limit: 1000 }));
  const items = (await Promise.all(rows)).flat();
  const found = items
    .map((item) => [
      Number(item.id),
      {
        parent: Number(item.parent ?? 0),
        status: item.status,
        project: item.project ?? '',
        archived: item.archived !== undefined,
      },
    ])
    .toSorted(([a], [b]) => (a as number) - (b as number));
  expect(found).toEqual([...model].toSorted(([a], [b]) => a - b));
  for (const [id, node] of model) {
    if (node.archived) expect(below(id).every((each) => model.get(each)?.archived)).toBe(true);
    expect(await fixture.ok({ action: 'subtasks', id })).toMatchObject({ total: below(id).length - 1 });
  }
});
