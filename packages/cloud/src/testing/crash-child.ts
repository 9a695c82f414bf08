// A plane's writes in a process of its own, to be ended at any moment. Says on standard output what was acknowledged, a line each.
import { writeSync } from 'node:fs';
import process from 'node:process';
import { createAuditApp } from '../apps/audit/index.ts';
import { createIamApp } from '../apps/iam/index.ts';
import { createMeterApp } from '../apps/meter/index.ts';
import type { Identity } from '../core/identity.ts';
import { createStore, migrate } from '../store/index.ts';
import { createKmsApp } from '../apps/kms/index.ts';
import { createVault, loadKeks } from '../vault/index.ts';
import { testContext, testIds } from './caller.ts';

const [database = '', round = ''] = process.argv.slice(2);
const deps = {
  store: await createStore({ database, synchronous: 'normal', exclusive: true }),
  clock: { now: () => Date.now() },
  ids: testIds,
};
const audit = createAuditApp(deps);
const meter = createMeterApp({ ...deps, audit: audit.service, env: { CLOUD_TOOLS_FEE_CENTS: '1' } });
const iam = createIamApp({ ...deps, audit: audit.service });
const vault = createVault({ ...deps, keks: loadKeks({ env: process.env }) });
const kms = createKmsApp({ vault, audit: audit.service });
await migrate(
  deps.store,
  [iam, audit, meter, kms].flatMap(({ migrations }) => migrations),
);

/** One write, so that a line is whole or not there. */
function acknowledged(...fields: (string | number)[]): void {
  writeSync(1, `${fields.join(' ')}\n`);
}

async function work(worker: number): Promise<never> {
  const org = `org-${worker % 3}`;
  const identity: Identity = {
    org,
    project: 'default',
    user: `user-${worker}`,
    owner: org,
    isAdmin: false,
    isOperator: false,
    kind: 'user',
    method: 'key',
    credential: 'key_1',
    publishable: false,
  };
  for (let number = 0; ; number += 1) {
    const id = `${round}-${worker}-${number}`;
    const context = testContext(identity);
    await meter.service.ledger.deposit(org, 10n ** 16n, id, '');
    acknowledged('deposit', org, id);
    // as a call does it: the fee is set aside, the work done, the fee booked, the unit counted, the record written
    const hold = await meter.service.gate(context, 'call');
    await hold.commit();
    acknowledged('fee', org, id);
    await Promise.all([
      meter.service.count(context, { kind: 'call', tool: 't', key: id }).then(() => acknowledged('unit', org, id)),
      audit.service
        .append(context, {
          action: 'tools.call',
          resource: { type: 'tools', id },
          outcome: { result: 'ok', status: 200 },
        })
        .then(() => acknowledged('audit', org, id)),
    ]);
    await vault.put(org, id, new TextEncoder().encode(id));
    acknowledged('secret', org, id);
    if (number % 5 === 0) {
      await iam.service.directory.createOrganization(`made-${id}`);
      acknowledged('organization', org, id);
    }
  }
}

await Promise.all(Array.from({ length: 6 }, (_, worker) => work(worker)));
