// The tables of the function app, in the order they came to be.
import type { Migration } from '../../ports/store.ts';

export const functionMigrations: readonly Migration[] = [
  {
    name: 'function-0001-functions',
    async up(db, types) {
      await db.schema
        .createTable('function_functions')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('description', types.text, (c) => c.notNull())
        .addColumn('source', types.text, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('updated', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('function_functions_key', ['org', 'name'])
        .execute();
    },
  },
];
