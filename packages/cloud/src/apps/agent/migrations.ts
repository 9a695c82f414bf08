// The tables of the agent app, in the order they came to be.
import type { Migration } from '../../ports/store.ts';

export const agentMigrations: readonly Migration[] = [
  {
    name: 'agent-0001-agents',
    async up(db, types) {
      await db.schema
        .createTable('agent_agents')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('description', types.text, (c) => c.notNull())
        .addColumn('url', types.text, (c) => c.notNull())
        .addColumn('has_secret', types.integer, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('updated', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('agent_agents_key', ['org', 'name'])
        .execute();
      await db.schema
        .createTable('agent_runs')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('id', types.text, (c) => c.notNull())
        .addColumn('agent', types.text, (c) => c.notNull())
        .addColumn('who', types.text, (c) => c.notNull())
        .addColumn('status', types.text, (c) => c.notNull())
        .addColumn('output', types.text, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('finished', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('agent_runs_key', ['org', 'id'])
        .execute();
      await db.schema.createIndex('agent_runs_order').on('agent_runs').columns(['org', 'created']).execute();
    },
  },
];
