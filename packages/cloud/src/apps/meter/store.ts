// What was counted, what an organization has, and what is set aside of it. Amounts are texts: whole numbers of 10^-18 dollars.
import type { Migration } from '../../ports/store.ts';

export interface MeterTables {
  meter_units: { org: string; project: string; tool: string; kind: string; day: string; units: number };
  /** what was counted already */
  meter_keys: { org: string; key: string; day: string };
  meter_balances: { org: string; balance: string; held: string };
  meter_entries: {
    org: string;
    seq: number;
    time: number;
    kind: string;
    amount: string;
    balance: string;
    ref: string;
    note: string;
  };
  meter_holds: { id: string; org: string; amount: string; note: string; created: number; expires: number };
}

export const meterMigrations: readonly Migration[] = [
  {
    name: 'meter-0001-units',
    async up(db, types) {
      await db.schema
        .createTable('meter_units')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('project', types.text, (c) => c.notNull())
        .addColumn('tool', types.text, (c) => c.notNull())
        .addColumn('kind', types.text, (c) => c.notNull())
        .addColumn('day', types.text, (c) => c.notNull())
        .addColumn('units', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('meter_units_key', ['org', 'day', 'project', 'tool', 'kind'])
        .execute();
      await db.schema
        .createTable('meter_keys')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('key', types.text, (c) => c.notNull())
        .addColumn('day', types.text, (c) => c.notNull())
        .addPrimaryKeyConstraint('meter_keys_key', ['org', 'key'])
        .execute();
      await db.schema.createIndex('meter_keys_day').on('meter_keys').column('day').execute();
    },
  },
  {
    name: 'meter-0002-ledger',
    async up(db, types) {
      await db.schema
        .createTable('meter_balances')
        .addColumn('org', types.text, (c) => c.primaryKey())
        .addColumn('balance', types.text, (c) => c.notNull())
        .addColumn('held', types.text, (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('meter_entries')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('seq', types.integer, (c) => c.notNull())
        .addColumn('time', types.integer, (c) => c.notNull())
        .addColumn('kind', types.text, (c) => c.notNull())
        .addColumn('amount', types.text, (c) => c.notNull())
        .addColumn('balance', types.text, (c) => c.notNull())
        .addColumn('ref', types.text, (c) => c.notNull())
        .addColumn('note', types.text, (c) => c.notNull())
        .addPrimaryKeyConstraint('meter_entries_key', ['org', 'seq'])
        // a deposit or a charge that is reported twice is booked once
        .addUniqueConstraint('meter_entries_ref', ['org', 'kind', 'ref'])
        .execute();
      await db.schema
        .createTable('meter_holds')
        .addColumn('id', types.text, (c) => c.primaryKey())
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('amount', types.text, (c) => c.notNull())
        .addColumn('note', types.text, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('expires', types.integer, (c) => c.notNull())
        .execute();
      await db.schema.createIndex('meter_holds_org').on('meter_holds').columns(['org', 'expires']).execute();
    },
  },
];
