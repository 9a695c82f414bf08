// Many small writes as few transactions: what comes while one is under way, of every kind, goes together in the next.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import type { Store } from '../ports/store.ts';

export interface BatchOptions<T, Tables> {
  /** most of one transaction, default 500 */
  readonly size?: number;
  /** items that may wait; more are refused at once, default 20,000 */
  readonly room?: number;
  /**
   * Writes all of them or none, within a transaction that other kinds share (PostgreSQL: read committed, so rows that are read to be
   * changed must be locked). `again` is true when an earlier attempt may have been written.
   */
  write(trx: Transaction<Tables>, items: readonly T[], again: boolean): Promise<void>;
  /** told of items that could not be written, after the last attempt */
  onLost(items: readonly T[], error: unknown): void;
}

export interface Batch<T> {
  /** resolves when it is written, or was given up and `onLost` told; never rejects */
  add(item: T): Promise<void>;
  /** resolves when everything added until now is settled */
  settled(): Promise<void>;
}

/** What is taken of one kind for one transaction. */
interface Load {
  write(trx: Transaction<unknown>, again: boolean): Promise<void>;
  lost(error: unknown): void;
  done(): void;
}

/** One kind of writes, as the journal sees it. */
interface Lane {
  /** what waits, no longer waiting; undefined: nothing does */
  take(): Load | undefined;
}

const PAUSES = [50, 200, 1000, 3000];

/** One for each store: whatever is kept in batches is kept in the same transactions. */
class Journal {
  readonly #store: Store;
  /** always in the same order, so that two nodes never wait for each other */
  readonly #lanes: Lane[] = [];
  // what is written belongs to no transaction of whoever happened to be first
  readonly #outside = AsyncLocalStorage.snapshot();
  #running: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  join(lane: Lane): void {
    this.#lanes.push(lane);
  }

  start(): void {
    this.#running ??= this.#outside(() => this.#run());
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // what this turn of the event loop still brings goes along
    await new Promise((resolve) => setImmediate(resolve));
    for (let loads = this.#take(); loads.length > 0; loads = this.#take()) {
      if (!(await this.#together(loads))) await Promise.all(loads.map((load) => this.#alone(load)));
      for (const load of loads) load.done();
    }
    this.#running = undefined;
  }

  #take(): Load[] {
    return this.#lanes.map((lane) => lane.take()).filter((load) => load !== undefined);
  }

  async #together(loads: readonly Load[]): Promise<boolean> {
    try {
      await this.#write(loads, false);
      return true;
    } catch {
      // one kind that cannot be written must not hold up the others
      return false;
    }
  }

  async #alone(load: Load): Promise<void> {
    for (const pause of [...PAUSES, undefined]) {
      try {
        return await this.#write([load], true);
      } catch (error) {
        if (pause === undefined) return load.lost(error);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  #write(loads: readonly Load[], again: boolean): Promise<void> {
    return this.#store.transaction<unknown, void>(
      async (trx) => {
        for (const load of loads) await load.write(trx, again);
      },
      { isolation: 'read committed' },
    );
  }
}

const journals = new WeakMap<Store, Journal>();

interface Waiting<T> {
  readonly item: T;
  readonly done: () => void;
}

export function createBatch<T, Tables>(
  store: Store,
  { size = 500, room = 20_000, write, onLost }: BatchOptions<T, Tables>,
): Batch<T> {
  const journal = journals.get(store) ?? new Journal(store);
  journals.set(store, journal);
  let waiting: Waiting<T>[] = [];
  journal.join({
    take() {
      if (waiting.length === 0) return undefined;
      const taken = waiting.slice(0, size);
      waiting = waiting.slice(size);
      const items = taken.map(({ item }) => item);
      return {
        // the kind knows its tables, the journal none
        write: (trx, again) => write(trx as unknown as Transaction<Tables>, items, again),
        lost: (error) => onLost(items, error),
        done() {
          for (const { done } of taken) done();
        },
      };
    },
  });
  return {
    add(item) {
      if (waiting.length >= room) {
        onLost([item], new Error(`more than ${room} writes are waiting`));
        return Promise.resolve();
      }
      return new Promise((done) => {
        waiting.push({ item, done });
        journal.start();
      });
    },
    settled: () => journal.settled(),
  };
}
