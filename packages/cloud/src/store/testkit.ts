// Runs a suite on every store of this machine: SQLite in a file, PostgreSQL where its programs are. For tests and the bench.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, describe } from 'vitest';
import type { Migration, Store } from '../ports/store.ts';
import { type Cluster, postgresBinaries, startCluster } from './cluster.ts';
import { createStore, migrate, type StoreOptions } from './index.ts';
import { CLUSTER_SOCKET } from './testkit-run.ts';

export interface StoreKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly dialect: Store['dialect'];
  /** why it is not here */
  readonly skipped?: string;
  /** a new, empty database: what `createStore` takes as `database` */
  database(): Promise<string>;
}

let ownCluster: Promise<Cluster> | undefined;

/** The cluster of this run, or this process's own where no run has one. */
async function newDatabase(): Promise<string> {
  const socket = process.env[CLUSTER_SOCKET];
  if (socket === undefined) {
    ownCluster ??= startCluster();
    return (await ownCluster).database();
  }
  const answer = await new Promise<string>((resolve, reject) => {
    let text = '';
    connect(socket)
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk;
      })
      .on('end', () => resolve(text))
      .on('error', reject);
  });
  const { url, error } = JSON.parse(answer) as { url?: string; error?: string };
  if (url === undefined) throw new Error(error);
  return url;
}

/** Ends what this process started by itself; a run's cluster ends with the run. */
async function stopOwnCluster(): Promise<void> {
  const cluster = ownCluster;
  ownCluster = undefined;
  await (await cluster)?.stop();
}

/**
 * Every kind of store; PostgreSQL `skipped` where there is none. Files are put below `folder`.
 * @public for the bench
 */
export function stores(folder: string): readonly StoreKind[] {
  let count = 0;
  return [
    {
      name: 'SQLite',
      dialect: 'sqlite',
      async database() {
        count += 1;
        return path.join(folder, `${count}.db`);
      },
    },
    {
      name: 'PostgreSQL',
      dialect: 'postgres',
      ...(postgresBinaries() === undefined ? { skipped: 'no PostgreSQL' } : {}),
      database: newDatabase,
    },
  ];
}

export interface Bench {
  readonly dialect: Store['dialect'];
  /** what `createStore` takes as `database`, new and empty */
  database(): Promise<string>;
  /**
   * A store with `migrations` applied, closed after the test; on a new database, or on the one named (a second node: on SQLite
   * it opens the file beside the first).
   */
  open(migrations: readonly Migration[], options?: Partial<StoreOptions>): Promise<Store>;
  /** a folder that is removed after the file's tests */
  readonly folder: string;
}

/** Declares `suite` once for each store. Where there is no PostgreSQL its tests say `skipped: no PostgreSQL`. */
export function describeStores(name: string, suite: (bench: Bench) => void): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'hanzo-store-'));
  for (const kind of stores(folder)) {
    const title = `${name} on ${kind.name}${kind.skipped === undefined ? '' : ` (skipped: ${kind.skipped})`}`;
    describe.skipIf(kind.skipped !== undefined)(title, () => {
      const opened: Store[] = [];
      afterEach(async () => {
        await Promise.all(opened.splice(0).map((store) => store.close()));
      });
      suite({
        dialect: kind.dialect,
        folder,
        database: () => kind.database(),
        async open(migrations, options = {}) {
          const store = await createStore({
            exclusive: options.database === undefined,
            // tests end processes, not the power
            synchronous: 'normal',
            connections: 6,
            ...options,
            database: options.database ?? (await kind.database()),
          });
          opened.push(store);
          await migrate(store, migrations);
          return store;
        },
      });
    });
  }
  afterAll(async () => {
    await stopOwnCluster();
    rmSync(folder, { recursive: true, force: true });
  });
}
