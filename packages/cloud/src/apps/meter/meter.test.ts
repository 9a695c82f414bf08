// What is used is counted once; what is set aside is what is debited; a balance is never spent twice.
import { type Charge, PaymentRequired } from '@hanzo/tool';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../ports/store.ts';
import { describeStores } from '../../store/testkit.ts';
import { person, recordingAudit, statusOf, testCaller, testClock, testContext, testIds } from '../../testing/caller.ts';
import { createMeterApp, type MeterOptions } from './index.ts';
import { feesFrom, formatAmount, parseSigned } from './money.ts';
import { meterMigrations } from './store.ts';

const usd = parseSigned;

function meterOn(store: Store, more: Partial<MeterOptions> = {}) {
  const clock = testClock(Date.UTC(2026, 11, 1));
  const faults: unknown[] = [];
  const app = createMeterApp({
    store,
    clock,
    ids: testIds,
    audit: recordingAudit(),
    env: {},
    onFault: (error) => faults.push(error),
    ...more,
  });
  return { app, clock, faults, service: app.service, ledger: app.service.ledger, call: testCaller(app.ops) };
}

const charge = (org: string, amount: string | undefined, currency?: string): Charge => ({
  principal: { org, project: 'default', user: 'u', owner: org, isAdmin: false },
  tool: {
    name: 't',
    source: 'connector',
    description: '',
    dispatchable: true,
    activated: true,
    ...(amount === undefined ? {} : { price: { amount, currency } }),
  },
  context: { signal: new AbortController().signal },
});

describeStores('the meter', ({ open, database }) => {
  test('a unit is counted once by its key, however often and on however many nodes it is reported', async () => {
    const at = await database();
    const one = meterOn(await open(meterMigrations, { database: at }));
    const two = meterOn(await open(meterMigrations, { database: at }));
    const context = testContext(person('acme'));
    const report = (key: string) =>
      [one, two, one].map(({ service }) => service.count(context, { kind: 'call', tool: 't', key }));
    await Promise.all(Array.from({ length: 100 }, (_, index) => report(`k${index}`)).flat());
    // the same key of another organization is another unit
    await one.service.count(testContext(person('rival')), { kind: 'call', tool: 't', key: 'k1' });
    expect(await one.service.units.total({ org: 'acme' })).toBe(100);
    expect(await two.service.units.total({ org: 'rival' })).toBe(1);
  });

  test('usage is by day, project, tool and kind, of one’s own organization', async () => {
    const { service, clock, call } = meterOn(await open(meterMigrations));
    const count = (org: string, tool: string, project = 'default') =>
      service.count(testContext(person(org, { project })), { kind: 'call', tool, key: testIds.uuid() });
    await count('acme', 'a');
    await count('acme', 'a');
    await count('acme', 'b', 'p1');
    await count('rival', 'a');
    clock.advance(86_400_000);
    await count('acme', 'a');
    expect(await call(person('acme'), 'get_meter_usage')).toEqual({
      usage: [
        { org: 'acme', project: 'default', tool: 'a', kind: 'call', day: '2026-12-02', units: 1 },
        { org: 'acme', project: 'default', tool: 'a', kind: 'call', day: '2026-12-01', units: 2 },
        { org: 'acme', project: 'p1', tool: 'b', kind: 'call', day: '2026-12-01', units: 1 },
      ],
      total: 4,
    });
    expect(await call(person('acme'), 'get_meter_usage', { query: { from: '2026-12-02' } })).toMatchObject({
      total: 1,
    });
    expect(await statusOf(call(person('acme'), 'get_meter_usage', { query: { org: 'rival' } }))).toBe(404);
    expect(await statusOf(call(person('acme'), 'get_meter_usage', { query: { from: 'may' } }))).toBe(400);
    const operator = person('admin', { isOperator: true });
    expect(await call(operator, 'get_meter_usage', { query: { org: 'rival' } })).toMatchObject({ total: 1 });
  });

  test('old keys are forgotten, the sums stay', async () => {
    const { service, clock } = meterOn(await open(meterMigrations));
    const unit = { kind: 'call', tool: 't', key: 'k' };
    await service.count(testContext(person('acme')), unit);
    clock.advance(30 * 86_400_000);
    await service.units.forget();
    await service.count(testContext(person('acme')), unit);
    expect(await service.units.total({ org: 'acme' })).toBe(1);
  });

  test('without a fee nothing is asked of anybody', async () => {
    const store = await open(meterMigrations);
    const { service } = meterOn(store);
    await store.close();
    const hold = await service.gate(testContext(person('acme')), 'call');
    await hold.commit();
  });

  test('a fee that is not covered is a 402 before the work; what was set aside is what is debited', async () => {
    const { service, ledger } = meterOn(await open(meterMigrations), { env: { CLOUD_TOOLS_FEE_CENTS: '0.5' } });
    const context = testContext(person('acme'));
    await expect(service.gate(context, 'call')).rejects.toMatchObject({ status: 402, code: 'insufficient_balance' });
    await ledger.deposit('acme', usd('0.01'), 'd1', '');
    await ledger.deposit('acme', usd('0.01'), 'd1', 'the same again');
    const first = await service.gate(context, 'call');
    const second = await service.gate(context, 'call');
    expect(await statusOf(service.gate(context, 'call'))).toBe(402);
    await second.release();
    await first.commit();
    await first.commit();
    await first.release();
    expect(await ledger.balance('acme')).toEqual({ balance: usd('0.005'), held: 0n });
    const entries = await ledger.entries('acme', 10);
    expect(entries.map(({ kind, amount }) => `${kind} ${formatAmount(amount)}`)).toEqual([
      'fee -0.005',
      'deposit 0.01',
    ]);
  });

  test('100 calls at once on two nodes spend a balance for 60 exactly 60 times', async () => {
    const at = await database();
    const env = { CLOUD_TOOLS_FEE_CENTS: '100' };
    const one = meterOn(await open(meterMigrations, { database: at }), { env });
    const two = meterOn(await open(meterMigrations, { database: at }), { env });
    await one.ledger.deposit('acme', usd('60'), 'd', '');
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const { service } = index % 2 === 0 ? one : two;
        try {
          await (await service.gate(testContext(person('acme')), 'call')).commit();
          return 'paid';
        } catch {
          return 'short';
        }
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(60);
    expect(await one.ledger.balance('acme')).toEqual({ balance: 0n, held: 0n });
  });

  test('what a node that ended had set aside is given back after its time', async () => {
    const at = await database();
    const env = { CLOUD_TOOLS_FEE_CENTS: '100' };
    const one = meterOn(await open(meterMigrations, { database: at }), { env });
    await one.ledger.deposit('acme', usd('1'), 'd', '');
    const late = await one.service.gate(testContext(person('acme')), 'call');
    expect(await statusOf(one.service.gate(testContext(person('acme')), 'call'))).toBe(402);
    one.clock.advance(901_000);
    // the next that needs it finds it
    const next = await one.service.gate(testContext(person('acme')), 'call');
    await next.release();
    // and the work that took so long is charged all the same
    await late.commit();
    expect(await one.ledger.balance('acme')).toEqual({ balance: 0n, held: 0n });
    await one.ledger.deposit('acme', usd('2'), 'd2', '');
    await one.service.gate(testContext(person('acme')), 'call');
    one.clock.advance(901_000);
    await one.ledger.sweep();
    expect(await one.ledger.balance('acme')).toEqual({ balance: usd('2'), held: 0n });
  });

  test('a priced tool is settled from the balance, exactly, down to the last of 18 digits', async () => {
    const { service, ledger } = meterOn(await open(meterMigrations), { charger: 'ledger' });
    const { charger } = service;
    await expect(charger?.reserve(charge('acme', '0.000000000000000001'))).rejects.toThrow(PaymentRequired);
    await (await charger?.reserve(charge('acme', undefined)))?.commit();
    await (await charger?.reserve(charge('acme', '0')))?.commit();
    await ledger.deposit('acme', usd('0.000000000000000003'), 'd', '');
    await (await charger?.reserve(charge('acme', '0.000000000000000001')))?.commit();
    await (await charger?.reserve(charge('acme', '0.000000000000000002')))?.release();
    expect(await ledger.balance('acme')).toEqual({ balance: 2n, held: 0n });
    await expect(charger?.reserve(charge('acme', '1', 'EUR'))).rejects.toThrow('only USD');
    await expect(charger?.reserve(charge('acme', 'much'))).rejects.toThrow(TypeError);
    expect(meterOn(await open(meterMigrations)).service.charger).toBeUndefined();
  });

  test('balances are read by members, booked by operators, and are nobody else’s', async () => {
    const { call } = meterOn(await open(meterMigrations));
    const operator = person('admin', { isOperator: true });
    const deposit = { body: { org: 'acme', amount: '12.50', ref: 'invoice 1' } };
    await call(operator, 'post_meter_deposits', deposit);
    expect(await call(operator, 'post_meter_deposits', deposit)).toMatchObject({ balance: '12.5', available: '12.5' });
    expect(await statusOf(call(person('acme', { isAdmin: true }), 'post_meter_deposits', deposit))).toBe(403);
    expect(await statusOf(call(operator, 'post_meter_deposits', { body: { org: 'acme', amount: '1e3' } }))).toBe(400);
    expect(await call(person('acme'), 'get_meter_balance')).toMatchObject({ org: 'acme', balance: '12.5', held: '0' });
    expect(await call(person('rival'), 'get_meter_balance')).toMatchObject({ org: 'rival', balance: '0' });
    expect(await statusOf(call(person('rival'), 'get_meter_balance', { query: { org: 'acme' } }))).toBe(404);
    expect(await statusOf(call(person('acme'), 'get_meter_entries'))).toBe(403);
    expect(await call(person('acme', { isAdmin: true }), 'get_meter_entries')).toMatchObject({
      entries: [{ seq: 1, kind: 'deposit', amount: '12.5', balance: '12.5', ref: 'invoice 1' }],
    });
  });

  test('whatever is asked in whatever order, the books add up', async () => {
    const store = await open(meterMigrations);
    const { ledger } = meterOn(store);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            org: fc.constantFrom('a', 'b'),
            what: fc.constantFrom('deposit', 'commit', 'release', 'twice'),
            amount: fc.bigInt(0n, 50n),
          }),
          { maxLength: 30 },
        ),
        async (steps) => {
          run += 1;
          const expected = new Map<string, bigint>();
          await Promise.all(
            steps.map(async ({ org, what, amount }, index) => {
              const name = `${org}${run}`;
              const add = (by: bigint) => expected.set(name, (expected.get(name) ?? 0n) + by);
              if (what === 'deposit') {
                await ledger.deposit(name, amount, `${index}`, '');
                add(amount);
                return;
              }
              const hold = await ledger.reserve(name, amount, 'charge', '');
              if (hold === undefined) return;
              if (what === 'release') return hold.release();
              await hold.commit();
              if (what === 'twice') await hold.commit();
              add(-amount);
            }),
          );
          for (const org of ['a', 'b']) {
            const name = `${org}${run}`;
            const { balance, held } = await ledger.balance(name);
            expect([held, balance]).toEqual([0n, expected.get(name) ?? 0n]);
            expect(balance >= 0n).toBe(true);
            const entries = await ledger.entries(name, 1000);
            expect(entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(balance);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('amounts', () => {
  test('are written as the shortest exact decimal', () => {
    for (const text of ['0', '1', '12.5', '-0.000000000000000001', '123456789012345678.123456789012345678'])
      expect(formatAmount(parseSigned(text))).toBe(text);
    expect(() => parseSigned('1e3')).toThrow(TypeError);
    expect(() => parseSigned('--1')).toThrow(TypeError);
  });

  test('fees come from the environment; a kind’s own wins; what is no amount stops the start', () => {
    const fee = feesFrom({ CLOUD_TOOLS_FEE_CENTS: '2', CLOUD_TOOLS_FEE_CENTS_CALL: '0.25', CLOUD_AUTO_FEE_CENTS: '7' });
    expect([fee('call'), fee('other'), fee('automations.run')].map(formatAmount)).toEqual(['0.0025', '0.02', '0.07']);
    expect(feesFrom({})('call')).toBe(0n);
    expect(() => feesFrom({ CLOUD_TOOLS_FEE_CENTS: '-1' })).toThrow('CLOUD_TOOLS_FEE_CENTS must be an amount in cents');
  });
});
