// The numbers that tell when what is kept in memory is old: read from the store, kept for half a second, dropped when told.
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from '../ports/store.ts';

interface Tables {
  plane_generations: { key: string; value: number };
}

export const generationMigrations: readonly Migration[] = [
  {
    name: 'store-0001-generations',
    async up(db, types) {
      await db.schema
        .createTable('plane_generations')
        .addColumn('key', types.text, (column) => column.primaryKey())
        .addColumn('value', types.integer, (column) => column.notNull())
        .execute();
    },
  },
];

/** Half of the second within which every node must notice, milliseconds. */
const KEPT_FOR = 500;
const KEPT_AT_MOST = 50_000;

interface Known {
  readonly value: number;
  readonly until: number;
}

export class Generations {
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  readonly #asked = new Map<string, Promise<number>>();

  /** `now` in milliseconds, only ever rising */
  constructor(db: Kysely<unknown>, now: () => number) {
    this.#db = db as Kysely<Tables>;
    this.#now = now;
  }

  async get(key: string): Promise<number> {
    const known = this.#known.get(key);
    if (known !== undefined && known.until > this.#now()) return known.value;
    const asked = this.#asked.get(key) ?? this.#ask(key);
    return asked;
  }

  #ask(key: string): Promise<number> {
    // counted from before the question: the answer may be as old as that
    const until = this.#now() + KEPT_FOR;
    const answer = this.#read(key).then(
      (value) => {
        // a `drop` in the meantime has taken this question off: its answer is not kept
        if (this.#asked.get(key) === answer) {
          this.#asked.delete(key);
          if (this.#known.size >= KEPT_AT_MOST) this.#known.clear();
          this.#known.set(key, { value, until });
        }
        return value;
      },
      (error: unknown) => {
        if (this.#asked.get(key) === answer) this.#asked.delete(key);
        throw error;
      },
    );
    this.#asked.set(key, answer);
    return answer;
  }

  async #read(key: string): Promise<number> {
    const row = await this.#db
      .selectFrom('plane_generations')
      .select('value')
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.value ?? 0;
  }

  async raise(db: Transaction<unknown>, key: string): Promise<void> {
    await (db as Transaction<Tables>)
      .insertInto('plane_generations')
      .values({ key, value: 1 })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql`plane_generations.value + 1` }))
      .execute();
  }

  /** The next question for `key` goes to the store. */
  drop(key: string): void {
    this.#known.delete(key);
    this.#asked.delete(key);
  }

  dropAll(): void {
    this.#known.clear();
    this.#asked.clear();
  }
}
