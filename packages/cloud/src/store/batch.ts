// Many small writes as few transactions: what comes while one is under way goes together in the next.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface BatchOptions<T> {
  /** most of one transaction, default 500 */
  readonly size?: number;
  /** items that may wait; more are refused at once, default 20,000 */
  readonly room?: number;
  /** Writes all of them or none. Called by one batch at a time. `again` is true when an earlier attempt may have been written. */
  write(items: readonly T[], again: boolean): Promise<void>;
  /** told of items that could not be written, after the last attempt */
  onLost(items: readonly T[], error: unknown): void;
}

export interface Batch<T> {
  /** resolves when it is written, or was given up and `onLost` told; never rejects */
  add(item: T): Promise<void>;
  /** resolves when everything added until now is settled */
  settled(): Promise<void>;
}

interface Waiting<T> {
  readonly item: T;
  readonly done: () => void;
}

const PAUSES = [50, 200, 1000, 3000];

export function createBatch<T>({ size = 500, room = 20_000, write, onLost }: BatchOptions<T>): Batch<T> {
  let waiting: Waiting<T>[] = [];
  let running: Promise<void> | undefined;
  // what is written belongs to no transaction of whoever happened to be first
  const outside = AsyncLocalStorage.snapshot();

  async function run(): Promise<void> {
    // what the same turn of the loop still brings goes along
    await undefined;
    while (waiting.length > 0) {
      const taken = waiting.slice(0, size);
      waiting = waiting.slice(size);
      await attempt(taken.map(({ item }) => item));
      for (const { done } of taken) done();
    }
    running = undefined;
  }

  async function attempt(items: readonly T[]): Promise<void> {
    for (let number = 0; ; number += 1) {
      try {
        return await write(items, number > 0);
      } catch (error) {
        const pause = PAUSES[number];
        if (pause === undefined) return onLost(items, error);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  return {
    add(item) {
      if (waiting.length >= room) {
        onLost([item], new Error(`more than ${room} writes are waiting`));
        return Promise.resolve();
      }
      return new Promise((done) => {
        waiting.push({ item, done });
        running ??= outside(run);
      });
    },
    async settled() {
      await running;
    },
  };
}
