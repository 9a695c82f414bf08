// Counts units of work, each once by its key, summed by day. Written in batches.
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { createBatch } from '../../store/batch.ts';
import type { MeterTables } from './store.ts';

export interface Unit {
  readonly org: string;
  readonly project: string;
  readonly tool: string;
  readonly kind: string;
  readonly key: string;
}

export interface UsageFilter {
  /** left out: every organization */
  readonly org?: string;
  readonly project?: string;
  readonly tool?: string;
  readonly kind?: string;
  /** `2026-12-01`, inclusive, UTC */
  readonly from?: string;
  readonly to?: string;
}

export interface Units {
  /** resolves when it is counted for good; never rejects */
  count(unit: Unit): Promise<void>;
  usage(filter: UsageFilter, limit: number): Promise<readonly MeterTables['meter_units'][]>;
  total(filter: UsageFilter): Promise<number>;
  /** forgets keys that are too old to be reported again */
  forget(): Promise<void>;
  settled(): Promise<void>;
}

/** How long a unit that is reported again is known to have been counted, days. */
const KEYS_KEPT = 40;

export function createUnits(
  store: Store,
  clock: Clock,
  onLost: (units: readonly unknown[], error: unknown) => void,
): Units {
  const db = () => store.db<MeterTables>();

  const batch = createBatch<Unit & { readonly day: string }, MeterTables>(store, {
    async write(trx, items) {
      const keys = new Map(items.map((item) => [`${item.org}\n${item.key}`, item]));
      // sorted, so that nodes that report the same keys do not wait for each other
      const wanted = [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
      const fresh = await trx
        .insertInto('meter_keys')
        .values(wanted.map(({ org, key, day }) => ({ org, key, day })))
        .onConflict((conflict) => conflict.columns(['org', 'key']).doNothing())
        .returning(['org', 'key'])
        .execute();
      const sums = new Map<string, MeterTables['meter_units']>();
      for (const { org, key } of fresh) {
        const item = keys.get(`${org}\n${key}`);
        if (item === undefined) continue;
        const { project, tool, kind, day } = item;
        const name = JSON.stringify([org, day, project, tool, kind]);
        const sum = sums.get(name) ?? { org, project, tool, kind, day, units: 0 };
        sums.set(name, { ...sum, units: sum.units + 1 });
      }
      for (const [, sum] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
        await trx
          .insertInto('meter_units')
          .values(sum)
          .onConflict((conflict) =>
            conflict
              .columns(['org', 'day', 'project', 'tool', 'kind'])
              .doUpdateSet((e) => ({ units: e('meter_units.units', '+', sum.units) })),
          )
          .execute();
    },
    onLost,
  });

  function filtered({ org, project, tool, kind, from, to }: UsageFilter) {
    let query = db().selectFrom('meter_units');
    if (org !== undefined) query = query.where('org', '=', org);
    if (project !== undefined) query = query.where('project', '=', project);
    if (tool !== undefined) query = query.where('tool', '=', tool);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (from !== undefined) query = query.where('day', '>=', from);
    if (to !== undefined) query = query.where('day', '<=', to);
    return query;
  }

  return {
    count: (unit) => batch.add({ ...unit, day: dayOf(clock.now()) }),

    usage: (filter, limit) =>
      filtered(filter)
        .selectAll()
        .orderBy('day', 'desc')
        .orderBy('org')
        .orderBy('project')
        .orderBy('tool')
        .orderBy('kind')
        .limit(limit)
        .execute(),

    async total(filter) {
      const row = await filtered(filter)
        .select((e) => e.fn.sum<number | null>('units').as('n'))
        .executeTakeFirst();
      return row?.n ?? 0;
    },

    async forget() {
      const before = dayOf(clock.now() - KEYS_KEPT * 86_400_000);
      await db().deleteFrom('meter_keys').where('day', '<', before).execute();
    },

    settled: () => batch.settled(),
  };
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
