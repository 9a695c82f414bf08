// Sealed values, and each organization's data keys wrapped by a key-encryption key that is not in the database.
import type { Migration } from '../ports/store.ts';

export interface VaultTables {
  vault_keys: {
    org: string;
    id: string;
    kek: string;
    wrapped: Uint8Array;
    created: number;
    /** 1: seals; 0: only opens what it sealed; one a organization seals */
    active: number;
  };
  vault_values: { org: string; ref: string; version: number; key_id: string; sealed: Uint8Array; updated: number };
}

export const vaultMigrations: readonly Migration[] = [
  {
    name: 'vault-0001-values',
    async up(db, types) {
      await db.schema
        .createTable('vault_keys')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('id', types.text, (c) => c.notNull())
        .addColumn('kek', types.text, (c) => c.notNull())
        .addColumn('wrapped', types.bytes, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('active', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('vault_keys_key', ['org', 'id'])
        .execute();
      await db.schema
        .createTable('vault_values')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('ref', types.text, (c) => c.notNull())
        .addColumn('version', types.integer, (c) => c.notNull())
        .addColumn('key_id', types.text, (c) => c.notNull())
        .addColumn('sealed', types.bytes, (c) => c.notNull())
        .addColumn('updated', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('vault_values_key', ['org', 'ref'])
        .execute();
    },
  },
];
