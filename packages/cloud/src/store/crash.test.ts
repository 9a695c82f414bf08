// kill -9 under load, again and again on the same data: nothing that was acknowledged is lost, and the books still add up.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createAuditApp } from '../apps/audit/index.ts';
import type { AuditTables } from '../apps/audit/store.ts';
import { createIamApp } from '../apps/iam/index.ts';
import { createKmsApp } from '../apps/kms/index.ts';
import { createMeterApp } from '../apps/meter/index.ts';
import type { MeterTables } from '../apps/meter/store.ts';
import { testIds } from '../testing/caller.ts';
import { createVault, loadKeks } from '../vault/index.ts';
import { createStore, migrate } from './index.ts';
import { describeStores } from './testkit.ts';

/** 200 for the bench. */
const KILLS = Number(process.env.HANZO_TEST_KILLS ?? 4);
const CHILD = fileURLToPath(new URL('../testing/crash-child.ts', import.meta.url));
const KEK = { HANZO_KEK: Buffer.alloc(32, 9).toString('base64') };
const ORGS = ['org-0', 'org-1', 'org-2'];

/** Runs the child until it has acknowledged `count` writes, ends it, and answers all that it said. */
async function killed(database: string, round: number, count: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--conditions=hanzo-source', CHILD, database, String(round)], {
    env: { ...process.env, ...KEK, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === count) child.kill('SIGKILL');
  }
  await exited;
  if (lines.length < count) throw new Error(`the child ended by itself: ${errors}`);
  return lines;
}

describeStores('kill -9', ({ database, dialect }) => {
  test(
    `${KILLS} times under load: no acknowledged write is lost, chains verify, units equal keys, balances equal entries`,
    async () => {
      const at = await database();
      const told: string[] = [];
      for (let round = 0; round < KILLS; round += 1) told.push(...(await killed(at, round, 60 + 37 * (round % 7))));
      // takes the lock too: nothing stale is in the way
      const store = await createStore({ database: at, exclusive: true });
      try {
        const deps = { store, clock: { now: () => Date.now() }, ids: testIds };
        const audit = createAuditApp(deps);
        const meter = createMeterApp({ ...deps, audit: audit.service, env: {} });
        const iam = createIamApp({ ...deps, audit: audit.service });
        const vault = createVault({ ...deps, keks: loadKeks({ env: KEK }) });
        const apps = [iam, audit, meter, createKmsApp({ vault, audit: audit.service })];
        expect(
          await migrate(
            store,
            apps.flatMap(({ migrations }) => migrations),
          ),
        ).toEqual([]);
        const rows = await store.db<AuditTables>().selectFrom('audit_rows').select('resource_id').execute();
        const keys = await store.db<MeterTables>().selectFrom('meter_keys').select(['org', 'key']).execute();
        const entries = await store.db<MeterTables>().selectFrom('meter_entries').selectAll().execute();
        const secrets = new Set((await Promise.all(ORGS.map((org) => vault.list(org, '')))).flat());
        const organizations = await iam.service.directory.organizations({}, { limit: 1_000_000, offset: 0 });
        const have = new Set([
          ...rows.map(({ resource_id }) => `audit ${resource_id}`),
          ...keys.map(({ key }) => `unit ${key}`),
          ...entries.filter(({ kind }) => kind === 'deposit').map(({ ref }) => `deposit ${ref}`),
          ...[...secrets].map((ref) => `secret ${ref}`),
          ...organizations.rows.map(({ name }) => `organization ${name.slice('made-'.length)}`),
        ]);
        const lines = told.map((line) => line.split(' ') as [string, string, string]);
        const lost = lines.filter(([what, , id]) => what !== 'fee' && !have.has(`${what} ${id}`));
        expect(lost).toEqual([]);
        const fees = (org: string): number => entries.filter((e) => e.org === org && e.kind === 'fee').length;
        for (const org of ORGS) {
          expect(fees(org)).toBeGreaterThanOrEqual(lines.filter(([what, of]) => what === 'fee' && of === org).length);
          const { balance } = await meter.service.ledger.balance(org);
          const own = entries.filter((entry) => entry.org === org);
          expect(own.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(balance);
          expect(await meter.service.units.total({ org })).toBe(keys.filter((key) => key.org === org).length);
        }
        expect(await audit.service.verify()).toMatchObject({ ok: true, rows: rows.length });
        for (const [what, org, id] of lines)
          if (what === 'secret') expect(new TextDecoder().decode(await vault.get(org, id))).toBe(id);
        expect(told.length).toBeGreaterThanOrEqual(60 * KILLS);
        expect(dialect).toBe(store.dialect);
      } finally {
        await store.close();
      }
    },
    60_000 + KILLS * 15_000,
  );
});
