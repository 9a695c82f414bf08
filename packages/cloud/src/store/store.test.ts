// What both stores promise alike: transactions, generations, migrations, one writer, outages told as what they are.
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { type Kysely, sql, type Transaction } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Migration, Store } from '../ports/store.ts';
import { createBatch } from './batch.ts';
import { createStore, isConflict, isDangling, migrate } from './index.ts';
import { describeStores } from './testkit.ts';

interface Tables {
  t_counter: { name: string; value: number };
  t_child: { id: number; counter: string; note: string | null; body: Uint8Array | null };
}

const migrations: readonly Migration[] = [
  {
    name: 't-0001-counter',
    async up(db, types) {
      await db.schema
        .createTable('t_counter')
        .addColumn('name', types.text, (c) => c.primaryKey())
        .addColumn('value', types.integer, (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('t_child')
        .addColumn('id', types.integer, (c) => c.primaryKey())
        .addColumn('counter', types.text, (c) => c.notNull().references('t_counter.name'))
        .addColumn('note', types.text)
        .addColumn('body', types.bytes)
        .execute();
    },
  },
];

async function value(store: Store, name: string): Promise<number | undefined> {
  const row = await store
    .db<Tables>()
    .selectFrom('t_counter')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

describeStores('the store', ({ open, database, dialect }) => {
  test('64-bit integers are numbers, bytes and text come back as they were', async () => {
    const store = await open(migrations);
    const db = store.db<Tables>();
    await db.insertInto('t_counter').values({ name: 'a', value: Number.MAX_SAFE_INTEGER }).execute();
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    await db.insertInto('t_child').values({ id: 1, counter: 'a', note: 'ä€😀\n', body }).execute();
    expect(await value(store, 'a')).toBe(Number.MAX_SAFE_INTEGER);
    const row = await db.selectFrom('t_child').selectAll().executeTakeFirstOrThrow();
    expect(row.note).toBe('ä€😀\n');
    expect(Uint8Array.from(row.body ?? [])).toEqual(body);
  });

  test('kinds of writes go together, and one that cannot be written holds up and loses no other', async () => {
    const store = await open(migrations);
    const transactions: Transaction<Tables>[] = [];
    const lost: string[] = [];
    const kind = (fails: (item: string) => boolean) =>
      createBatch<string, Tables>(store, {
        async write(trx, items) {
          transactions.push(trx);
          for (const name of items) {
            await trx.insertInto('t_counter').values({ name, value: 1 }).execute();
            if (fails(name)) throw new Error('never');
          }
        },
        onLost: (items) => lost.push(...items),
      });
    const [one, two] = [kind(() => false), kind((name) => name === 'bad')];
    await Promise.all([one.add('a'), one.add('b'), two.add('c')]);
    expect(new Set(transactions).size).toBe(1);
    expect(transactions).toHaveLength(2);
    await Promise.all([one.add('d'), two.add('bad')]);
    expect(lost).toEqual(['bad']);
    expect(await Promise.all(['a', 'b', 'c', 'd', 'bad'].map((name) => value(store, name)))).toEqual([
      1,
      1,
      1,
      1,
      undefined,
    ]);
    await two.add('e');
    await two.settled();
    expect(await value(store, 'e')).toBe(1);
  });

  test('sums and counts are numbers', async () => {
    const store = await open(migrations);
    const db = store.db<Tables>();
    await db
      .insertInto('t_counter')
      .values([
        { name: 'a', value: 2 },
        { name: 'b', value: 3 },
      ])
      .execute();
    const row = await db
      .selectFrom('t_counter')
      .select((e) => [e.fn.sum<number>('value').as('sum'), e.fn.countAll<number>().as('count')])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ sum: 5, count: 2 });
  });

  test('text is ordered by its bytes and LIKE minds the case', async () => {
    const store = await open(migrations);
    const db = store.db<Tables>();
    await db
      .insertInto('t_counter')
      .values(['b', 'a', 'B', 'ä', '_', 'a-b', 'a_b', 'aB'].map((name) => ({ name, value: 0 })))
      .execute();
    const rows = await db.selectFrom('t_counter').select('name').orderBy('name').execute();
    expect(rows.map(({ name }) => name)).toEqual(['B', '_', 'a', 'a-b', 'aB', 'a_b', 'b', 'ä']);
    const like = await db.selectFrom('t_counter').select('name').where('name', 'like', 'b%').execute();
    expect(like).toEqual([{ name: 'b' }]);
  });

  test('a transaction that throws leaves nothing behind', async () => {
    const store = await open(migrations);
    const work = store.transaction<Tables, void>(async (db) => {
      await db.insertInto('t_counter').values({ name: 'a', value: 1 }).execute();
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await value(store, 'a')).toBeUndefined();
  });

  test('a transaction in which a statement failed is over, also for work that goes on', async () => {
    const store = await open(migrations);
    const insert = (db: Kysely<Tables>, name: string) =>
      db.insertInto('t_counter').values({ name, value: 1 }).execute();
    await insert(store.db(), 'a');
    const work = store.transaction<Tables, void>(async (db) => {
      await insert(db, 'b');
      await insert(db, 'a').catch(() => undefined);
    });
    await expect(work).rejects.toThrow();
    const goesOn = store.transaction<Tables, unknown>(async (db) => {
      await insert(db, 'a').catch(() => undefined);
      return insert(db, 'c');
    });
    await expect(goesOn).rejects.toThrow();
    expect([await value(store, 'b'), await value(store, 'c')]).toEqual([undefined, undefined]);
    await insert(store.db(), 'd');
    expect(await value(store, 'd')).toBe(1);
  });

  test('what is under way is not seen from outside, and reading does not wait for it', async () => {
    const store = await open(migrations);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let begun = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const work = store.transaction<Tables, void>(async (db) => {
      await db.insertInto('t_counter').values({ name: 'a', value: 1 }).execute();
      begun();
      await held;
    });
    await started;
    expect(await value(store, 'a')).toBeUndefined();
    goOn();
    await work;
    expect(await value(store, 'a')).toBe(1);
  });

  test('200 concurrent read-then-write transactions lose no update', async () => {
    const store = await open(migrations);
    await store.db<Tables>().insertInto('t_counter').values({ name: 'a', value: 0 }).execute();
    const add = () =>
      store.transaction<Tables, void>(
        async (db) => {
          const row = await db
            .selectFrom('t_counter')
            .select('value')
            .where('name', '=', 'a')
            .$if(dialect === 'postgres', (query) => query.forUpdate())
            .executeTakeFirstOrThrow();
          await db
            .updateTable('t_counter')
            .set({ value: row.value + 1 })
            .where('name', '=', 'a')
            .execute();
        },
        { isolation: 'read committed' },
      );
    await Promise.all(Array.from({ length: 200 }, add));
    expect(await value(store, 'a')).toBe(200);
  });

  test('serializable work that collides is done again', async () => {
    const store = await open(migrations);
    await store.db<Tables>().insertInto('t_counter').values({ name: 'a', value: 0 }).execute();
    const add = () =>
      store.transaction<Tables, void>(async (db) => {
        const row = await db.selectFrom('t_counter').select('value').where('name', '=', 'a').executeTakeFirstOrThrow();
        await db
          .updateTable('t_counter')
          .set({ value: row.value + 1 })
          .where('name', '=', 'a')
          .execute();
      });
    await Promise.all(Array.from({ length: 6 }, add));
    expect(await value(store, 'a')).toBe(6);
  });

  test('conflicts and dangling references are recognised', async () => {
    const store = await open(migrations);
    const db = store.db<Tables>();
    await db.insertInto('t_counter').values({ name: 'a', value: 1 }).execute();
    const twice = await db
      .insertInto('t_counter')
      .values({ name: 'a', value: 1 })
      .execute()
      .catch((error: unknown) => error);
    expect(isConflict(twice)).toBe(true);
    expect(isDangling(twice)).toBe(false);
    const dangling = await db
      .insertInto('t_child')
      .values({ id: 1, counter: 'none', note: null, body: null })
      .execute()
      .catch((error: unknown) => error);
    expect(isDangling(dangling)).toBe(true);
  });

  test('a generation rises with each touch, for its own key only, and not with what was undone', async () => {
    const store = await open(migrations);
    expect(await store.generation('org/a')).toBe(0);
    await store.transaction((db) => store.touch(db, 'org/a'));
    expect(await store.generation('org/a')).toBe(1);
    expect(await store.generation('org/b')).toBe(0);
    await store
      .transaction(async (db) => {
        await store.touch(db, 'org/a');
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(await store.generation('org/a')).toBe(1);
  });

  test('another node sees a touch', async () => {
    const at = await database();
    const one = await open(migrations, { database: at });
    const two = await open(migrations, { database: at });
    expect(await two.generation('org/a')).toBe(0);
    await one.transaction((db) => one.touch(db, 'org/a'));
    await expect.poll(() => two.generation('org/a'), { timeout: 20_000, interval: 20 }).toBe(1);
  });

  test('migrations run once, forward, and two nodes do not run them at once', async () => {
    const at = await database();
    let runs = 0;
    const counted: Migration[] = [
      ...migrations,
      {
        name: 't-0002-more',
        async up(db, types) {
          runs += 1;
          await db.schema.alterTable('t_counter').addColumn('more', types.text).execute();
        },
      },
    ];
    const one = await open(migrations, { database: at });
    await one.db<Tables>().insertInto('t_counter').values({ name: 'a', value: 7 }).execute();
    const nodes = await Promise.all([0, 1, 2].map(() => createStore({ database: at, exclusive: false })));
    const applied = await Promise.all(nodes.map((node) => migrate(node, counted)));
    await Promise.all(nodes.map((node) => node.close()));
    expect(runs).toBe(1);
    expect(applied.flat()).toEqual(['t-0002-more']);
    expect(await value(one, 'a')).toBe(7);
  });

  test('a migration that fails leaves nothing of itself', async () => {
    const store = await open(migrations);
    const broken: Migration = {
      name: 't-0002-broken',
      async up(db, types) {
        await db.schema.createTable('t_other').addColumn('a', types.text).execute();
        throw new Error('no');
      },
    };
    await expect(migrate(store, [...migrations, broken])).rejects.toThrow('no');
    const names = (await store.db().introspection.getTables()).map(({ name }) => name);
    expect(names).not.toContain('t_other');
    expect(await migrate(store, migrations)).toEqual([]);
  });

  test('a database of a newer version is refused with a sentence', async () => {
    const at = await database();
    await open([...migrations, { name: 'z-0009-later', up: async () => undefined }], { database: at });
    await expect(open(migrations, { database: at })).rejects.toThrow(
      'the database was written by a newer version of the plane (it has z-0009-later)',
    );
  });

  test('it answers a ping, and closing twice is closing', async () => {
    const store = await open(migrations);
    await store.ping();
    await store.close();
    await store.close();
  });
});

describe('each store’s own', () => {
  describeStores('outages', ({ dialect, open, database }) => {
    test.runIf(dialect === 'sqlite')('one plane at a time has it open; it is its owner’s alone', async () => {
      const at = await database();
      const store = await open(migrations, { database: at, exclusive: true });
      await expect(createStore({ database: at })).rejects.toThrow(`is in use by process ${process.pid}`);
      expect(statSync(at).mode & 0o777).toBe(0o600);
      if (existsSync(`${at}-wal`)) expect(statSync(`${at}-wal`).mode & 0o777).toBe(0o600);
      await store.close();
      await (await createStore({ database: at })).close();
    });

    test.runIf(dialect === 'sqlite')(
      'a full disk is told, nothing of the work is kept, and it goes on with room',
      async () => {
        const store = await open(migrations);
        const pages = (most: number) => sql`pragma max_page_count = ${sql.lit(most)}`.execute(store.db());
        await pages(1);
        const fill = store.transaction<Tables, void>(async (db) => {
          await db.insertInto('t_counter').values({ name: 'a', value: 1 }).execute();
          const body = new Uint8Array(4_000_000);
          await db.insertInto('t_child').values({ id: 1, counter: 'a', note: null, body }).execute();
        });
        await expect(fill).rejects.toMatchObject({ status: 503, code: 'store_full' });
        expect(await value(store, 'a')).toBeUndefined();
        await pages(1_000_000);
        await store.db<Tables>().insertInto('t_counter').values({ name: 'a', value: 2 }).execute();
        expect(await value(store, 'a')).toBe(2);
      },
    );

    test.runIf(dialect === 'sqlite')('what many writes have put into the log is carried into the file', async () => {
      const at = await database();
      const store = await open(migrations, { database: at });
      const db = store.db<Tables>();
      const carried = async (): Promise<number> => {
        // the file without its log, as it is at this moment
        copyFileSync(at, `${at}.copy`);
        const copy = await createStore({ database: `${at}.copy`, exclusive: false });
        try {
          return await copy
            .db<Tables>()
            .selectFrom('t_counter')
            .select('name')
            .execute()
            .then(({ length }) => length);
        } catch {
          return 0;
        } finally {
          await copy.close();
        }
      };
      let written = 0;
      const more = async (): Promise<number> => {
        for (let i = 0; i < 250; i++) {
          await db
            .insertInto('t_counter')
            .values({ name: `w${written++}`, value: i })
            .execute();
        }
        return carried();
      };
      await expect.poll(more, { timeout: 30_000 }).toBeGreaterThan(0);
      await store.close();
      expect(existsSync(`${at}-wal`)).toBe(false);
      expect(await carried()).toBe(written);
    });

    test.runIf(dialect === 'postgres')('connections that are lost are made again, the listening one too', async () => {
      const at = await database();
      const faults: unknown[] = [];
      const store = await open(migrations, { database: at, onFault: (error) => faults.push(error) });
      const other = await open(migrations, { database: at });
      await store.generation('k');
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
        .execute(other.db())
        .catch(() => undefined);
      const answers = (each: Store) =>
        each.ping().then(
          () => 'ok',
          () => 'lost',
        );
      await expect.poll(() => answers(store), { timeout: 20_000 }).toBe('ok');
      await expect.poll(() => answers(other), { timeout: 20_000 }).toBe('ok');
      await other.transaction((db) => other.touch(db, 'k'));
      await expect.poll(() => store.generation('k'), { timeout: 20_000 }).toBe(1);
      expect(faults.length).toBeGreaterThan(0);
    });

    test.runIf(dialect === 'postgres')('a database that is not there is a Problem that says so', async () => {
      const gone = createStore({ database: 'postgres://plane@localhost/x?host=/nowhere' });
      await expect(gone).rejects.toMatchObject({ status: 503, code: 'store_unavailable' });
    });

    test.runIf(dialect === 'sqlite')(
      'inside of a transaction the outer handle is refused instead of waiting for ever',
      async () => {
        const store = await open(migrations);
        const write = store.transaction(() =>
          store.db<Tables>().insertInto('t_counter').values({ name: 'a', value: 1 }).execute(),
        );
        await expect(write).rejects.toThrow("only the transaction's own handle");
        const nested = store.transaction(() => store.transaction(async () => undefined));
        await expect(nested).rejects.toThrow("only the transaction's own handle");
        await store.db<Tables>().insertInto('t_counter').values({ name: 'a', value: 1 }).execute();
      },
    );
  });
});
