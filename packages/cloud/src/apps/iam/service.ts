// Organizations, users, memberships and projects: their rules. Who may change them is decided by the operations.
import { sql, type Transaction } from 'kysely';
import { OPERATOR_ORG } from '../../core/identity.ts';
import { Problem } from '../../core/problem.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { isConflict } from '../../store/errors.ts';
import {
  asOrganization,
  asProject,
  asUser,
  type IamTables,
  type Member,
  type Organization,
  type Project,
} from './store.ts';

export interface IamDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

export interface Span {
  readonly limit: number;
  readonly offset: number;
}

export const DEFAULT_PROJECT = 'default';

/** The generation of everything that decides who somebody is in an organization. */
export function identityGeneration(org: string): string {
  return `iam/${org}`;
}

type Db = Transaction<IamTables>;
export type OrgEnded = (org: string) => Promise<void>;

export interface Directory {
  createOrganization(name: string, displayName?: string): Promise<Organization>;
  organization(name: string): Promise<Organization | undefined>;
  /** all, or those that `userId` is a member of */
  organizations(filter: { q?: string; userId?: string; only?: string }, span: Span): Promise<Page<Organization>>;
  updateOrganization(name: string, change: { displayName?: string }): Promise<Organization>;
  /** Its keys end at once. Its name is never given again; listeners then drop what other apps keep for it. */
  deleteOrganization(name: string): Promise<void>;
  onOrganizationDeleted(listener: OrgEnded): void;

  createUser(input: {
    owner: string;
    name: string;
    displayName?: string;
    email?: string;
    isAdmin?: boolean;
  }): Promise<Member>;
  /** of a member of `org`, by home organization and name */
  member(org: string, owner: string, name: string): Promise<Member | undefined>;
  members(org: string, filter: { email?: string; owner?: string }, span: Span): Promise<Page<Member>>;
  membershipsOf(userId: string): Promise<readonly Member[]>;
  addMember(org: string, owner: string, name: string, isAdmin: boolean): Promise<Member>;
  removeMember(org: string, owner: string, name: string): Promise<boolean>;
  updateUser(
    org: string,
    owner: string,
    name: string,
    change: { displayName?: string; email?: string; isForbidden?: boolean; isAdmin?: boolean },
  ): Promise<Member>;
  /** Their keys and memberships end with them. */
  deleteUser(owner: string, name: string): Promise<boolean>;

  createProject(org: string, name: string, displayName?: string): Promise<Project>;
  projects(org: string): Promise<readonly Project[]>;
  deleteProject(org: string, name: string): Promise<boolean>;
}

export function createDirectory({ store, clock, ids }: IamDeps): Directory {
  const ended: OrgEnded[] = [];
  const seconds = (): number => Math.floor(clock.now() / 1000);
  const db = () => store.db<IamTables>();
  const write = <R>(work: (trx: Db) => Promise<R>): Promise<R> => store.transaction<IamTables, R>(work);

  async function touchAllOf(trx: Db, userId: string): Promise<void> {
    const rows = await trx
      .selectFrom('iam_members')
      .select('org')
      .where('user_id', '=', userId)
      .orderBy('org')
      .execute();
    for (const { org } of rows) await store.touch(trx, identityGeneration(org));
  }

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
        for (const { id } of homes) await touchAllOf(trx, id);
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

    async createUser({ owner, name, displayName = name, email, isAdmin = false }) {
      const now = seconds();
      const row = {
        id: ids.uuid(),
        owner,
        name,
        display_name: displayName,
        email: email || null,
        forbidden: 0,
        created: now,
        updated: now,
      };
      try {
        await write(async (trx) => {
          await mustBeLive(trx, owner);
          await trx.insertInto('iam_users').values(row).execute();
          await trx
            .insertInto('iam_members')
            .values({ org: owner, user_id: row.id, admin: isAdmin ? 1 : 0, created: now })
            .execute();
          await store.touch(trx, identityGeneration(owner));
        });
      } catch (error) {
        if (isConflict(error)) throw new Problem(409, `There is a user '${owner}/${name}' already.`);
        throw error;
      }
      return { org: owner, user: asUser(row), isAdmin, created: now };
    },

    member: (org, owner, name) => findMember(db(), org, owner, name),

    async members(org, { email, owner }, { limit, offset }) {
      let query = db()
        .selectFrom('iam_members as m')
        .innerJoin('iam_users as u', 'u.id', 'm.user_id')
        .where('m.org', '=', org);
      if (email !== undefined) query = query.where('u.email', '=', email);
      if (owner !== undefined) query = query.where('u.owner', '=', owner);
      const count = await query.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
      const rows = await query
        .selectAll('u')
        .select(['m.org as m_org', 'm.admin as m_admin', 'm.created as m_created'])
        .orderBy('u.owner')
        .orderBy('u.name')
        .limit(limit)
        .offset(offset)
        .execute();
      return { rows: rows.map(asMember), total: count.n };
    },

    async membershipsOf(userId) {
      const rows = await membership(db()).where('m.user_id', '=', userId).orderBy('m.org').execute();
      return rows.map(asMember);
    },

    async addMember(org, owner, name, isAdmin) {
      return write(async (trx) => {
        await mustBeLive(trx, org);
        const user = await trx
          .selectFrom('iam_users')
          .selectAll()
          .where('owner', '=', owner)
          .where('name', '=', name)
          .executeTakeFirst();
        if (user === undefined) throw new Problem(404, `There is no user '${owner}/${name}'.`);
        const admin = isAdmin ? 1 : 0;
        if (!isAdmin) {
          const before = await findMember(trx, org, owner, name);
          if (before?.isAdmin) await keepAnAdmin(trx, org, user.id);
        }
        await trx
          .insertInto('iam_members')
          .values({ org, user_id: user.id, admin, created: seconds() })
          .onConflict((conflict) => conflict.columns(['org', 'user_id']).doUpdateSet({ admin }))
          .execute();
        await store.touch(trx, identityGeneration(org));
        const made = await findMember(trx, org, owner, name);
        if (made === undefined) throw new Error('a membership that was just written is not there');
        return made;
      });
    },

    async removeMember(org, owner, name) {
      return write(async (trx) => {
        const member = await findMember(trx, org, owner, name);
        if (member === undefined) return false;
        if (member.isAdmin) await keepAnAdmin(trx, org, member.user.id);
        await trx.deleteFrom('iam_members').where('org', '=', org).where('user_id', '=', member.user.id).execute();
        await trx.deleteFrom('iam_keys').where('org', '=', org).where('user_id', '=', member.user.id).execute();
        await store.touch(trx, identityGeneration(org));
        return true;
      });
    },

    async updateUser(org, owner, name, change) {
      return write(async (trx) => {
        const member = await findMember(trx, org, owner, name);
        if (member === undefined) throw new Problem(404, `There is no user '${owner}/${name}'.`);
        const { id } = member.user;
        if (member.isAdmin && (change.isAdmin === false || change.isForbidden === true))
          await keepAnAdmin(trx, org, id);
        await trx
          .updateTable('iam_users')
          .set({
            updated: seconds(),
            ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
            ...(change.email === undefined ? {} : { email: change.email || null }),
            ...(change.isForbidden === undefined ? {} : { forbidden: change.isForbidden ? 1 : 0 }),
          })
          .where('id', '=', id)
          .execute();
        if (change.isAdmin !== undefined)
          await trx
            .updateTable('iam_members')
            .set({ admin: change.isAdmin ? 1 : 0 })
            .where('org', '=', org)
            .where('user_id', '=', id)
            .execute();
        await touchAllOf(trx, id);
        const now = await findMember(trx, org, owner, name);
        if (now === undefined) throw new Error('a membership that was just read is not there');
        return now;
      });
    },

    async deleteUser(owner, name) {
      return write(async (trx) => {
        const user = await trx
          .selectFrom('iam_users')
          .select('id')
          .where('owner', '=', owner)
          .where('name', '=', name)
          .executeTakeFirst();
        if (user === undefined) return false;
        const admin = await trx
          .selectFrom('iam_members')
          .select('org')
          .where('user_id', '=', user.id)
          .where('admin', '=', 1)
          .orderBy('org')
          .execute();
        for (const { org } of admin) await keepAnAdmin(trx, org, user.id);
        await touchAllOf(trx, user.id);
        await trx.deleteFrom('iam_users').where('id', '=', user.id).execute();
        return true;
      });
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
      return write(async (trx) => {
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
    },
  };
}

function membership(from: Pick<Db, 'selectFrom'>) {
  return from
    .selectFrom('iam_members as m')
    .innerJoin('iam_users as u', 'u.id', 'm.user_id')
    .selectAll('u')
    .select(['m.org as m_org', 'm.admin as m_admin', 'm.created as m_created']);
}

type Joined = IamTables['iam_users'] & { m_org: string; m_admin: number; m_created: number };

function asMember(row: Joined): Member {
  return { org: row.m_org, user: asUser(row), isAdmin: row.m_admin !== 0, created: row.m_created };
}

async function findMember(from: Pick<Db, 'selectFrom'>, org: string, owner: string, name: string) {
  const row = await membership(from)
    .where('m.org', '=', org)
    .where('u.owner', '=', owner)
    .where('u.name', '=', name)
    .executeTakeFirst();
  return row && asMember(row);
}

async function mustBeLive(trx: Db, org: string): Promise<void> {
  const row = await trx
    .selectFrom('iam_organizations')
    .select('name')
    .where('name', '=', org)
    .where('deleted', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new Problem(404, `There is no organization '${org}'.`);
}

/** Somebody must be left who can open the doors. */
async function keepAnAdmin(trx: Db, org: string, userId: string): Promise<void> {
  const others = await trx
    .selectFrom('iam_members as m')
    .innerJoin('iam_users as u', 'u.id', 'm.user_id')
    .select('m.user_id')
    .where('m.org', '=', org)
    .where('m.admin', '=', 1)
    .where('u.forbidden', '=', 0)
    .where('m.user_id', '!=', userId)
    .executeTakeFirst();
  if (others === undefined)
    throw new Problem(409, `This is the last admin of '${org}'; make somebody else an admin first.`);
}

/** Where a text is in another, by each store's name for it. Unlike LIKE it gives no character a meaning. */
const POSITION = { sqlite: 'instr', postgres: 'strpos' } as const;

/** As both stores' `lower` does where text is compared by its bytes. */
function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
