// Operations on keys, and who the caller is.
import { z } from 'zod';
import { op, type Op } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Keys } from './keys.ts';
import type { Directory } from './service.ts';
import * as shape from './shapes.ts';

interface Deps {
  readonly directory: Directory;
  readonly keys: Keys;
  readonly audit: Audit;
  readonly clock: Clock;
}

const app = 'iam';

export function keyOps({ directory, keys, audit, clock }: Deps): readonly Op[] {
  return [
    op({
      id: 'get_iam_account',
      app,
      method: 'GET',
      path: '/v1/iam/account',
      summary: 'Says who the caller is: organization, project, user, what they may do.',
      auth: 'member',
      input: {},
      answer: shape.envelope(
        z.object({
          owner: z.string(),
          name: z.string(),
          id: z.string(),
          organization: z.string(),
          project: z.string(),
          displayName: z.string(),
          email: z.string(),
          type: z.enum(['user', 'machine']),
          isAdmin: z.boolean(),
          isOperator: z.boolean(),
          method: z.enum(['key', 'jwt']),
          credential: z.string().describe('the id of the key or token, not the key'),
        }),
      ),
      async run(context) {
        const identity = shape.caller(context);
        const memberships = identity.kind === 'user' ? await directory.membershipsOf(identity.user) : [];
        const user = memberships.find(({ org }) => org === identity.org)?.user;
        const key = user === undefined ? await keys.getById(identity.credential) : undefined;
        return shape.ok({
          owner: user?.owner ?? identity.org,
          name: user?.name ?? key?.name ?? identity.user,
          id: identity.user,
          organization: identity.org,
          project: identity.project,
          displayName: user?.displayName ?? key?.name ?? identity.user,
          email: user?.email ?? '',
          type: identity.kind,
          isAdmin: identity.isAdmin,
          isOperator: identity.isOperator,
          method: identity.method,
          credential: identity.credential,
        });
      },
    }),
    op({
      id: 'get_iam_keys',
      app,
      method: 'GET',
      path: '/v1/iam/keys',
      summary: 'Lists keys: an admin sees the organization’s, anybody else their own. Never a whole key.',
      auth: 'member',
      input: { query: z.object({ owner: z.string().optional(), ...shape.SpanQuery }) },
      answer: z.object({ keys: z.array(shape.KeyOut), total: z.int() }),
      refusals: { 404: 'another organization' },
      async run(context, { query }) {
        const identity = shape.caller(context);
        const org = shape.reachable(context, query.owner || undefined);
        const mine = identity.isAdmin || identity.isOperator ? {} : { userId: identity.user };
        const { rows, total } = await keys.list(org, mine, query);
        return { keys: rows.map((key) => shape.keyOut(key, clock.now())), total };
      },
    }),
    op({
      id: 'post_iam_keys',
      app,
      method: 'POST',
      path: '/v1/iam/keys',
      summary: 'Creates a key and shows it, this once.',
      description:
        'Anybody creates keys for themselves. An admin also creates them for other members, and for machines (`machine`), which are never admins.',
      auth: 'member',
      input: {
        body: z.object({
          owner: shape.Name.optional(),
          name: shape.Name.optional(),
          type: z.enum(['secret', 'publishable']).optional(),
          user: shape.UserRef.optional().describe('default: the caller'),
          machine: z.boolean().optional().describe('true: nobody’s'),
          scope: shape.Name.optional().describe('the one project it may act in'),
          expireTime: z.int().min(0).optional().describe('Unix seconds; 0 or left out: never'),
        }),
      },
      answer: shape.KeyOut.extend({ secret: z.string().describe('the whole key; it is not shown again') }),
      status: 201,
      discloses: true,
      refusals: {
        400: 'expired already, or both a user and a machine',
        403: 'for somebody else by a caller who is no admin, or wider than the caller’s own key',
        404: 'no such user, project or organization',
        409: 'the name is taken',
      },
      async run(context, { body }) {
        const identity = shape.caller(context);
        if (identity.publishable) throw new Problem(403, 'A publishable key creates no keys.');
        if (body.machine === true && body.user !== undefined)
          throw new Problem(400, "Give 'user' or 'machine', not both.");
        const org = shape.reachable(context, body.owner);
        let userId: string | undefined = org === identity.org && identity.kind === 'user' ? identity.user : undefined;
        if (body.machine === true) userId = undefined;
        if (body.user !== undefined) {
          const [owner = '', name = ''] = body.user.split('/');
          userId = (await directory.member(org, owner, name))?.user.id;
          if (userId === undefined) throw new Problem(404, `'${body.user}' is no member of '${org}'.`);
        }
        if (userId !== identity.user || org !== identity.org) shape.governed(context, org);
        // a key that is bound to a project makes none that is not
        const own = identity.method === 'key' ? await keys.getById(identity.credential) : undefined;
        const scope = body.scope ?? own?.project;
        if (own?.project !== undefined && scope !== own.project)
          throw new Problem(403, `This key acts in the project '${own.project}' only.`);
        const { key, secret } = await keys.create({
          org,
          name: body.name,
          type: body.type,
          userId,
          project: scope,
          expires: body.expireTime || undefined,
        });
        await audit.append(context, {
          action: 'iam.key.create',
          resource: { type: 'keys', id: key.id },
          outcome: { result: 'ok', status: 201 },
          after: { name: key.name, user: key.user ?? '', scope: key.project ?? '', type: key.type },
        });
        return { ...shape.keyOut(key, clock.now()), secret };
      },
    }),
    op({
      id: 'delete_iam_keys_by_owner_by_name',
      app,
      method: 'DELETE',
      path: '/v1/iam/keys/{owner}/{name}',
      summary: 'Revokes a key, on every node within a second.',
      auth: 'member',
      input: { params: shape.Address },
      answer: shape.Deleted,
      refusals: { 403: 'somebody else’s, by a caller who is no admin', 404: 'no such key, or revoked before' },
      async run(context, { params: { owner, name } }) {
        const identity = shape.caller(context);
        const org = shape.reachable(context, owner);
        const key = await keys.get(org, name);
        if (key === undefined) throw new Problem(404, `There is no key '${name}'.`);
        if (identity.publishable || key.userId !== identity.user) shape.governed(context, org);
        if (!(await keys.revoke(org, name))) throw new Problem(404, `The key '${name}' was revoked before.`);
        await audit.append(context, {
          action: 'iam.key.revoke',
          resource: { type: 'keys', id: key.id },
          outcome: { result: 'ok', status: 200 },
        });
        return shape.DELETED;
      },
    }),
  ];
}
