// An engine ends cleanly however young its threads are: nothing is lost, nothing hangs, the process lives on.
import { afterAll, expect, it } from 'vitest';
import { openIndex } from '../src/index.ts';
import { repository, temporary, write } from './trees.ts';

const place = temporary('close');
const root = `${place.folder}/tree`;
afterAll(() => place.remove());

it(
  'opened, asked and closed 25 times over, with threads that have only just started',
  { timeout: 300_000 },
  async () => {
    repository(root);
    for (let i = 0; i < 200; i++) write(`${root}/${i}.txt`, `needle ${i}\n`.repeat(50));
    for (let round = 0; round < 25; round++) {
      const index = await openIndex(root, { cache: false, watch: false, threads: 2 });
      const found = await index.search({ pattern: 'n.*e' });
      expect(found.total).toBe(10_000);
      // excerpts go to a thread as well, and are not waited for
      if (round % 2 === 0) void found.page({ offset: 0, limit: 5000 }).catch(() => undefined);
      await index.close();
    }
  },
);
