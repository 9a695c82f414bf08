// Cycles, depth and what is unlocked, against naive ways of finding the same in random graphs.
import { describe, expect, test } from 'vitest';
import { type Dependencies, findCycle, findUnknown, levels, type StepStatus, unlocked } from './graph.ts';

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

function randomGraph(random: () => number): Map<string, string[]> {
  const size = 1 + Math.floor(random() * 9);
  const density = random() * 0.4;
  const ids = Array.from({ length: size }, (_, i) => `1.${i + 1}`);
  return new Map(ids.map((id) => [id, ids.filter(() => random() < density)]));
}

/** Which steps are reached from one by following dependencies, by repeating until nothing is added. */
function reach(graph: Dependencies, from: string): Set<string> {
  const found = new Set(graph.get(from));
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const each of found) for (const next of graph.get(each) ?? []) found.add(next);
  }
  return found;
}

const graphs = Array.from({ length: 2000 }, (_, seed) => randomGraph(randomFrom(seed)));

describe('a cycle', () => {
  test('is found exactly where a step is reached from itself, and what is named is one', () => {
    let cyclic = 0;
    for (const graph of graphs) {
      const expected = [...graph.keys()].some((id) => reach(graph, id).has(id));
      const cycle = findCycle(graph);
      expect(cycle !== undefined).toBe(expected);
      if (!cycle) continue;
      cyclic++;
      expect(cycle.at(-1)).toBe(cycle[0]);
      expect(new Set(cycle).size).toBe(cycle.length - 1);
      for (let i = 1; i < cycle.length; i++) expect(graph.get(cycle[i - 1] as string)).toContain(cycle[i]);
    }
    expect(cyclic).toBeGreaterThan(200);
    expect(cyclic).toBeLessThan(1800);
  });

  test('of a step with itself is one', () => {
    expect(findCycle(new Map([['1.1', ['1.1']]]))).toEqual(['1.1', '1.1']);
  });

  test('at the end of 100,000 steps in a row overflows no stack', () => {
    const row = new Map(Array.from({ length: 100_000 }, (_, i) => [`${i}`, [`${i + 1}`]]));
    row.set('100000', []);
    expect(findCycle(row)).toBeUndefined();
    row.set('100000', ['99999']);
    expect(findCycle(row)).toEqual(['99999', '100000', '99999']);
  });
});

test('the first dependency that is no step is named with its step', () => {
  expect(
    findUnknown(
      new Map([
        ['a', []],
        ['b', ['a', 'x']],
      ]),
    ),
  ).toEqual({ step: 'b', dependency: 'x' });
  expect(
    findUnknown(
      new Map([
        ['a', ['b']],
        ['b', []],
      ]),
    ),
  ).toBeUndefined();
});

test('a level is one below the deepest dependency; what is on a cycle or behind one has none', () => {
  for (const graph of graphs) {
    const { levels: found, rest } = levels(graph);
    expect([...found.flat(), ...rest].toSorted()).toEqual([...graph.keys()].toSorted());
    const depth = new Map(found.flatMap((ids, level) => ids.map((id) => [id, level] as const)));
    for (const [id, dependencies] of graph) {
      const behind = [id, ...reach(graph, id)].some((each) => reach(graph, each).has(each));
      expect(rest.includes(id)).toBe(behind);
      if (!behind) expect(depth.get(id)).toBe(Math.max(-1, ...dependencies.map((each) => depth.get(each) ?? NaN)) + 1);
    }
  }
});

test('a pending step is unlocked when each of its dependencies is completed or skipped', () => {
  const step = (id: string, status: StepStatus, ...dependencies: string[]) => ({ id, status, dependencies });
  expect(
    unlocked([
      step('1', 'completed'),
      step('2', 'skipped'),
      step('3', 'pending', '1', '2'),
      step('4', 'pending', '3'),
      step('5', 'blocked', '1'),
      step('6', 'in_progress'),
      step('7', 'pending', '6'),
      step('8', 'pending'),
    ]),
  ).toEqual(['3', '8']);
});
