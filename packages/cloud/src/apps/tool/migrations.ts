// The tables of the tool app, in the order they came to be.
import type { Migration } from '../../ports/store.ts';

export const toolMigrations: readonly Migration[] = [
  {
    name: 'tool-0001-plane',
    async up(db, types) {
      await db.schema
        .createTable('tool_activations')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('project', types.text, (c) => c.notNull())
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('source', types.text, (c) => c.notNull())
        .addColumn('owner', types.text, (c) => c.notNull())
        .addColumn('raw_name', types.text, (c) => c.notNull())
        .addColumn('digest', types.text, (c) => c.notNull())
        .addColumn('who', types.text, (c) => c.notNull())
        .addColumn('by_admin', types.integer, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('tool_activations_key', ['org', 'project', 'name'])
        .execute();
      await db.schema
        .createTable('tool_servers')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('id', types.text, (c) => c.notNull())
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('url', types.text, (c) => c.notNull())
        .addColumn('auth_header', types.text)
        .addColumn('has_secret', types.integer, (c) => c.notNull())
        .addColumn('listing', types.text)
        .addColumn('admitted', types.integer, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('deleted', types.integer)
        .addPrimaryKeyConstraint('tool_servers_key', ['org', 'id'])
        .execute();
      await db.schema
        .createTable('tool_skills')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('description', types.text, (c) => c.notNull())
        .addColumn('content', types.text, (c) => c.notNull())
        .addColumn('source', types.text, (c) => c.notNull())
        .addColumn('admitted', types.integer, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('updated', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('tool_skills_key', ['org', 'name'])
        .execute();
      await db.schema
        .createTable('tool_mutes')
        .addColumn('org', types.text, (c) => c.notNull())
        .addColumn('user_id', types.text, (c) => c.notNull())
        .addColumn('name', types.text, (c) => c.notNull())
        .addPrimaryKeyConstraint('tool_mutes_key', ['org', 'user_id', 'name'])
        .execute();
    },
  },
  {
    name: 'tool-0002-catalog',
    async up(db, types) {
      let table = db.schema.createTable('tool_catalog').addColumn('id', types.text, (c) => c.primaryKey());
      for (const name of [
        'name',
        'vendor',
        'title',
        'description',
        'repo',
        'site',
        'version',
        'logo',
        'registry',
        'digest',
        'words',
      ]) {
        table = table.addColumn(name, types.text, (c) => c.notNull());
      }
      for (const name of ['transports', 'packages', 'remotes'])
        table = table.addColumn(name, types.json, (c) => c.notNull());
      for (const name of ['synced', 'logo_kept', 'hidden', 'featured', 'official', 'official_kept']) {
        table = table.addColumn(name, types.integer, (c) => c.notNull());
      }
      await table.execute();
      await db.schema.createIndex('tool_catalog_order').on('tool_catalog').columns(['featured', 'name']).execute();
    },
  },
];
