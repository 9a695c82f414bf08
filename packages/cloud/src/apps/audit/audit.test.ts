// The record: durable when it says so, one unbroken chain for each organization, and nothing secret in it.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Identity } from '../../core/identity.ts';
import type { Store } from '../../ports/store.ts';
import { describeStores } from '../../store/testkit.ts';
import { person, statusOf, testCaller, testClock, testContext, testIds } from '../../testing/caller.ts';
import { canonicalJson } from './canonical.ts';
import { type AuditRow, GENESIS, rowHash, verifyRows } from './chain.ts';
import { createAuditApp } from './index.ts';
import { redact } from './redact.ts';
import { type AuditTables, auditMigrations } from './store.ts';

const entry = (id: string, more: object = {}) => ({
  action: 'tools.call',
  resource: { type: 'tools', id },
  outcome: { result: 'ok', status: 200 },
  ...more,
});

function auditOn(store: Store) {
  const lost: unknown[] = [];
  const clock = testClock();
  const app = createAuditApp({ store, clock, ids: testIds, onLost: (rows) => lost.push(...rows) });
  return { app, service: app.service, clock, lost, call: testCaller(app.ops) };
}

async function all(rows: AsyncIterable<AuditRow>): Promise<AuditRow[]> {
  const found: AuditRow[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

describeStores('the record', ({ open, database }) => {
  test('a row says who did what, and the first follows 64 zeros', async () => {
    const { service } = auditOn(await open(auditMigrations));
    const context = testContext(person('acme', { email: 'a@acme.example', isAdmin: true }), {
      ip: '203.0.113.9',
      userAgent: 'curl/8',
      requestId: 'r1',
      path: '/v1/tool/call',
    });
    await service.append(context, entry('core_code', { before: { a: 1 }, after: { a: 2 } }));
    const [row] = await all(service.rows('acme'));
    const { hash, ...rest } = row as AuditRow;
    expect(rest).toEqual({
      seq: 1,
      time: 1_790_000_000,
      actor: { org: 'acme', sub: 'acme-user', email: 'a@acme.example' },
      action: 'tools.call',
      resource: { type: 'tools', id: 'core_code' },
      auth: { method: 'key', isAdmin: true },
      outcome: { result: 'ok', status: 200 },
      sourceIp: '203.0.113.9',
      userAgent: 'curl/8',
      requestId: 'r1',
      method: 'POST',
      path: '/v1/tool/call',
      before: { a: 1 },
      after: { a: 2 },
      prevHash: GENESIS,
    });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('two nodes under load make one chain for each organization, without a fork or a gap', async () => {
    const at = await database();
    const one = auditOn(await open(auditMigrations, { database: at }));
    const two = auditOn(await open(auditMigrations, { database: at }));
    const orgs = ['acme', 'rival', 'third'];
    await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        (index % 2 === 0 ? one : two).service.append(
          testContext(person(orgs[index % 3] as string)),
          entry(`tool_${index}`),
        ),
      ),
    );
    const verdict = await two.service.verify();
    expect(verdict).toMatchObject({ ok: true, rows: 600 });
    for (const org of orgs) expect((await all(one.service.rows(org))).map(({ seq }) => seq)).toEqual(range(200));
    expect([...one.lost, ...two.lost]).toEqual([]);
  });

  test('rows that are changed, dropped or put in are found in the store', async () => {
    const store = await open(auditMigrations);
    const { service } = auditOn(store);
    const db = store.db<AuditTables>();
    for (const id of ['a', 'b', 'c', 'd']) await service.append(testContext(person('acme')), entry(id));
    const row = await db.selectFrom('audit_rows').selectAll().where('seq', '=', 2).executeTakeFirstOrThrow();
    const set = (body: string) => db.updateTable('audit_rows').set({ body }).where('seq', '=', 2).execute();
    await set(row.body.replace('"ok"', '"no"'));
    expect(await service.verify()).toMatchObject({
      ok: false,
      broken: { org: 'acme', seq: 2, reason: 'its content is not what its hash was made of' },
    });
    await set(row.body);
    expect((await service.verify()).ok).toBe(true);
    await db.deleteFrom('audit_rows').where('seq', '=', 4).execute();
    expect(await service.verify()).toMatchObject({
      ok: false,
      broken: { org: 'acme', seq: 4, reason: expect.stringContaining('rows are missing at its end') as string },
    });
    await db.deleteFrom('audit_rows').where('seq', '=', 2).execute();
    expect(await service.verify()).toMatchObject({
      ok: false,
      broken: { seq: 3, reason: expect.stringContaining('where 2 is due') as string },
    });
  });

  test('an admin reads their own organization’s, an operator everybody’s, a member none', async () => {
    const { service, call, clock } = auditOn(await open(auditMigrations));
    for (const id of ['1', '2', '3']) {
      await service.append(testContext(person('acme')), entry(id));
      await service.append(testContext(person('rival')), entry(id));
      clock.advance(1000);
    }
    const admin = person('acme', { isAdmin: true });
    const read = async (who: Identity, query = {}) =>
      (await call(who, 'get_audit', { query })) as { rows: AuditRow[]; cursor?: string };
    const own = await read(admin);
    expect(own.rows.map(({ actor, resource }) => `${actor.org} ${resource.id}`)).toEqual([
      'acme 3',
      'acme 2',
      'acme 1',
    ]);
    expect(await statusOf(read(admin, { org: 'rival' }))).toBe(404);
    expect(await statusOf(read(person('acme')))).toBe(403);
    expect(await statusOf(read(admin, { cursor: 'x' }))).toBe(400);
    expect(await statusOf(read(admin, { since: 'yesterday' }))).toBe(400);
    const operator = person('admin', { isOperator: true });
    expect((await read(operator)).rows).toHaveLength(6);
    expect((await read(operator, { org: 'rival', resource: '2' })).rows).toHaveLength(1);
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(operator, { limit: '4', ...(cursor === undefined ? {} : { cursor }) });
      pages.push(...page.rows.map(({ actor, seq }) => `${actor.org} ${seq}`));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(pages).toEqual(['rival 3', 'acme 3', 'rival 2', 'acme 2', 'rival 1', 'acme 1']);
  });

  test('nothing secret gets in, wherever it stands', async () => {
    const store = await open(auditMigrations);
    const { service } = auditOn(store);
    const canary = `sk-${'c0ffee'.repeat(8)}`;
    await service.append(
      testContext(person('acme'), { path: `/v1/x/${canary}`, userAgent: `agent ${canary}` }),
      entry(canary, {
        outcome: { result: 'error', status: 424, reason: `upstream said Bearer ${canary}` },
        before: { secret: 'hunter2-canary', nested: [{ apiKey: 'k-canary', note: canary }] },
        after: { hasSecret: true, authHeader: 'X-Key', password: 'p-canary' },
      }),
    );
    const kept = JSON.stringify(await store.db<AuditTables>().selectFrom('audit_rows').selectAll().execute());
    expect(kept).not.toContain(canary);
    expect(kept).not.toMatch(/(?:hunter2|k|p)-canary/);
    expect(kept).toContain('hasSecret\\":true');
  });

  test('odd text comes back as it was: NUL, lone surrogates made whole, every script', async () => {
    const store = await open(auditMigrations);
    const { service } = auditOn(store);
    await service.append(testContext(person('acme')), entry('a\0b', { after: { text: 'ä\0😀\u2028\ud800' } }));
    const [row] = await all(service.rows());
    expect(row?.resource.id).toBe('a\0b');
    expect((await service.verify()).ok).toBe(true);
  });

  test('what cannot be written is told, with the rows, and the caller goes on', async () => {
    const store = await open(auditMigrations);
    const { service, lost } = auditOn(store);
    await store.close();
    await service.append(testContext(person('acme')), entry('x'));
    expect(lost).toMatchObject([{ action: 'tools.call', actor: { org: 'acme' } }]);
  });
});

describe('the chain', () => {
  const base = { time: 1, actor: { org: 'acme', sub: 'u' }, action: 'a', resource: { type: 't' } };
  const rest = { ...base, auth: { method: 'key', isAdmin: false }, outcome: { result: 'ok', status: 200 } };
  function chain(length: number): AuditRow[] {
    let prevHash = GENESIS;
    return range(length).map((seq) => {
      const row = { seq, ...rest, prevHash, hash: rowHash({ seq, ...rest }, prevHash) };
      prevHash = row.hash;
      return row;
    });
  }

  test('the hash is over the canonical row with both hash members empty, then the previous hash', () => {
    expect(canonicalJson({ ...rest, seq: 1, prevHash: '', hash: '' })).toBe(
      '{"action":"a","actor":{"org":"acme","sub":"u"},"auth":{"isAdmin":false,"method":"key"},"hash":"",' +
        '"outcome":{"result":"ok","status":200},"prevHash":"","resource":{"type":"t"},"seq":1,"time":1}',
    );
    expect(rowHash({ seq: 1, ...rest }, GENESIS)).toBe(
      'ca4fe7b0d35ddd71f08c1a72f1f2ed0d3d633f4f39c183de1d9ce9d3fe6fa295',
    );
  });

  test('any one change of any one row is found, at that row', async () => {
    const whole = chain(8);
    expect((await verifyRows(whole)).ok).toBe(true);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 7 }),
        fc.constantFrom('drop', 'double', 'swap', 'edit', 'rehash'),
        async (at, how) => {
          const rows = whole.map((row) => ({ ...row }));
          const row = rows[at] as AuditRow;
          if (how === 'drop') rows.splice(at, 1);
          if (how === 'double') rows.splice(at, 0, row);
          if (how === 'swap') rows.splice(Math.min(at, 6), 2, rows[Math.min(at, 6) + 1]!, rows[Math.min(at, 6)]!);
          if (how === 'edit') rows[at] = { ...row, action: 'b' };
          // whoever also makes the hash anew breaks the row after it
          if (how === 'rehash') {
            const { hash: _, prevHash, ...others } = { ...row, action: 'b' };
            rows[at] = { ...others, prevHash, hash: rowHash(others, prevHash) };
          }
          const verdict = await verifyRows(rows);
          const unseen = at === 7 && (how === 'drop' || how === 'rehash');
          expect(verdict.ok).toBe(unseen);
          const heads = new Map([['acme', { seq: 8, hash: (whole[7] as AuditRow).hash }]]);
          expect((await verifyRows(rows, heads)).ok).toBe(false);
        },
      ),
    );
  });

  test('canonical JSON is as RFC 8785 has it', () => {
    expect(canonicalJson({ '€': 1, '\r': 2, '1': 3, '\ufb33': 4, '😀': 5, '\u0080': 6, ö: 7 })).toBe(
      '{"\\r":2,"1":3,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":4}',
    );
    expect(canonicalJson([333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0]',
    );
    expect(canonicalJson('€$\u000f\nA\'B"\\"/')).toBe(String.raw`"€$\u000f\nA'B\"\\\"/"`);
    expect(() => canonicalJson(Number.NaN)).toThrow(TypeError);
  });

  test('a value of any shape is made fit to keep', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const kept = redact(value);
        if (kept !== undefined) expect(canonicalJson(JSON.parse(canonicalJson(kept)))).toBe(canonicalJson(kept));
      }),
    );
  });
});

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}
