// Which tools a scope has switched on: rows, and the same in memory for as long as nothing has changed.
import { type ActivationStore, canonicalScope, type Scope } from '@hanzo/tool';
import type { Transaction } from 'kysely';
import type { Store } from '../../ports/store.ts';
import { generationKey } from './deps.ts';
import type { ToolTables } from './tables.ts';

export type ActivationRow = ToolTables['tool_activations'];

/** Sources whose tools only an admin switches (contract, tool plane 1.8). */
export const GUARDED: ReadonlySet<string> = new Set(['skill', 'mcp']);

/** Scopes kept in memory. */
const MOST_SCOPES = 10_000;

export interface Activations extends ActivationStore {
  /** by name, of exactly this scope */
  rows(scope: Scope): Promise<ReadonlyMap<string, ActivationRow>>;
  /** of all projects of an organization, switched on by an admin: what rides in kits */
  byAdmins(org: string, project: string): Promise<readonly ActivationRow[]>;
  /** inside a transaction that also touches the organization's generation */
  put(db: Transaction<ToolTables>, row: ActivationRow): Promise<void>;
  drop(db: Transaction<ToolTables>, scope: Scope, names: readonly string[]): Promise<void>;
  dropOwner(db: Transaction<ToolTables>, org: string, source: string, owner: string): Promise<void>;
}

/** `descriptorOf` names the descriptor a guarded tool has now, where that is known: one that has changed is not switched on. */
export function createActivations(
  store: Store,
  descriptorOf: (scope: Scope, name: string) => string | undefined,
): Activations {
  const kept = new Map<string, { readonly generation: number; readonly rows: ReadonlyMap<string, ActivationRow> }>();
  const db = () => store.db<ToolTables>();

  async function rows(given: Scope): Promise<ReadonlyMap<string, ActivationRow>> {
    const { org, project } = canonicalScope(given);
    const key = JSON.stringify([org, project]);
    const generation = await store.generation(generationKey(org));
    const known = kept.get(key);
    if (known?.generation === generation) return known.rows;
    const found = await db()
      .selectFrom('tool_activations')
      .selectAll()
      .where('org', '=', org)
      .where('project', '=', project)
      .execute();
    const made = new Map(found.map((row) => [row.name, row]));
    kept.delete(key);
    kept.set(key, { generation, rows: made });
    const [oldest] = kept.keys();
    if (kept.size > MOST_SCOPES && oldest !== undefined) kept.delete(oldest);
    return made;
  }

  return {
    rows,
    async byAdmins(org, project) {
      const all = await rows({ org, project });
      return [...all.values()].filter((row) => row.by_admin === 1);
    },
    async activated(scope, tools) {
      const known = await rows(scope);
      const names = new Set<string>();
      for (const { name, source } of tools) {
        const row = known.get(name);
        if (row !== undefined && holds(row, source, descriptorOf(scope, name))) names.add(name);
      }
      return names;
    },
    async put(trx, row) {
      await trx
        .insertInto('tool_activations')
        .values(row)
        .onConflict((conflict) => conflict.columns(['org', 'project', 'name']).doUpdateSet({ ...row }))
        .execute();
    },
    async drop(trx, given, names) {
      if (names.length === 0) return;
      const { org, project } = canonicalScope(given);
      await trx
        .deleteFrom('tool_activations')
        .where('org', '=', org)
        .where('project', '=', project)
        .where('name', 'in', [...names])
        .execute();
    },
    async dropOwner(trx, org, source, owner) {
      await trx
        .deleteFrom('tool_activations')
        .where('org', '=', org)
        .where('source', '=', source)
        .where('owner', '=', owner)
        .execute();
    },
  };
}

/** Does the row still switch on what has its name now? A name that another source took, or whose tool has changed, is held. */
export function holds(row: ActivationRow, source: string, digest: string | undefined): boolean {
  if (row.source === '') return !GUARDED.has(source) || row.by_admin === 1;
  return row.source === source && (row.digest === '' || digest === undefined || row.digest === digest);
}
