// Waiting for what other processes hold, without holding up this one.
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './failure.ts';

/** Longest pause between two tries, in milliseconds; each is shorter by chance, so that processes do not wait in step. */
const PAUSE = 20;

/** Tries `work` until nobody else is in the way; after `patience` milliseconds rejects with what was in the way last. */
export async function patiently<T>(patience: number, work: () => T): Promise<T> {
  const until = performance.now() + patience;
  for (let pause = 1; ; pause = Math.min(PAUSE, pause * 2)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      await sleep(Math.ceil(pause * (0.5 + Math.random() / 2)));
    }
  }
}
