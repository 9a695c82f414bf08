// The app `meter`: counts what is used, sets fees aside and books them on the organization's balance.
import type { Charger } from '@hanzo/tool';
import type { App } from '../../core/app.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import type { Meter } from '../../ports/meter.ts';
import { createLedgerCharger, FREE } from './charger.ts';
import { createLedger, type Ledger, type LedgerDeps } from './ledger.ts';
import { feesFrom, formatAmount } from './money.ts';
import { meterOps } from './ops.ts';
import { meterMigrations } from './store.ts';
import { createUnits, type Units } from './units.ts';

export interface MeterOptions extends LedgerDeps {
  readonly audit: Audit;
  /** where fees are set: `CLOUD_TOOLS_FEE_CENTS` and its relatives */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** how priced tools are settled: from the ledger, or (default) not at all */
  readonly charger?: 'none' | 'ledger';
  /** told of units that could not be counted */
  readonly onLost?: (units: readonly unknown[], error: unknown) => void;
}

export interface MeterService extends Meter {
  readonly ledger: Ledger;
  readonly units: Units;
  /** for the registry; undefined: priced tools are refused */
  readonly charger: Charger | undefined;
}

/** How often old keys and holds are taken away, milliseconds. */
const SWEEP_EVERY = 600_000;

export function createMeterApp(options: MeterOptions): App & { readonly service: MeterService } {
  const { store, clock, env, onFault, onLost } = options;
  const fee = feesFrom(env);
  const ledger = createLedger(options);
  const units = createUnits(store, clock, (lost, error) => onLost?.(lost, error));
  let timer: ReturnType<typeof setInterval> | undefined;

  async function sweep(): Promise<void> {
    try {
      await ledger.sweep();
      await units.forget();
    } catch (error) {
      onFault?.(error);
    }
  }

  const service: MeterService = {
    ledger,
    units,
    charger: options.charger === 'ledger' ? createLedgerCharger(ledger) : undefined,

    async gate({ identity }, kind) {
      const amount = fee(kind);
      if (amount === 0n) return FREE;
      const hold = identity && (await ledger.reserve(identity.org, amount, 'fee', kind));
      if (hold !== undefined) return hold;
      throw new Problem(
        402,
        `The balance does not cover the fee of $${formatAmount(amount)}: ask an operator to add to it.`,
        { code: 'insufficient_balance' },
      );
    },

    async count({ identity }, { kind, tool, key }) {
      if (identity === undefined) return;
      const { org, project } = identity;
      await units.count({ org, project: project || 'default', tool, kind, key });
    },
  };

  return {
    name: 'meter',
    title: 'Meter',
    ops: meterOps({ units, ledger, audit: options.audit, ids: options.ids }),
    migrations: meterMigrations,
    service,
    async start() {
      await sweep();
      timer = setInterval(() => void sweep(), SWEEP_EVERY);
      timer.unref();
    },
    async close() {
      clearInterval(timer);
      await Promise.all([ledger.settled(), units.settled()]);
    },
  };
}
