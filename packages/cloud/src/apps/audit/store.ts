// The rows of the record and the end of each organization's chain.
import type { Migration } from '../../ports/store.ts';

export interface AuditTables {
  audit_rows: {
    org: string;
    seq: number;
    time: number;
    action: string;
    resource_type: string;
    resource_id: string | null;
    result: string;
    sub: string;
    /** the row as JSON, without its two hashes */
    body: string;
    prev_hash: string;
    hash: string;
    /** of the append, so that one that was repeated is found out */
    append_id: string;
  };
  audit_heads: { org: string; seq: number; hash: string };
}

export const auditMigrations: readonly Migration[] = [
  {
    name: 'audit-0001-rows',
    async up(db, types) {
      await db.schema
        .createTable('audit_rows')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('seq', types.integer, (c) => c.notNull())
        .addColumn('time', types.integer, (c) => c.notNull())
        .addColumn('action', types.text, (c) => c.notNull())
        .addColumn('resource_type', types.text, (c) => c.notNull())
        .addColumn('resource_id', types.text)
        .addColumn('result', types.text, (c) => c.notNull())
        .addColumn('sub', types.text, (c) => c.notNull())
        .addColumn('body', types.json, (c) => c.notNull())
        .addColumn('prev_hash', types.text, (c) => c.notNull())
        .addColumn('hash', types.text, (c) => c.notNull())
        .addColumn('append_id', types.text, (c) => c.notNull().unique())
        .addPrimaryKeyConstraint('audit_rows_key', ['org', 'seq'])
        .execute();
      await db.schema.createIndex('audit_rows_time').on('audit_rows').columns(['time', 'org', 'seq']).execute();
      await db.schema
        .createTable('audit_heads')
        .addColumn('org', types.text, (c) => c.primaryKey())
        .addColumn('seq', types.integer, (c) => c.notNull())
        .addColumn('hash', types.text, (c) => c.notNull())
        .execute();
    },
  },
];
