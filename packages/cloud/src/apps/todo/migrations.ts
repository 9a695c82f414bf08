// The tables of the todo app, in the order they came to be.
import type { Migration } from '../../ports/store.ts';

export const todoMigrations: readonly Migration[] = [
  {
    name: 'todo-0001-boards',
    async up(db, types) {
      await db.schema
        .createTable('todo_boards')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('id', types.text, (c) => c.notNull())
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('todo_boards_key', ['org', 'id'])
        .execute();
      await db.schema
        .createTable('todo_items')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('id', types.text, (c) => c.notNull())
        .addColumn('board', types.text, (c) => c.notNull())
        .addColumn('title', types.text, (c) => c.notNull())
        .addColumn('notes', types.text, (c) => c.notNull())
        .addColumn('status', types.text, (c) => c.notNull())
        .addColumn('priority', types.text, (c) => c.notNull())
        .addColumn('source', types.text, (c) => c.notNull())
        .addColumn('who', types.text, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('updated', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('todo_items_key', ['org', 'id'])
        .execute();
      await db.schema.createIndex('todo_items_order').on('todo_items').columns(['org', 'board', 'created']).execute();
    },
  },
];
