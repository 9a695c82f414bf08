// The tables of the auto app, in the order they came to be.
import type { Migration } from '../../ports/store.ts';

export const autoMigrations: readonly Migration[] = [
  {
    name: 'auto-0001-connectors',
    async up(db, types) {
      await db.schema
        .createTable('auto_connectors')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('definition', types.json, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('updated', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('auto_connectors_key', ['org', 'name'])
        .execute();
    },
  },
];
