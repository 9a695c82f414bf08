// Many commands ended at once share the looks at the system: the server has other calls to answer meanwhile.
import { tmpdir } from 'node:os';
import { afterAll, expect, test, vi } from 'vitest';
import { endTrees } from './ending.ts';
import { createProcessTable } from './table.ts';

const looks = vi.hoisted(() => ({ count: 0 }));
vi.mock('./scan.ts', async (original) => {
  const scan = await original<typeof import('./scan.ts')>();
  return {
    ...scan,
    look: (skip?: ReadonlySet<number>) => {
      looks.count++;
      return scan.look(skip);
    },
  };
});

const table = createProcessTable();
afterAll(() => table.close());

test('sixty commands end with less than two looks each', async () => {
  const started = [];
  for (let i = 0; i < 60; i++) {
    const script = i % 2 === 0 ? 'sleep 4401' : 'setsid sleep 4401 & (trap "" TERM; sleep 4401) & wait';
    started.push(await table.start({ argv: ['bash', '-c', script], cwd: tmpdir() }));
  }
  looks.count = 0;
  const left = await Promise.all(started.map((each) => table.kill(each.id, 'SIGTERM')));
  expect(left.flat()).toEqual([]);
  expect(looks.count).toBeLessThan(120);
  expect(started.map((each) => each.alive())).toEqual(started.map(() => 0));
});

test('one that joins while others are being ended is ended too', async () => {
  const slow = await table.start({ argv: ['bash', '-c', 'trap "" TERM; while :; do sleep 1; done'], cwd: tmpdir() });
  const quick = await table.start({ argv: ['sleep', '4402'], cwd: tmpdir() });
  const first = table.kill(slow.id, 'SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 100));
  await table.kill(quick.id, 'SIGTERM');
  expect([quick.alive(), slow.ended]).toEqual([0, undefined]);
  expect(await first).toEqual([]);
  expect(slow.alive()).toBe(0);
});

test('nothing to end is ended at once', async () => {
  expect(await endTrees([], 'SIGTERM', 1000)).toEqual([]);
});
