// Organizations and their projects: their rules. Who may change them is decided by the operations.
import { sql } from 'kysely';
import { OPERATOR_ORG } from '../../core/identity.ts';
import { Problem } from '../../core/problem.ts';
import { isConflict } from '../../store/errors.ts';
import {
  type Db,
  DEFAULT_PROJECT,
  type IamDeps,
  identityGeneration,
  mustBeLive,
  type Page,
  type Span,
  touchAllOf,
} from './base.ts';
import { asOrganization, asProject, type IamTables, type Organization, type Project } from './store.ts';

type OrgEnded = (org: string) => Promise<void>;
type ProjectEnded = (org: string, project: string) => Promise<void>;

export interface Organizations {
  createOrganization(name: string, displayName?: string): Promise<Organization>;
  organization(name: string): Promise<Organization | undefined>;
  /** all, or those that `userId` is a member of */
  organizations(filter: { q?: string; userId?: string; only?: string }, span: Span): Promise<Page<Organization>>;
  updateOrganization(name: string, change: { displayName?: string }): Promise<Organization>;
  /** Its keys end at once. Its name is never given again; listeners then drop what other apps keep for it. */
  deleteOrganization(name: string): Promise<void>;
  onOrganizationDeleted(listener: OrgEnded): void;

  createProject(org: string, name: string, displayName?: string): Promise<Project>;
  projects(org: string): Promise<readonly Project[]>;
  /** Keys that are bound to it end; listeners then drop what other apps keep for it. */
  deleteProject(org: string, name: string): Promise<boolean>;
  onProjectDeleted(listener: ProjectEnded): void;
}

export function createOrganizations({ store, clock }: IamDeps): Organizations {
  const ended: OrgEnded[] = [];
  const projectEnded: ProjectEnded[] = [];
  const seconds = (): number => Math.floor(clock.now() / 1000);
  const db = () => store.db<IamTables>();
  const write = <R>(work: (trx: Db) => Promise<R>): Promise<R> => store.transaction<IamTables, R>(work);

  return {
    async createOrganization(name, displayName = name) {
      const now = seconds();
      const row = { name, display_name: displayName, created: now, updated: now, deleted: null };
      try {
        await write(async (trx) => {
          await trx.insertInto('iam_organizations').values(row).execute();
          await store.touch(trx, identityGeneration(name));
        });
      } catch (error) {
        if (isConflict(error))
          throw new Problem(409, `The name '${name}' is taken, or belonged to an organization that was deleted.`);
        throw error;
      }
      return asOrganization(row);
    },

    async organization(name) {
      const row = await db()
        .selectFrom('iam_organizations')
        .selectAll()
        .where('name', '=', name)
        .where('deleted', 'is', null)
        .executeTakeFirst();
      return row && asOrganization(row);
    },

    async organizations({ q, userId, only }, { limit, offset }) {
      let query = db().selectFrom('iam_organizations').where('deleted', 'is', null);
      if (only !== undefined) query = query.where('name', '=', only);
      if (userId !== undefined)
        query = query.where('name', 'in', (e) =>
          e.selectFrom('iam_members').select('org').where('user_id', '=', userId),
        );
      if (q !== undefined && q !== '')
        query = query.where(sql<boolean>`${sql.raw(POSITION[store.dialect])}(lower(name), ${asciiLower(q)}) > 0`);
      const count = await query.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
      const rows = await query.selectAll().orderBy('name').limit(limit).offset(offset).execute();
      return { rows: rows.map(asOrganization), total: count.n };
    },

    async updateOrganization(name, { displayName }) {
      return write(async (trx) => {
        await mustBeLive(trx, name);
        await trx
          .updateTable('iam_organizations')
          .set({ updated: seconds(), ...(displayName === undefined ? {} : { display_name: displayName }) })
          .where('name', '=', name)
          .execute();
        return asOrganization(
          await trx.selectFrom('iam_organizations').selectAll().where('name', '=', name).executeTakeFirstOrThrow(),
        );
      });
    },

    async deleteOrganization(name) {
      if (name === OPERATOR_ORG) throw new Problem(409, `'${OPERATOR_ORG}' operates the plane and cannot be deleted.`);
      await write(async (trx) => {
        await mustBeLive(trx, name);
        const now = seconds();
        await trx.updateTable('iam_organizations').set({ deleted: now }).where('name', '=', name).execute();
        const homes = await trx.selectFrom('iam_users').select('id').where('owner', '=', name).execute();
        for (const { id } of homes) await touchAllOf(store, trx, id);
        await trx.deleteFrom('iam_keys').where('org', '=', name).execute();
        await trx.deleteFrom('iam_members').where('org', '=', name).execute();
        await trx.deleteFrom('iam_projects').where('org', '=', name).execute();
        await trx.deleteFrom('iam_users').where('owner', '=', name).execute();
        await store.touch(trx, identityGeneration(name));
      });
      for (const listener of ended) await listener(name);
    },

    onOrganizationDeleted(listener) {
      ended.push(listener);
    },

    async createProject(org, name, displayName = name) {
      if (name === DEFAULT_PROJECT) throw new Problem(409, `Every organization has the project '${DEFAULT_PROJECT}'.`);
      const row = { org, name, display_name: displayName, created: seconds() };
      try {
        await write(async (trx) => {
          await mustBeLive(trx, org);
          await trx.insertInto('iam_projects').values(row).execute();
          await store.touch(trx, identityGeneration(org));
        });
      } catch (error) {
        if (isConflict(error)) throw new Problem(409, `There is a project '${name}' already.`);
        throw error;
      }
      return asProject(row);
    },

    async projects(org) {
      const rows = await db().selectFrom('iam_projects').selectAll().where('org', '=', org).orderBy('name').execute();
      return rows.map(asProject);
    },

    async deleteProject(org, name) {
      const deleted = await write(async (trx) => {
        const gone = await trx
          .deleteFrom('iam_projects')
          .where('org', '=', org)
          .where('name', '=', name)
          .executeTakeFirst();
        if (gone.numDeletedRows === 0n) return false;
        // a key that may act there only can act nowhere
        await trx.deleteFrom('iam_keys').where('org', '=', org).where('project', '=', name).execute();
        await store.touch(trx, identityGeneration(org));
        return true;
      });
      if (deleted) for (const listener of projectEnded) await listener(org, name);
      return deleted;
    },

    onProjectDeleted(listener) {
      projectEnded.push(listener);
    },
  };
}

/** Where a text is in another, by each store's name for it. Unlike LIKE it gives no character a meaning. */
const POSITION = { sqlite: 'instr', postgres: 'strpos' } as const;

/** As both stores' `lower` does where text is compared by its bytes. */
function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
