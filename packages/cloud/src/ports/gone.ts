// Port: who must know that tools are gone, so that what later takes their names is not switched on by a choice made for them.
import type { Transaction } from 'kysely';

/** Called inside the transaction that removes the tools (contract, tool plane 10, point 14). */
export type ToolsGone = <T>(
  trx: Transaction<T>,
  org: string,
  source: string,
  names: readonly string[],
) => Promise<void>;
