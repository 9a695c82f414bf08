// Tenancy as a property: whoever calls whatever with whatever names, another organization's rows neither show nor change.
import * as fc from 'fast-check';
import process from 'node:process';
import { expect, test } from 'vitest';
import { createAuditApp } from '../apps/audit/index.ts';
import { auditMigrations } from '../apps/audit/store.ts';
import { createIamApp } from '../apps/iam/index.ts';
import { iamMigrations } from '../apps/iam/migrations.ts';
import { createKmsApp } from '../apps/kms/index.ts';
import { createMeterApp } from '../apps/meter/index.ts';
import { meterMigrations } from '../apps/meter/store.ts';
import type { Identity } from '../core/identity.ts';
import { Problem } from '../core/problem.ts';
import type { Store } from '../ports/store.ts';
import { describeStores } from '../store/testkit.ts';
import { createVault, loadKeks, vaultMigrations } from '../vault/index.ts';
import { type RawInput, testCaller, testClock, testContext, testIds } from './caller.ts';

/** Sequences of 40 operations; more for the bench. */
const RUNS = Number(process.env.HANZO_TEST_RUNS ?? 12);
const ORGS = ['acme', 'Acme', 'acme-2'];
/** The same in every organization, so that a lookup that forgets the organization finds another's. */
const NAMES = ['root', 'alice', 'bob', 'p1', 'robot', 'shared', 'default'];

const TABLES: Readonly<Record<string, string>> = {
  iam_organizations: 'name',
  iam_users: 'owner',
  iam_members: 'org',
  iam_projects: 'org',
  iam_keys: 'org',
  audit_rows: 'org',
  audit_heads: 'org',
  meter_units: 'org',
  meter_keys: 'org',
  meter_balances: 'org',
  meter_entries: 'org',
  meter_holds: 'org',
  vault_keys: 'org',
  vault_values: 'org',
};

/** Every row that is not of `org`, as one text. */
async function others(store: Store, org: string): Promise<string> {
  const found: string[] = [];
  for (const [table, column] of Object.entries(TABLES)) {
    const rows = await store
      .db<Record<string, Record<string, string>>>()
      .selectFrom(table)
      .selectAll()
      .where(column, '!=', org)
      .execute();
    found.push(
      ...rows
        .map(
          (row) =>
            `${table} ${JSON.stringify(row, (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value))}`,
        )
        .sort(),
    );
  }
  return found.join('\n');
}

async function planeOn(store: Store) {
  const deps = { store, clock: testClock(), ids: testIds };
  const audit = createAuditApp(deps);
  const iam = createIamApp({ ...deps, audit: audit.service });
  const meter = createMeterApp({ ...deps, audit: audit.service, env: {} });
  const keks = loadKeks({ env: { HANZO_KEK: Buffer.alloc(32, 3).toString('base64') } });
  const vault = createVault({ ...deps, keks });
  const kms = createKmsApp({ vault, audit: audit.service });
  const apps = [iam, audit, meter, kms];
  const { directory, keys } = iam.service;
  const callers: Identity[] = [];
  const identify = async (secret: string): Promise<Identity> => {
    const identity = await iam.service.ingress.identify(new Headers({ authorization: `Bearer ${secret}` }));
    if (identity === undefined) throw new Error('nobody');
    return identity;
  };
  // each organization holds its own mark wherever a text can stand
  for (const org of ORGS) {
    const mark = `mark-of-${org}-end`;
    await directory.createOrganization(org, mark);
    for (const name of ['root', 'alice', 'bob']) {
      const { user } = await directory.createUser({ owner: org, name, displayName: mark, isAdmin: name === 'root' });
      const { secret } = await keys.create({ org, name, userId: user.id });
      callers.push(await identify(secret));
    }
    await directory.createProject(org, 'p1', mark);
    callers.push(await identify((await keys.create({ org, name: 'robot' })).secret));
    const [root] = callers.slice(-4);
    await vault.put(org, `orgs/${org}/secrets/default/shared`, new TextEncoder().encode(mark));
    await meter.service.ledger.deposit(org, 1n, mark, mark);
    const context = testContext(root);
    await meter.service.count(context, { kind: 'call', tool: mark, key: 'shared' });
    await audit.service.append(context, {
      action: 'tools.call',
      resource: { type: 'tools', id: mark },
      outcome: { result: 'ok', status: 200 },
    });
  }
  return { apps, callers, call: testCaller(apps.flatMap(({ ops }) => ops)) };
}

const name = fc.constantFrom(...NAMES);
const org = fc.constantFrom(...ORGS);
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const userRef = fc.tuple(org, name).map((parts) => parts.join('/'));

/** Everything that any operation takes, at random. */
const input: fc.Arbitrary<RawInput> = fc.record({
  params: fc.record({ owner: org, name: fc.oneof(name, org) }),
  query: fc.record({ owner: maybe(org), org: maybe(org), user: maybe(userRef), email: fc.constant(undefined) }),
  body: fc.record({
    owner: maybe(org),
    org: maybe(org),
    name: maybe(name),
    user: fc.oneof(
      userRef,
      fc.constant(undefined),
      fc.record({
        owner: maybe(org),
        name,
        isAdmin: maybe(fc.boolean()),
        isForbidden: maybe(fc.boolean()),
      }),
    ),
    isAdmin: maybe(fc.boolean()),
    machine: maybe(fc.boolean()),
    scope: maybe(name),
    value: fc.constant('a value'),
    displayName: fc.constant('changed'),
    amount: fc.constant('1'),
    ref: name,
  }),
});

describeStores('tenancy', ({ open }) => {
  test('another organization’s rows neither show nor change, whatever is called', { timeout: 600_000 }, async () => {
    let calls = 0;
    let done = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ who: fc.nat(), what: fc.nat(), input }), { minLength: 40, maxLength: 40 }),
        async (steps) => {
          const store = await open([...iamMigrations, ...auditMigrations, ...meterMigrations, ...vaultMigrations]);
          const { apps, callers, call } = await planeOn(store);
          const ops = apps.flatMap((app) => app.ops);
          for (const { who, what, input: given } of steps) {
            const caller = callers[who % callers.length] as Identity;
            const id = ops[what % ops.length]?.id ?? '';
            const before = await others(store, caller.org);
            calls += 1;
            let said: string;
            try {
              said = JSON.stringify((await call(caller, id, given)) ?? null);
              done += 1;
            } catch (error) {
              if (!(error instanceof Problem) || error.status >= 500) throw error;
              said = JSON.stringify([error.message, error.more]);
            }
            for (const other of ORGS)
              if (other !== caller.org) expect([id, said.includes(`mark-of-${other}-end`)]).toEqual([id, false]);
            expect(await others(store, caller.org)).toBe(before);
          }
          await store.close();
        },
      ),
      { numRuns: RUNS },
    );
    // most are refused, and must be; but not all
    expect(done).toBeGreaterThan(calls / 10);
  });
});
