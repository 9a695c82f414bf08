// Operations on organizations, users, memberships and projects.
import { z } from 'zod';
import { op, type Op, type OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import type { Directory } from './service.ts';
import * as shape from './shapes.ts';

interface Deps {
  readonly directory: Directory;
  readonly audit: Audit;
}

const app = 'iam';
const GONE = { 404: 'no such record, or another organization’s' };
const REFUSED = { ...GONE, 403: 'the caller is no admin of the organization' };

/** A user is seen through the caller's organization; an operator sees them through their home. */
function seenThrough(context: OpContext, owner: string): string {
  return shape.caller(context).isOperator ? owner : shape.caller(context).org;
}

export function directoryOps({ directory, audit }: Deps): readonly Op[] {
  const record = (
    context: OpContext,
    action: string,
    type: string,
    id: string,
    change: { before?: unknown; after?: unknown } = {},
  ): Promise<void> =>
    audit.append(context, { action, resource: { type, id }, outcome: { result: 'ok', status: 200 }, ...change });

  const memberOf = async (org: string, owner: string, name: string) => {
    const member = await directory.member(org, owner, name);
    if (member === undefined) throw new Problem(404, `There is no user '${owner}/${name}'.`);
    return member;
  };

  return [
    op({
      id: 'get_iam_organizations',
      app,
      method: 'GET',
      path: '/v1/iam/organizations',
      summary: 'Lists organizations: those the caller is a member of; all of them for an operator.',
      auth: 'member',
      input: { query: z.object({ q: z.string().max(200).optional(), ...shape.SpanQuery }) },
      answer: z.object({ organizations: z.array(shape.OrganizationOut), total: z.int() }),
      async run(context, { query }) {
        const identity = shape.caller(context);
        const mine = identity.kind === 'user' ? { userId: identity.user } : { only: identity.org };
        const { rows, total } = await directory.organizations(
          { q: query.q, ...(identity.isOperator ? {} : mine) },
          query,
        );
        return { organizations: rows.map(shape.organizationOut), total };
      },
    }),
    op({
      id: 'post_iam_organizations',
      app,
      method: 'POST',
      path: '/v1/iam/organizations',
      summary: 'Creates an organization.',
      auth: 'operator',
      input: { body: z.object({ name: shape.Name, displayName: shape.DisplayName.optional() }) },
      answer: shape.OrganizationOut,
      status: 201,
      refusals: { 409: 'the name is taken, or was' },
      async run(context, { body }) {
        const made = await directory.createOrganization(body.name, body.displayName);
        await record(context, 'iam.organization.create', 'organizations', made.name);
        return shape.organizationOut(made);
      },
    }),
    op({
      id: 'get_iam_organizations_by_owner_by_name',
      app,
      method: 'GET',
      path: '/v1/iam/organizations/{owner}/{name}',
      summary: 'Reads one organization.',
      auth: 'member',
      input: { params: shape.Address },
      answer: shape.OrganizationOut,
      refusals: GONE,
      async run(context, { params }) {
        const found = await directory.organization(shape.reachable(context, params.name));
        if (found === undefined) throw new Problem(404, `There is no organization '${params.name}'.`);
        return shape.organizationOut(found);
      },
    }),
    op({
      id: 'put_iam_organizations_by_owner_by_name',
      app,
      method: 'PUT',
      path: '/v1/iam/organizations/{owner}/{name}',
      summary: 'Changes an organization.',
      auth: 'admin',
      input: { params: shape.Address, body: z.object({ displayName: shape.DisplayName.optional() }) },
      answer: shape.OrganizationOut,
      refusals: REFUSED,
      async run(context, { params, body }) {
        const org = shape.governed(context, params.name);
        const changed = await directory.updateOrganization(org, body);
        await record(context, 'iam.organization.update', 'organizations', org, { after: body });
        return shape.organizationOut(changed);
      },
    }),
    op({
      id: 'delete_iam_organizations_by_owner_by_name',
      app,
      method: 'DELETE',
      path: '/v1/iam/organizations/{owner}/{name}',
      summary: 'Deletes an organization with everything in it; its name is never given again.',
      auth: 'operator',
      input: { params: shape.Address },
      answer: shape.Deleted,
      refusals: { ...GONE, 409: 'the organization that operates the plane' },
      async run(context, { params }) {
        await directory.deleteOrganization(params.name);
        await record(context, 'iam.organization.delete', 'organizations', params.name);
        return shape.DELETED;
      },
    }),
    op({
      id: 'get_iam_users',
      app,
      method: 'GET',
      path: '/v1/iam/users',
      summary: 'Lists the members of the caller’s organization.',
      auth: 'member',
      input: {
        query: z.object({
          owner: z.string().optional().describe('another organization, for operators'),
          email: z.string().optional(),
          ...shape.SpanQuery,
        }),
      },
      answer: z.object({ users: z.array(shape.UserOut), total: z.int() }),
      refusals: GONE,
      async run(context, { query }) {
        const org = shape.reachable(context, query.owner || undefined);
        const { rows, total } = await directory.members(org, { email: query.email || undefined }, query);
        return { users: rows.map(shape.userOut), total };
      },
    }),
    op({
      id: 'post_iam_users',
      app,
      method: 'POST',
      path: '/v1/iam/users',
      summary: 'Creates a user in the caller’s organization.',
      auth: 'admin',
      input: {
        body: z.object({
          user: z.object({
            owner: shape.Name.optional().describe('home organization; default the caller’s'),
            name: shape.Name,
            displayName: shape.DisplayName.optional(),
            email: shape.Email.optional(),
            isAdmin: z.boolean().optional(),
          }),
        }),
      },
      answer: shape.UserOut,
      status: 201,
      refusals: { ...REFUSED, 409: 'the name is taken' },
      async run(context, { body: { user } }) {
        const owner = shape.governed(context, user.owner);
        const made = await directory.createUser({ ...user, owner });
        await record(context, 'iam.user.create', 'users', `${owner}/${user.name}`, {
          after: { isAdmin: made.isAdmin },
        });
        return shape.userOut(made);
      },
    }),
    op({
      id: 'get_iam_users_by_owner_by_name',
      app,
      method: 'GET',
      path: '/v1/iam/users/{owner}/{name}',
      summary: 'Reads one user of the caller’s organization.',
      auth: 'member',
      input: { params: shape.Address },
      answer: shape.UserOut,
      refusals: GONE,
      async run(context, { params: { owner, name } }) {
        return shape.userOut(await memberOf(seenThrough(context, owner), owner, name));
      },
    }),
    op({
      id: 'put_iam_users_by_owner_by_name',
      app,
      method: 'PUT',
      path: '/v1/iam/users/{owner}/{name}',
      summary: 'Changes a user whose home is the caller’s organization.',
      auth: 'admin',
      input: {
        params: shape.Address,
        body: z.object({
          user: z.object({
            displayName: shape.DisplayName.optional(),
            email: shape.Email.optional(),
            isAdmin: z.boolean().optional(),
            isForbidden: z.boolean().optional().describe('true: nothing of theirs is accepted any more'),
          }),
        }),
      },
      answer: shape.UserOut,
      refusals: { ...REFUSED, 409: 'the last admin' },
      async run(context, { params: { owner, name }, body: { user } }) {
        const org = shape.governed(context, owner);
        const before = await memberOf(org, owner, name);
        const after = await directory.updateUser(org, owner, name, user);
        await record(context, 'iam.user.update', 'users', `${owner}/${name}`, {
          before: { isAdmin: before.isAdmin, isForbidden: before.user.isForbidden },
          after: { isAdmin: after.isAdmin, isForbidden: after.user.isForbidden },
        });
        return shape.userOut(after);
      },
    }),
    op({
      id: 'delete_iam_users_by_owner_by_name',
      app,
      method: 'DELETE',
      path: '/v1/iam/users/{owner}/{name}',
      summary: 'Deletes a user with their keys and memberships.',
      auth: 'admin',
      input: { params: shape.Address },
      answer: shape.Deleted,
      refusals: { ...REFUSED, 409: 'the last admin' },
      async run(context, { params: { owner, name } }) {
        shape.governed(context, owner);
        if (!(await directory.deleteUser(owner, name))) throw new Problem(404, `There is no user '${owner}/${name}'.`);
        await record(context, 'iam.user.delete', 'users', `${owner}/${name}`);
        return shape.DELETED;
      },
    }),
    op({
      id: 'get_iam_memberships',
      app,
      method: 'GET',
      path: '/v1/iam/memberships',
      summary: 'Lists memberships: of an organization, or of one user.',
      auth: 'member',
      input: {
        query: z.object({
          org: z.string().optional(),
          user: z.string().optional().describe('owner/name'),
          ...shape.SpanQuery,
        }),
      },
      answer: shape.envelope(z.array(shape.MembershipOut)),
      refusals: GONE,
      async run(context, { query }) {
        const identity = shape.caller(context);
        const [owner, name] = (query.user ?? '').split('/');
        if (!owner || !name) {
          const org = shape.reachable(context, query.org || undefined);
          const { rows } = await directory.members(org, {}, query);
          return shape.ok(rows.map(shape.membershipOut));
        }
        const { user } = await memberOf(seenThrough(context, owner), owner, name);
        const all = await directory.membershipsOf(user.id);
        const seen = identity.isOperator || user.id === identity.user ? all : all.filter((m) => m.org === identity.org);
        return shape.ok(seen.map(shape.membershipOut));
      },
    }),
    op({
      id: 'post_iam_memberships',
      app,
      method: 'POST',
      path: '/v1/iam/memberships',
      summary: 'Makes a user a member of an organization, or changes whether they are its admin.',
      auth: 'admin',
      input: {
        body: z.object({ org: shape.Name.optional(), user: shape.UserRef, isAdmin: z.boolean().optional() }),
      },
      answer: shape.envelope(shape.MembershipOut),
      refusals: { ...REFUSED, 409: 'the last admin' },
      async run(context, { body }) {
        const org = shape.governed(context, body.org);
        const [owner = '', name = ''] = body.user.split('/');
        // an organization's admin cannot find out who is in another one
        if (!shape.caller(context).isOperator && owner !== org) await memberOf(org, owner, name);
        const made = await directory.addMember(org, owner, name, body.isAdmin ?? false);
        await record(context, 'iam.membership.set', 'memberships', `${org}:${body.user}`, {
          after: { isAdmin: made.isAdmin },
        });
        return shape.ok(shape.membershipOut(made));
      },
    }),
    op({
      id: 'post_iam_delete_membership',
      app,
      method: 'POST',
      path: '/v1/iam/delete-membership',
      summary: 'Ends a membership; the user’s keys in that organization end with it.',
      auth: 'admin',
      input: { body: z.object({ org: shape.Name.optional(), user: shape.UserRef }) },
      answer: shape.envelope(z.object({ deleted: z.boolean() })),
      refusals: { ...REFUSED, 409: 'the last admin' },
      async run(context, { body }) {
        const org = shape.governed(context, body.org);
        const [owner = '', name = ''] = body.user.split('/');
        const deleted = await directory.removeMember(org, owner, name);
        if (!deleted) throw new Problem(404, `'${body.user}' is no member of '${org}'.`);
        await record(context, 'iam.membership.delete', 'memberships', `${org}:${body.user}`);
        return shape.ok({ deleted });
      },
    }),
    op({
      id: 'get_iam_projects',
      app,
      method: 'GET',
      path: '/v1/iam/projects',
      summary: 'Lists the projects of the caller’s organization; `default` is always there and not listed.',
      auth: 'member',
      input: { query: z.object({ owner: z.string().optional() }) },
      answer: z.object({ projects: z.array(shape.ProjectOut), total: z.int() }),
      refusals: GONE,
      async run(context, { query }) {
        const rows = await directory.projects(shape.reachable(context, query.owner || undefined));
        return { projects: rows.map(shape.projectOut), total: rows.length };
      },
    }),
    op({
      id: 'post_iam_projects',
      app,
      method: 'POST',
      path: '/v1/iam/projects',
      summary: 'Creates a project.',
      auth: 'admin',
      input: {
        body: z.object({
          owner: shape.Name.optional(),
          name: shape.Name,
          displayName: shape.DisplayName.optional(),
        }),
      },
      answer: shape.ProjectOut,
      status: 201,
      refusals: { ...REFUSED, 409: 'the name is taken' },
      async run(context, { body }) {
        const org = shape.governed(context, body.owner);
        const made = await directory.createProject(org, body.name, body.displayName);
        await record(context, 'iam.project.create', 'projects', `${org}/${made.name}`);
        return shape.projectOut(made);
      },
    }),
    op({
      id: 'delete_iam_projects_by_owner_by_name',
      app,
      method: 'DELETE',
      path: '/v1/iam/projects/{owner}/{name}',
      summary: 'Deletes a project; keys bound to it end.',
      auth: 'admin',
      input: { params: shape.Address },
      answer: shape.Deleted,
      refusals: REFUSED,
      async run(context, { params: { owner, name } }) {
        const org = shape.governed(context, owner);
        if (!(await directory.deleteProject(org, name))) throw new Problem(404, `There is no project '${name}'.`);
        await record(context, 'iam.project.delete', 'projects', `${org}/${name}`);
        return shape.DELETED;
      },
    }),
  ];
}
