// The prepaid balance of an organization: deposits, amounts set aside for work under way, and what was charged for work done.
import type { Hold } from '@hanzo/tool';
import type { Transaction } from 'kysely';
import { Problem } from '../../core/problem.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { createBatch } from '../../store/batch.ts';
import type { MeterTables } from './store.ts';

export interface LedgerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onFault?: (error: unknown) => void;
}

/** In whole numbers of 10^-18 dollars. */
export interface Balance {
  readonly balance: bigint;
  /** set aside of it */
  readonly held: bigint;
}

export interface Entry extends Omit<MeterTables['meter_entries'], 'amount' | 'balance'> {
  readonly amount: bigint;
  readonly balance: bigint;
}

export interface Ledger {
  balance(org: string): Promise<Balance>;
  /** `ref` makes it count once: the same again changes nothing. A negative amount takes back. */
  deposit(org: string, amount: bigint, ref: string, note: string): Promise<Balance>;
  /** Undefined where the balance does not cover it. Resolves when it is set aside for good. */
  reserve(org: string, amount: bigint, kind: 'fee' | 'charge', note: string): Promise<Hold | undefined>;
  /** newest first; `before` is a `seq` */
  entries(org: string, limit: number, before?: number): Promise<readonly Entry[]>;
  /** gives back what was set aside by nodes that ended */
  sweep(): Promise<void>;
  settled(): Promise<void>;
}

/** Longer than any call may take: what is held longer belongs to a node that is gone. Seconds. */
const HELD_FOR = 900;

type Item =
  | {
      readonly do: 'reserve';
      readonly id: string;
      readonly org: string;
      readonly amount: bigint;
      readonly note: string;
      outcome?: 'held' | 'short';
      error?: unknown;
    }
  | {
      readonly do: 'commit' | 'release';
      readonly id: string;
      readonly org: string;
      readonly amount: bigint;
      readonly kind: string;
      readonly note: string;
    }
  | {
      readonly do: 'deposit';
      readonly org: string;
      readonly amount: bigint;
      readonly ref: string;
      readonly note: string;
      error?: unknown;
    };

export function createLedger({ store, clock, ids, onFault }: LedgerDeps): Ledger {
  const seconds = (): number => Math.floor(clock.now() / 1000);
  const db = () => store.db<MeterTables>();

  const batch = createBatch<Item, MeterTables>(store, {
    size: 200,
    async write(trx, items) {
      const byOrg = Map.groupBy(items, ({ org }) => org);
      // in one order on all nodes, so that none waits for another that waits for it
      for (const org of [...byOrg.keys()].sort()) await book(store, trx, org, byOrg.get(org) ?? [], seconds());
    },
    onLost: (items, error) => {
      for (const item of items) {
        if (item.do === 'reserve' || item.do === 'deposit') item.error = error;
        else onFault?.(new Error(`a ${item.do} of hold ${item.id} of ${item.org} was not booked`, { cause: error }));
      }
    },
  });

  async function balance(org: string): Promise<Balance> {
    const row = await db().selectFrom('meter_balances').selectAll().where('org', '=', org).executeTakeFirst();
    return { balance: BigInt(row?.balance ?? 0), held: BigInt(row?.held ?? 0) };
  }

  return {
    balance,

    async deposit(org, amount, ref, note) {
      const item: Item = { do: 'deposit', org, amount, ref, note };
      await batch.add(item);
      if (item.error !== undefined) throw unbooked(item.error);
      return balance(org);
    },

    async reserve(org, amount, kind, note) {
      const id = ids.uuid();
      const item: Item = { do: 'reserve', id, org, amount, note };
      await batch.add(item);
      if (item.error !== undefined) throw unbooked(item.error);
      if (item.outcome !== 'held') return undefined;
      let open = true;
      const close = async (how: 'commit' | 'release'): Promise<void> => {
        if (!open) return;
        open = false;
        await batch.add({ do: how, id, org, amount, kind, note });
      };
      return { commit: () => close('commit'), release: () => close('release') };
    },

    async entries(org, limit, before) {
      let query = db().selectFrom('meter_entries').selectAll().where('org', '=', org);
      if (before !== undefined) query = query.where('seq', '<', before);
      const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
      return rows.map((row) => ({ ...row, amount: BigInt(row.amount), balance: BigInt(row.balance) }));
    },

    async sweep() {
      const rows = await db()
        .selectFrom('meter_holds')
        .select('org')
        .distinct()
        .where('expires', '<', seconds())
        .execute();
      for (const { org } of rows)
        await store.transaction<MeterTables, void>(
          async (trx) => {
            const account = await lock(store, trx, org);
            const held = account.held - (await expired(trx, org, seconds()));
            await keep(trx, org, { ...account, held });
          },
          { isolation: 'read committed' },
        );
    },

    settled: () => batch.settled(),
  };
}

function unbooked(cause: unknown): Problem {
  return cause instanceof Problem
    ? cause
    : new Problem(503, 'The balance cannot be booked now; nothing was changed.', { code: 'ledger_unavailable', cause });
}

/** The balance's row, locked until the transaction ends. */
async function lock(store: Store, trx: Transaction<MeterTables>, org: string): Promise<Balance> {
  await trx
    .insertInto('meter_balances')
    .values({ org, balance: '0', held: '0' })
    .onConflict((conflict) => conflict.column('org').doNothing())
    .execute();
  const row = await trx
    .selectFrom('meter_balances')
    .selectAll()
    .where('org', '=', org)
    .$if(store.dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  return { balance: BigInt(row.balance), held: BigInt(row.held) };
}

async function keep(trx: Transaction<MeterTables>, org: string, { balance, held }: Balance): Promise<void> {
  await trx
    .updateTable('meter_balances')
    .set({ balance: balance.toString(), held: held.toString() })
    .where('org', '=', org)
    .execute();
}

/** Takes away holds that have outlived their node, from `known` too, and answers what they held. */
async function expired(
  trx: Transaction<MeterTables>,
  org: string,
  now: number,
  known?: Map<string, bigint>,
): Promise<bigint> {
  const rows = await trx
    .deleteFrom('meter_holds')
    .where('org', '=', org)
    .where('expires', '<', now)
    .returning(['id', 'amount'])
    .execute();
  for (const { id } of rows) known?.delete(id);
  return rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** Books everything of one organization in the order it came. Repeating it changes nothing. */
async function book(
  store: Store,
  trx: Transaction<MeterTables>,
  org: string,
  items: readonly Item[],
  now: number,
): Promise<void> {
  let { balance, held } = await lock(store, trx, org);
  const ids = items.flatMap((item) => ('id' in item ? [item.id] : []));
  const known = new Map(
    ids.length === 0
      ? []
      : (await trx.selectFrom('meter_holds').select(['id', 'amount']).where('id', 'in', ids).execute()).map(
          ({ id, amount }) => [id, BigInt(amount)] as const,
        ),
  );
  const refs = items.flatMap((item) => (item.do === 'commit' ? [item.id] : item.do === 'deposit' ? [item.ref] : []));
  const booked = new Set(
    refs.length === 0
      ? []
      : (
          await trx
            .selectFrom('meter_entries')
            .select(['kind', 'ref'])
            .where('org', '=', org)
            .where('ref', 'in', refs)
            .execute()
        ).map(({ kind, ref }) => `${kind} ${ref}`),
  );
  const last = await trx
    .selectFrom('meter_entries')
    .select('seq')
    .where('org', '=', org)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  let seq = last?.seq ?? 0;
  const entries: MeterTables['meter_entries'][] = [];
  const made = new Map<string, MeterTables['meter_holds']>();
  const gone: string[] = [];
  const enter = (kind: string, amount: bigint, ref: string, note: string): void => {
    if (booked.has(`${kind} ${ref}`)) return;
    booked.add(`${kind} ${ref}`);
    seq += 1;
    balance += amount;
    entries.push({
      org,
      seq,
      time: now,
      kind,
      amount: amount.toString(),
      balance: balance.toString(),
      ref,
      note,
    });
  };
  for (const item of items) {
    if (item.do === 'deposit') enter('deposit', item.amount, item.ref, item.note);
    else if (item.do === 'reserve') {
      if (!known.has(item.id)) {
        if (balance - held < item.amount) held -= await expired(trx, org, now, known);
        if (balance - held < item.amount) {
          item.outcome = 'short';
          continue;
        }
        held += item.amount;
        known.set(item.id, item.amount);
        const { id, note } = item;
        made.set(id, { id, org, amount: item.amount.toString(), note, created: now, expires: now + HELD_FOR });
      }
      item.outcome = 'held';
    } else {
      const amount = known.get(item.id);
      if (amount !== undefined) {
        held -= amount;
        known.delete(item.id);
        if (!made.delete(item.id)) gone.push(item.id);
      }
      // work that took longer than its hold lasted was done all the same
      if (item.do === 'commit') enter(item.kind, -item.amount, item.id, item.note);
    }
  }
  if (gone.length > 0) await trx.deleteFrom('meter_holds').where('id', 'in', gone).execute();
  if (made.size > 0)
    await trx
      .insertInto('meter_holds')
      .values([...made.values()])
      .execute();
  if (entries.length > 0) await trx.insertInto('meter_entries').values(entries).execute();
  await keep(trx, org, { balance, held });
}
