// Reading what was used and what is left; operators book deposits.
import { z } from 'zod';
import type { Identity } from '../../core/identity.ts';
import { op, type Op, type OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import type { Ids } from '../../ports/clock.ts';
import type { Ledger } from './ledger.ts';
import { formatAmount, parseSigned } from './money.ts';
import type { Units } from './units.ts';

interface Deps {
  readonly units: Units;
  readonly ledger: Ledger;
  readonly audit: Audit;
  readonly ids: Ids;
}

const text = z.string().max(300).optional();
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day, as 2026-12-01')
  .optional();
const Amount = z
  .string()
  .regex(/^-?\d{1,18}(?:\.\d{1,18})?$/, 'must be a decimal amount, as 12.50')
  .describe('US dollars, an exact decimal');
const BalanceOut = z.object({
  org: z.string(),
  balance: Amount,
  held: Amount.describe('of it, set aside for calls under way'),
  available: Amount,
  currency: z.literal('USD'),
});
const limit = (fallback: number, most: number) =>
  z
    .string()
    .optional()
    .describe(`default ${fallback}, at most ${most}`)
    .transform((value) => (/^[1-9]\d{0,8}$/.test(value ?? '') ? Math.min(Number(value), most) : fallback));

const app = 'meter';
const OTHER = { 404: 'another organization' };

function caller({ identity }: OpContext): Identity {
  if (identity === undefined) throw new Problem(401, 'A credential is needed.');
  return identity;
}

function ownOr(context: OpContext, org: string | undefined): string {
  const identity = caller(context);
  if (org === undefined || org === identity.org) return identity.org;
  if (identity.isOperator) return org;
  throw new Problem(404, `There is no organization '${org}'.`);
}

export function meterOps({ units, ledger, audit, ids }: Deps): readonly Op[] {
  async function balanceOf(org: string) {
    const { balance, held } = await ledger.balance(org);
    return {
      org,
      balance: formatAmount(balance),
      held: formatAmount(held),
      available: formatAmount(balance - held),
      currency: 'USD' as const,
    };
  }

  return [
    op({
      id: 'get_meter_usage',
      app,
      method: 'GET',
      path: '/v1/meter/usage',
      summary: 'Lists what the organization has used, by day, project, tool and kind.',
      auth: 'member',
      input: {
        query: z.object({
          org: text.describe('for operators'),
          project: text,
          tool: text,
          kind: text,
          from: day.describe('first day, UTC'),
          to: day.describe('last day, UTC'),
          limit: limit(1000, 10_000),
        }),
      },
      answer: z.object({
        usage: z.array(
          z.object({
            org: z.string(),
            project: z.string(),
            tool: z.string(),
            kind: z.string(),
            day: z.string(),
            units: z.int(),
          }),
        ),
        total: z.int().describe('units in all, also of rows beyond the limit'),
      }),
      refusals: OTHER,
      async run(context, { query: { limit: most, ...filter } }) {
        const mine = { ...filter, org: ownOr(context, filter.org) };
        return { usage: [...(await units.usage(mine, most))], total: await units.total(mine) };
      },
    }),
    op({
      id: 'get_meter_balance',
      app,
      method: 'GET',
      path: '/v1/meter/balance',
      summary: 'Reads the organization’s prepaid balance.',
      auth: 'member',
      input: { query: z.object({ org: text.describe('for operators') }) },
      answer: BalanceOut,
      refusals: OTHER,
      run: (context, { query }) => balanceOf(ownOr(context, query.org)),
    }),
    op({
      id: 'get_meter_entries',
      app,
      method: 'GET',
      path: '/v1/meter/entries',
      summary: 'Lists what was booked on the balance, newest first.',
      auth: 'admin',
      input: {
        query: z.object({
          org: text.describe('for operators'),
          before: z
            .string()
            .regex(/^\d{1,15}$/, 'must be a number')
            .optional()
            .describe('rows with a smaller seq'),
          limit: limit(100, 1000),
        }),
      },
      answer: z.object({
        entries: z.array(
          z.object({
            seq: z.int(),
            time: z.int(),
            kind: z.string().describe('deposit, fee or charge'),
            amount: Amount,
            balance: Amount.describe('after it'),
            ref: z.string(),
            note: z.string(),
          }),
        ),
      }),
      refusals: OTHER,
      async run(context, { query }) {
        const before = query.before === undefined ? undefined : Number(query.before);
        const rows = await ledger.entries(ownOr(context, query.org), query.limit, before);
        return {
          entries: rows.map(({ seq, time, kind, amount, balance, ref, note }) => ({
            seq,
            time,
            kind,
            amount: formatAmount(amount),
            balance: formatAmount(balance),
            ref,
            note,
          })),
        };
      },
    }),
    op({
      id: 'post_meter_deposits',
      app,
      method: 'POST',
      path: '/v1/meter/deposits',
      summary: 'Books a deposit on an organization’s balance, or takes one back.',
      auth: 'operator',
      internal: true,
      input: {
        body: z.object({
          org: z.string().trim().min(1).max(128),
          amount: Amount.describe('US dollars, an exact decimal; negative takes back'),
          ref: z.string().trim().min(1).max(128).optional().describe('the same again is booked once'),
          note: z.string().trim().max(300).optional(),
        }),
      },
      answer: BalanceOut,
      status: 201,
      async run(context, { body }) {
        const ref = body.ref ?? ids.uuid();
        await ledger.deposit(body.org, parseSigned(body.amount), ref, body.note ?? '');
        await audit.append(context, {
          action: 'meter.deposit',
          resource: { type: 'balances', id: body.org },
          outcome: { result: 'ok', status: 201 },
          after: { amount: body.amount, ref },
        });
        return balanceOf(body.org);
      },
    }),
  ];
}
