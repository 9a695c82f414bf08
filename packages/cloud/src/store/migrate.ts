// Brings a database to the tables of this version: forward only, each step whole or not at all, by one node at a time.
import { sql, type Kysely, type Transaction } from 'kysely';
import type { ColumnTypes, Migration, Store } from '../ports/store.ts';
import { generationMigrations } from './generations.ts';

interface Tables {
  plane_migrations: { name: string; applied: number };
}

/** Any number that no other program uses on the same database: 'hanzo' in ASCII. */
const MIGRATION_LOCK = 0x68616e7a6f;

/** What another node has done while this one waited must be seen. */
const LATEST = { isolation: 'read committed' } as const;

const TYPES: Readonly<Record<Store['dialect'], ColumnTypes>> = {
  sqlite: { integer: 'integer', text: 'text', bytes: 'blob', json: 'text' },
  postgres: { integer: 'bigint', text: 'text', bytes: 'bytea', json: 'text' },
};

/**
 * Applies what is missing of `migrations` (those of all apps, in order) and answers the names of what it applied. Rejects,
 * with nothing changed, when the database has migrations that this version does not know.
 */
export async function migrate(
  store: Store,
  migrations: readonly Migration[],
  now: () => number = Date.now,
): Promise<readonly string[]> {
  const wanted = [...generationMigrations, ...migrations];
  const names = new Set(wanted.map(({ name }) => name));
  if (names.size !== wanted.length) throw new Error('two migrations have the same name');
  await store.transaction<Tables, void>(async (db) => {
    await alone(store, db);
    await db.schema
      .createTable('plane_migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('applied', TYPES[store.dialect].integer, (column) => column.notNull())
      .execute();
  }, LATEST);
  const unknown = (await applied(store.db<Tables>())).filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Error(
      `the database was written by a newer version of the plane (it has ${unknown.join(', ')}): start that version, or restore a backup made with this one`,
    );
  const done: string[] = [];
  for (const { name, up } of wanted) {
    const ran = await store.transaction<Tables, boolean>(async (db) => {
      await alone(store, db);
      // another node may have been first
      if ((await applied(db)).includes(name)) return false;
      await up(db as unknown as Transaction<never>, TYPES[store.dialect]);
      if (store.dialect === 'postgres') await collateBytes(db);
      await db
        .insertInto('plane_migrations')
        .values({ name, applied: Math.floor(now() / 1000) })
        .execute();
      return true;
    }, LATEST);
    if (ran) done.push(name);
  }
  return done;
}

/** The names among `migrations` that the database has not had: none where it is ready for whoever needs them. */
export async function missing(store: Store, migrations: readonly Migration[]): Promise<readonly string[]> {
  const tables = await store.db().introspection.getTables();
  const begun = tables.some(({ name }) => name === 'plane_migrations');
  const done = new Set(begun ? await applied(store.db<Tables>()) : []);
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}

async function applied(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('plane_migrations').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

/** SQLite has one writer anyway; on PostgreSQL the others wait here. */
async function alone(store: Store, db: Transaction<Tables>): Promise<void> {
  if (store.dialect === 'postgres') {
    await sql`set local lock_timeout = '120s'`.execute(db);
    await sql`set local statement_timeout = 0`.execute(db);
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
  }
}

/** Text is ordered and compared by its bytes on both stores, whatever language the PostgreSQL database was made for. */
async function collateBytes(db: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select c.table_name, c.column_name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema() and c.data_type = 'text' and c.collation_name is null
      and t.table_type = 'BASE TABLE'`.execute(db);
  for (const row of rows)
    await sql`alter table ${sql.table(row.table_name)} alter column ${sql.ref(row.column_name)} type text collate "C"`.execute(
      db,
    );
}
