// Users and their memberships: their rules. Who may change them is decided by the operations.
import { Problem } from '../../core/problem.ts';
import { isConflict } from '../../store/errors.ts';
import { type Db, type IamDeps, identityGeneration, mustBeLive, type Page, type Span, touchAllOf } from './base.ts';
import { asUser, type IamTables, type Member } from './store.ts';

export interface Users {
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
}

export function createUsers({ store, clock, ids }: IamDeps): Users {
  const seconds = (): number => Math.floor(clock.now() / 1000);
  const db = () => store.db<IamTables>();
  const write = <R>(work: (trx: Db) => Promise<R>): Promise<R> => store.transaction<IamTables, R>(work);

  return {
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
        await touchAllOf(store, trx, id);
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
        await touchAllOf(store, trx, user.id);
        await trx.deleteFrom('iam_users').where('id', '=', user.id).execute();
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
