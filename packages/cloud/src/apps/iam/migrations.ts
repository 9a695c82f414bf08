// The tables of identity, in the order they came to be.
import type { Migration } from '../../ports/store.ts';

export const iamMigrations: readonly Migration[] = [
  {
    name: 'iam-0001-identity',
    async up(db, types) {
      await db.schema
        .createTable('iam_organizations')
        .addColumn('name', types.text, (c) => c.primaryKey())
        .addColumn('display_name', types.text, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('updated', types.integer, (c) => c.notNull())
        // a name is never given again: rows that other apps still have under it must not find a new owner
        .addColumn('deleted', types.integer)
        .execute();
      await db.schema
        .createTable('iam_users')
        .addColumn('id', types.text, (c) => c.primaryKey())
        .addColumn('owner', types.text, (c) => c.notNull().references('iam_organizations.name'))
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('display_name', types.text, (c) => c.notNull())
        .addColumn('email', types.text)
        .addColumn('forbidden', types.integer, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('updated', types.integer, (c) => c.notNull())
        .addUniqueConstraint('iam_users_name', ['owner', 'name'])
        .execute();
      await db.schema
        .createTable('iam_members')
        .addColumn('org', types.text, (c) => c.notNull().references('iam_organizations.name'))
        .addColumn('user_id', types.text, (c) => c.notNull().references('iam_users.id').onDelete('cascade'))
        .addColumn('admin', types.integer, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('iam_members_key', ['org', 'user_id'])
        .execute();
      await db.schema.createIndex('iam_members_user').on('iam_members').column('user_id').execute();
      await db.schema
        .createTable('iam_projects')
        .addColumn('org', types.text, (c) => c.notNull().references('iam_organizations.name'))
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('display_name', types.text, (c) => c.notNull())
        .addColumn('created', types.integer, (c) => c.notNull())
        .addPrimaryKeyConstraint('iam_projects_key', ['org', 'name'])
        .execute();
      await db.schema
        .createTable('iam_keys')
        .addColumn('id', types.text, (c) => c.primaryKey())
        .addColumn('org', types.text, (c) => c.notNull().references('iam_organizations.name'))
        .addColumn('name', types.text, (c) => c.notNull())
        .addColumn('type', types.text, (c) => c.notNull())
        // SHA-256 of the whole key: 24 random bytes need no slow hash
        .addColumn('hash', types.text, (c) => c.notNull().unique())
        .addColumn('last4', types.text, (c) => c.notNull())
        .addColumn('user_id', types.text, (c) => c.references('iam_users.id').onDelete('cascade'))
        .addColumn('project', types.text)
        .addColumn('created', types.integer, (c) => c.notNull())
        .addColumn('expires', types.integer)
        .addColumn('revoked', types.integer)
        .addColumn('last_used', types.integer)
        .addUniqueConstraint('iam_keys_name', ['org', 'name'])
        .execute();
    },
  },
];
