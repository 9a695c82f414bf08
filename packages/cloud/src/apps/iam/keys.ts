// API keys: `sk-` or `pk-` and 24 random bytes in hex. Only their SHA-256 is kept; the key itself is shown once.
import { createHash } from 'node:crypto';
import { OPERATOR_ORG } from '../../core/identity.ts';
import { Problem } from '../../core/problem.ts';
import { isConflict } from '../../store/errors.ts';
import { type IamDeps, identityGeneration, DEFAULT_PROJECT, type Page, type Span } from './base.ts';
import { asKey, type IamTables, type Key } from './store.ts';

/** Hex, 24 bytes (contract, tool plane: DESIGN 8). */
const KEY = /^(?:sk|pk)-[0-9a-f]{48}$/;

export function looksLikeKey(text: string): boolean {
  return KEY.test(text);
}

export function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export interface NewKey {
  readonly org: string;
  /** default: `key-` and six hex digits */
  readonly name?: string;
  readonly type?: 'secret' | 'publishable';
  /** a member of `org`; absent: a machine's key, which is never an admin's */
  readonly userId?: string;
  readonly project?: string;
  /** Unix seconds */
  readonly expires?: number;
}

/** What an ingress needs to know of a key, all in one row. */
export interface KeyHolder {
  readonly key: Key;
  readonly admin: boolean;
  readonly email?: string;
}

export interface Keys {
  /** `secret` is the whole key: it is nowhere else and cannot be read again */
  create(input: NewKey): Promise<{ key: Key; secret: string }>;
  list(org: string, filter: { userId?: string }, span: Span): Promise<Page<Key>>;
  get(org: string, name: string): Promise<Key | undefined>;
  getById(id: string): Promise<Key | undefined>;
  /** It ends on every node within a second. False where there is none, or it was revoked before. */
  revoke(org: string, name: string): Promise<boolean>;
  /** the live key of that hash, whose organization lives and whose user is a member and not forbidden */
  holder(hash: string): Promise<KeyHolder | 'revoked' | 'forbidden' | undefined>;
  /** ids and when; written in one go */
  used(times: ReadonlyMap<string, number>): Promise<void>;
  /**
   * On a plane without any organization: makes `admin`, its user `admin/admin` and a key, and answers the key. Undefined on any
   * other plane, and on the node that came second.
   */
  bootstrap(): Promise<{ key: Key; secret: string } | undefined>;
}

export function createKeys({ store, clock, ids }: IamDeps): Keys {
  const db = () => store.db<IamTables>();
  const seconds = (): number => Math.floor(clock.now() / 1000);

  function fresh({ org, name, type = 'secret', userId, project, expires }: NewKey) {
    const secret = `${type === 'secret' ? 'sk' : 'pk'}-${ids.hex(24)}`;
    const row: IamTables['iam_keys'] = {
      id: `key_${ids.hex(12)}`,
      org,
      name: name ?? `key-${ids.hex(3)}`,
      type,
      hash: keyHash(secret),
      last4: secret.slice(-4),
      user_id: userId ?? null,
      project: project ?? null,
      created: seconds(),
      expires: expires ?? null,
      revoked: null,
      last_used: null,
    };
    return { secret, row };
  }

  const selected = () =>
    db()
      .selectFrom('iam_keys as k')
      .leftJoin('iam_users as u', 'u.id', 'k.user_id')
      .selectAll('k')
      .select(['u.owner as u_owner', 'u.name as u_name']);
  type Joined = IamTables['iam_keys'] & { u_owner: string | null; u_name: string | null };
  const joined = (row: Joined): Key => asKey(row, row.u_owner === null ? null : `${row.u_owner}/${row.u_name}`);

  const self: Keys = {
    async create(input) {
      const { secret, row } = fresh(input);
      if (input.expires !== undefined && input.expires <= seconds())
        throw new Problem(400, 'The key would have expired already: expireTime is in the past.');
      try {
        await store.transaction<IamTables, void>(async (trx) => {
          const org = await trx
            .selectFrom('iam_organizations')
            .select('name')
            .where('name', '=', input.org)
            .where('deleted', 'is', null)
            .executeTakeFirst();
          if (org === undefined) throw new Problem(404, `There is no organization '${input.org}'.`);
          if (input.userId !== undefined) {
            const member = await trx
              .selectFrom('iam_members')
              .select('org')
              .where('org', '=', input.org)
              .where('user_id', '=', input.userId)
              .executeTakeFirst();
            if (member === undefined) throw new Problem(404, `That user is no member of '${input.org}'.`);
          }
          if (input.project !== undefined && input.project !== DEFAULT_PROJECT) {
            const project = await trx
              .selectFrom('iam_projects')
              .select('name')
              .where('org', '=', input.org)
              .where('name', '=', input.project)
              .executeTakeFirst();
            if (project === undefined) throw new Problem(404, `There is no project '${input.project}'.`);
          }
          await trx.insertInto('iam_keys').values(row).execute();
        });
      } catch (error) {
        if (isConflict(error)) throw new Problem(409, `There is a key named '${row.name}' already.`);
        throw error;
      }
      const key = await self.getById(row.id);
      if (key === undefined) throw new Problem(409, 'The key was revoked while it was made.');
      return { key, secret };
    },

    async list(org, { userId }, { limit, offset }) {
      let query = selected().where('k.org', '=', org);
      let count = db()
        .selectFrom('iam_keys')
        .where('org', '=', org)
        .select((e) => e.fn.countAll<number>().as('n'));
      if (userId !== undefined) {
        query = query.where('k.user_id', '=', userId);
        count = count.where('user_id', '=', userId);
      }
      const { n } = await count.executeTakeFirstOrThrow();
      const rows = await query.orderBy('k.name').limit(limit).offset(offset).execute();
      return { rows: rows.map(joined), total: n };
    },

    async get(org, name) {
      const row = await selected().where('k.org', '=', org).where('k.name', '=', name).executeTakeFirst();
      return row && joined(row);
    },

    async getById(id) {
      const row = await selected().where('k.id', '=', id).executeTakeFirst();
      return row && joined(row);
    },

    async revoke(org, name) {
      return store.transaction<IamTables, boolean>(async (trx) => {
        const done = await trx
          .updateTable('iam_keys')
          .set({ revoked: seconds() })
          .where('org', '=', org)
          .where('name', '=', name)
          .where('revoked', 'is', null)
          .executeTakeFirst();
        if (done.numUpdatedRows === 0n) return false;
        await store.touch(trx, identityGeneration(org));
        return true;
      });
    },

    async holder(hash) {
      const row = await db()
        .selectFrom('iam_keys as k')
        .innerJoin('iam_organizations as o', 'o.name', 'k.org')
        .leftJoin('iam_users as u', 'u.id', 'k.user_id')
        .leftJoin('iam_members as m', (join) => join.onRef('m.user_id', '=', 'k.user_id').onRef('m.org', '=', 'k.org'))
        .selectAll('k')
        .select([
          'u.owner as u_owner',
          'u.name as u_name',
          'u.email as u_email',
          'u.forbidden as u_forbidden',
          'm.admin as m_admin',
          'o.deleted as o_deleted',
        ])
        .where('k.hash', '=', hash)
        .executeTakeFirst();
      if (row === undefined || row.o_deleted !== null) return undefined;
      if (row.revoked !== null) return 'revoked';
      // a person's key is worth what the person is: without the membership, nothing
      if (row.user_id !== null && (row.m_admin === null || row.u_forbidden !== 0)) return 'forbidden';
      return {
        key: joined(row),
        admin: row.user_id !== null && row.m_admin === 1,
        ...(row.u_email === null ? {} : { email: row.u_email }),
      };
    },

    async used(times) {
      if (times.size === 0) return;
      await store.transaction<IamTables, void>(
        async (trx) => {
          for (const [id, time] of [...times].sort(([a], [b]) => (a < b ? -1 : 1)))
            await trx.updateTable('iam_keys').set({ last_used: time }).where('id', '=', id).execute();
        },
        { isolation: 'read committed' },
      );
    },

    async bootstrap() {
      const now = seconds();
      const user = { id: ids.uuid(), owner: OPERATOR_ORG, name: 'admin' };
      const { secret, row } = fresh({ org: OPERATOR_ORG, name: 'first', userId: user.id });
      try {
        const first = await store.transaction<IamTables, boolean>(async (trx) => {
          const any = await trx.selectFrom('iam_organizations').select('name').executeTakeFirst();
          if (any !== undefined) return false;
          await trx
            .insertInto('iam_organizations')
            .values({
              name: OPERATOR_ORG,
              display_name: 'Operators of this plane',
              created: now,
              updated: now,
              deleted: null,
            })
            .execute();
          await trx
            .insertInto('iam_users')
            .values({ ...user, display_name: 'Admin', email: null, forbidden: 0, created: now, updated: now })
            .execute();
          await trx
            .insertInto('iam_members')
            .values({ org: OPERATOR_ORG, user_id: user.id, admin: 1, created: now })
            .execute();
          await trx.insertInto('iam_keys').values(row).execute();
          await store.touch(trx, identityGeneration(OPERATOR_ORG));
          return true;
        });
        return first ? { key: asKey(row, `${user.owner}/${user.name}`), secret } : undefined;
      } catch (error) {
        // the other node's organization is there: it has the key
        if (isConflict(error)) return undefined;
        throw error;
      }
    },
  };
  return self;
}
