// Rows of an organization, kept in memory until its generation moves: what every source of tools lists from.
import type { Store } from '../ports/store.ts';

/** Organizations kept by each reader. */
const MOST = 2000;

/** Reads through memory: `load` runs again once `store.touch` has raised the generation named by `keyOf`, on whatever node. */
export function keptByOrg<R>(
  store: Store,
  keyOf: (org: string) => string,
  load: (org: string) => Promise<R>,
): (org: string) => Promise<R> {
  const kept = new Map<string, { readonly generation: number; readonly value: R }>();
  return async (org) => {
    // before the rows: what is written between the two is then read once more, never missed
    const generation = await store.generation(keyOf(org));
    const known = kept.get(org);
    if (known?.generation === generation) return known.value;
    const value = await load(org);
    kept.delete(org);
    kept.set(org, { generation, value });
    const [oldest] = kept.keys();
    if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}
