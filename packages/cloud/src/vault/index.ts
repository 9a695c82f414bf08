// The vault: envelope encryption on the store. Key-encryption key (outside) -> an organization's data key -> the value.
import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Problem } from '../core/problem.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';
import type { SecretRef, Vault } from '../ports/vault.ts';
import type { Keks } from './kek.ts';
import { seal, unseal } from './seal.ts';
import type { VaultTables } from './store.ts';

export { type Keks, loadKeks } from './kek.ts';
export { vaultMigrations } from './store.ts';

export interface VaultDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keks: Keks;
}

export interface ManagedVault extends Vault {
  /** Wraps every data key by the newest key-encryption key; answers how many were not yet. Values stay as they are. */
  rewrap(): Promise<number>;
  /** Gives an organization a new data key and seals all its values anew; the old one is destroyed. Answers how many values. */
  rotate(org: string): Promise<number>;
  /** Destroys an organization's values and its data keys: what a backup still has of them opens for nobody who has not that backup's keys. */
  deleteAll(org: string): Promise<void>;
  /** Everything that `keep` does not know, of every organization, a page at a time. */
  orphans(
    keep: (org: string, refs: readonly SecretRef[]) => Promise<ReadonlySet<SecretRef>>,
  ): Promise<readonly Orphan[]>;
}

export interface Orphan {
  readonly org: string;
  readonly ref: SecretRef;
  /** Unix seconds */
  readonly updated: number;
}

type Db = Transaction<VaultTables>;

const PAGE = 500;
/** Data keys that are kept opened in memory. */
const OPENED = 1000;

export function createVault({ store, clock, ids, keks }: VaultDeps): ManagedVault {
  const db = () => store.db<VaultTables>();
  const seconds = (): number => Math.floor(clock.now() / 1000);
  const [newest] = keks;
  const opened = new Map<string, Buffer>();

  function sealing() {
    if (newest === undefined)
      throw new Problem(
        503,
        'Secrets cannot be kept here: no key is set up. Set HANZO_KEK to the base64 of 32 random bytes, and start again.',
        { code: 'vault_unavailable' },
      );
    return newest;
  }

  /** The data key in the clear. `row` is as the store has it. */
  function open(row: Pick<VaultTables['vault_keys'], 'org' | 'id' | 'kek' | 'wrapped'>): Buffer {
    const name = JSON.stringify([row.org, row.id]);
    const known = opened.get(name);
    if (known !== undefined) return known;
    const kek = keks.find(({ id }) => id === row.kek);
    if (kek === undefined)
      throw new Problem(
        503,
        `The secret cannot be opened: it was sealed under the key ${row.kek}, which this plane does not have.`,
        { code: 'vault_key_missing' },
      );
    let key: Buffer;
    try {
      key = unseal(kek.key, row.wrapped, ['key', row.org, row.id, row.kek]);
    } catch (error) {
      throw damaged(error);
    }
    if (opened.size >= OPENED) opened.clear();
    opened.set(name, key);
    return key;
  }

  async function newKey(trx: Db, org: string): Promise<{ id: string; key: Buffer }> {
    const kek = sealing();
    const id = ids.hex(8);
    const key = randomBytes(32);
    await trx
      .insertInto('vault_keys')
      .values({
        org,
        id,
        kek: kek.id,
        wrapped: seal(kek.key, key, ['key', org, id, kek.id]),
        created: seconds(),
        active: 1,
      })
      .execute();
    return { id, key };
  }

  async function activeKey(trx: Db, org: string): Promise<{ id: string; key: Buffer }> {
    const row = await trx
      .selectFrom('vault_keys')
      .selectAll()
      .where('org', '=', org)
      .where('active', '=', 1)
      .executeTakeFirst();
    return row === undefined ? newKey(trx, org) : { id: row.id, key: open(row) };
  }

  async function keep(trx: Db, org: string, ref: string, value: Uint8Array, { id, key }: { id: string; key: Buffer }) {
    const before = await trx
      .selectFrom('vault_values')
      .select('version')
      .where('org', '=', org)
      .where('ref', '=', ref)
      .executeTakeFirst();
    const version = (before?.version ?? 0) + 1;
    const row = {
      version,
      key_id: id,
      sealed: seal(key, value, ['value', org, ref, version, id]),
      updated: seconds(),
    };
    await trx
      .insertInto('vault_values')
      .values({ org, ref, ...row })
      .onConflict((conflict) => conflict.columns(['org', 'ref']).doUpdateSet(row))
      .execute();
  }

  const self: ManagedVault = {
    available: newest !== undefined,

    async put(org, ref, value) {
      sealing();
      await store.transaction<VaultTables, void>(async (trx) => {
        await keep(trx, org, ref, value, await activeKey(trx, org));
      });
    },

    async get(org, ref) {
      const row = await db()
        .selectFrom('vault_values as v')
        .leftJoin('vault_keys as k', (join) => join.onRef('k.org', '=', 'v.org').onRef('k.id', '=', 'v.key_id'))
        .select(['v.version', 'v.sealed', 'v.key_id as id', 'k.kek', 'k.wrapped'])
        .where('v.org', '=', org)
        .where('v.ref', '=', ref)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { id, kek, wrapped } = row;
      if (kek === null || wrapped === null) throw damaged(new Error(`the data key ${id} is not there`));
      const key = open({ org, id, kek, wrapped });
      try {
        return unseal(key, row.sealed, ['value', org, ref, row.version, row.id]);
      } catch (error) {
        throw damaged(error);
      }
    },

    async delete(org, ref) {
      await db().deleteFrom('vault_values').where('org', '=', org).where('ref', '=', ref).execute();
    },

    async list(org, prefix) {
      const rows = await db()
        .selectFrom('vault_values')
        .select('ref')
        .where('org', '=', org)
        .where('ref', '>=', prefix)
        // the last of all characters: text is ordered by its bytes on both stores
        .where('ref', '<', `${prefix}\u{10ffff}`)
        .orderBy('ref')
        .execute();
      return rows.map(({ ref }) => ref);
    },

    async rewrap() {
      const kek = sealing();
      let count = 0;
      for (;;) {
        const done = await store.transaction<VaultTables, number>(async (trx) => {
          const rows = await trx
            .selectFrom('vault_keys')
            .selectAll()
            .where('kek', '!=', kek.id)
            .orderBy('org')
            .orderBy('id')
            .limit(PAGE)
            .execute();
          for (const row of rows)
            await trx
              .updateTable('vault_keys')
              .set({ kek: kek.id, wrapped: seal(kek.key, open(row), ['key', row.org, row.id, kek.id]) })
              .where('org', '=', row.org)
              .where('id', '=', row.id)
              .execute();
          return rows.length;
        });
        count += done;
        if (done < PAGE) return count;
      }
    },

    async rotate(org) {
      sealing();
      const count = await store.transaction<VaultTables, number>(async (trx) => {
        const old = await trx.selectFrom('vault_keys').selectAll().where('org', '=', org).execute();
        await trx.updateTable('vault_keys').set({ active: 0 }).where('org', '=', org).execute();
        const fresh = await newKey(trx, org);
        const values = await trx.selectFrom('vault_values').selectAll().where('org', '=', org).execute();
        for (const row of values) {
          const from = old.find(({ id }) => id === row.key_id);
          if (from === undefined) throw damaged(new Error(`the data key ${row.key_id} is not there`));
          const key = open(from);
          const value = unseal(key, row.sealed, ['value', org, row.ref, row.version, row.key_id]);
          await keep(trx, org, row.ref, value, fresh);
        }
        await trx.deleteFrom('vault_keys').where('org', '=', org).where('active', '=', 0).execute();
        return values.length;
      });
      forget(org);
      return count;
    },

    async deleteAll(org) {
      await store.transaction<VaultTables, void>(async (trx) => {
        await trx.deleteFrom('vault_values').where('org', '=', org).execute();
        await trx.deleteFrom('vault_keys').where('org', '=', org).execute();
      });
      forget(org);
    },

    async orphans(keepOf) {
      const found: Orphan[] = [];
      let after = { org: '', ref: '' };
      for (;;) {
        const rows = await db()
          .selectFrom('vault_values')
          .select(['org', 'ref', 'updated'])
          .where((e) => e.or([e('org', '>', after.org), e.and([e('org', '=', after.org), e('ref', '>', after.ref)])]))
          .orderBy('org')
          .orderBy('ref')
          .limit(PAGE)
          .execute();
        for (const [org, ofOrg] of Map.groupBy(rows, (row) => row.org)) {
          const kept = await keepOf(
            org,
            ofOrg.map(({ ref }) => ref),
          );
          found.push(...ofOrg.filter(({ ref }) => !kept.has(ref)));
        }
        const end = rows.at(-1);
        if (end === undefined || rows.length < PAGE) return found;
        after = end;
      }
    },
  };

  function forget(org: string): void {
    for (const [name, key] of opened)
      if ((JSON.parse(name) as [string])[0] === org) {
        key.fill(0);
        opened.delete(name);
      }
  }

  return self;
}

function damaged(cause: unknown): Problem {
  return new Problem(500, 'The sealed value does not open: it was changed, or moved from another place.', {
    code: 'vault_damaged',
    cause,
  });
}
