// What the parts of identity share: what they are given, pages, generations, and the look-ups that several need.
import type { Transaction } from 'kysely';
import { Problem } from '../../core/problem.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import type { IamTables } from './store.ts';

export interface IamDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

export interface Span {
  readonly limit: number;
  readonly offset: number;
}

export const DEFAULT_PROJECT = 'default';

/** The generation of everything that decides who somebody is in an organization. */
export function identityGeneration(org: string): string {
  return `iam/${org}`;
}

export type Db = Transaction<IamTables>;

export async function mustBeLive(trx: Db, org: string): Promise<void> {
  const row = await trx
    .selectFrom('iam_organizations')
    .select('name')
    .where('name', '=', org)
    .where('deleted', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new Problem(404, `There is no organization '${org}'.`);
}

/** Of every organization that somebody is a member of. */
export async function touchAllOf(store: Store, trx: Db, userId: string): Promise<void> {
  const rows = await trx.selectFrom('iam_members').select('org').where('user_id', '=', userId).orderBy('org').execute();
  for (const { org } of rows) await store.touch(trx, identityGeneration(org));
}
