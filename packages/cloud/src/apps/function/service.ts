// An organization's functions: kept as source, run in an isolate, never in this program's own realm.
import { createLimiter } from '../../core/limiter.ts';
import { Problem } from '../../core/problem.ts';
import type { Isolates } from '../../isolate/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ToolsGone } from '../../ports/gone.ts';
import type { Store } from '../../ports/store.ts';
import { keptByOrg } from '../../store/kept.ts';
import { type FunctionTables, generationKey } from './tables.ts';

export type FunctionRow = FunctionTables['function_functions'];

const LARGEST_SOURCE = 65_536;
const MOST_FUNCTIONS = 200;
/** Of one organization, under way or waiting for a thread. */
const MOST_CONCURRENT = 32;

export interface FunctionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly isolates: Isolates;
  readonly gone?: ToolsGone;
}

/** What a call of a function answers (contract, tool plane 6.4). */
export interface FunctionResult {
  readonly ok: boolean;
  /** 200; 500 it threw; 504 out of time or waiting for nothing; 507 out of memory; 413 its answer is too large */
  readonly statusCode: 200 | 413 | 500 | 504 | 507;
  readonly output: unknown;
  readonly error: string;
}

const CODES = { error: 500, time: 504, pending: 504, memory: 507, output: 413 } as const;

export interface FunctionService {
  /** by name, sorted */
  list(org: string): Promise<ReadonlyMap<string, FunctionRow>>;
  /** Replaces the one of that name. Rejects with Problem 422 for a source that cannot be run, 409, 413. */
  put(
    org: string,
    asked: { readonly name: string; readonly description: string; readonly source: string },
    signal: AbortSignal,
  ): Promise<FunctionRow>;
  /** false where there is none */
  remove(org: string, name: string): Promise<boolean>;
  /** undefined where there is none of that name */
  run(org: string, name: string, input: unknown, signal: AbortSignal): Promise<FunctionResult | undefined>;
}

export const functionTool = (name: string): string => `function_${name}`;

export function createFunctionService({ store, clock, isolates, gone }: FunctionDeps): FunctionService {
  const limiter = createLimiter(MOST_CONCURRENT);
  const load = keptByOrg(store, generationKey, async (org): Promise<ReadonlyMap<string, FunctionRow>> => {
    const rows = await store
      .db<FunctionTables>()
      .selectFrom('function_functions')
      .selectAll()
      .where('org', '=', org)
      .orderBy('name')
      .execute();
    return new Map(rows.map((row) => [row.name, row]));
  });
  const now = (): number => Math.floor(clock.now() / 1000);

  return {
    list: load,

    async put(org, { name, description, source }, signal) {
      if (Buffer.byteLength(source) > LARGEST_SOURCE) {
        throw new Problem(413, `'source' must have at most ${LARGEST_SOURCE} bytes.`);
      }
      const wrong = await limiter.within(org, () => isolates.check(org, source, signal));
      if (wrong !== undefined) throw new Problem(422, `'source' cannot be run: ${wrong}.`, { code: 'invalid_source' });
      return store.transaction<FunctionTables, FunctionRow>(async (trx) => {
        const rows = await trx
          .selectFrom('function_functions')
          .select(['name', 'created'])
          .where('org', '=', org)
          .execute();
        const before = rows.find((row) => row.name === name);
        if (before === undefined && rows.length >= MOST_FUNCTIONS) {
          throw new Problem(409, `An organization has ${MOST_FUNCTIONS} functions at most.`);
        }
        const row: FunctionRow = { org, name, description, source, created: before?.created ?? now(), updated: now() };
        await trx
          .insertInto('function_functions')
          .values(row)
          .onConflict((conflict) => conflict.columns(['org', 'name']).doUpdateSet({ ...row }))
          .execute();
        await store.touch(trx, generationKey(org));
        return row;
      });
    },

    remove: (org, name) =>
      store.transaction<FunctionTables, boolean>(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('function_functions')
          .where('org', '=', org)
          .where('name', '=', name)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await gone?.(trx, org, 'function', [functionTool(name)]);
        await store.touch(trx, generationKey(org));
        return true;
      }),

    async run(org, name, input, signal) {
      const row = (await load(org)).get(name);
      if (row === undefined) return undefined;
      const outcome = await limiter.within(org, () => isolates.run(org, row.source, input, signal));
      return outcome.ok
        ? { ok: true, statusCode: 200, output: outcome.output, error: '' }
        : { ok: false, statusCode: CODES[outcome.kind], output: null, error: outcome.error };
    },
  };
}
