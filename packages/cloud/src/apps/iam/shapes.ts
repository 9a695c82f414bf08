// What identity looks like on the wire: the published names of its members (contract, cloud clients 8).
import { z } from 'zod';
import { OPERATOR_ORG, type Identity } from '../../core/identity.ts';
import type { OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Key, Member, Organization, Project } from './store.ts';

/** Names in addresses: organizations, users, projects, keys. */
export const Name = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores');
export const DisplayName = z.string().trim().min(1).max(200);
export const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^(?:[^\s@\p{C}]+@[^\s@\p{C}]+)?$/u, 'must be an e-mail address');
/** `owner/name` */
export const UserRef = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}\/[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'must be owner/name');

export const Address = z.object({ owner: Name, name: Name });

const number = (fallback: number, most: number) =>
  z
    .string()
    .optional()
    .describe(`default ${fallback}, at most ${most}`)
    .transform((text) => {
      const value = /^\d{1,9}$/.test(text ?? '') ? Number(text) : fallback;
      return Math.min(value, most);
    });
export const SpanQuery = { limit: number(100, 1000), offset: number(0, 999_999_999) };

export const OrganizationOut = z.object({
  owner: z.string(),
  name: z.string(),
  displayName: z.string(),
  createdTime: z.int(),
  updatedTime: z.int(),
});
export const UserOut = z.object({
  id: z.string(),
  owner: z.string().describe('home organization'),
  name: z.string(),
  displayName: z.string(),
  email: z.string(),
  phone: z.string(),
  avatar: z.string(),
  isAdmin: z.boolean().describe('of the organization that was asked about'),
  isForbidden: z.boolean(),
  createdTime: z.int(),
  updatedTime: z.int(),
  groups: z.array(z.string()),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
});
export const ProjectOut = z.object({
  owner: z.string(),
  name: z.string(),
  displayName: z.string(),
  createdTime: z.int(),
});
export const KeyOut = z.object({
  id: z.string(),
  owner: z.string(),
  name: z.string(),
  organization: z.string(),
  type: z.enum(['secret', 'publishable']),
  accessKey: z.string().describe('how it begins and ends, never the whole'),
  user: z.string().describe('owner/name; empty for a machine'),
  scope: z.string().describe('the one project it may act in; empty: any'),
  state: z.enum(['active', 'expired', 'revoked']),
  createdTime: z.int(),
  expireTime: z.int().describe('0: never'),
  lastUsedTime: z.int().describe('0: never; to the minute'),
});
export const MembershipOut = z.object({
  org: z.string(),
  user: z.string(),
  isAdmin: z.boolean(),
  createdTime: z.int(),
});
export const Deleted = z.object({ deleted: z.literal(true) });
export const DELETED = { deleted: true } as const;

/** The older answer form that some routes keep. */
export function envelope<T extends z.ZodType>(data: T) {
  return z.object({ status: z.literal('ok'), msg: z.literal(''), data });
}

export function ok<T>(data: T): { status: 'ok'; msg: ''; data: T } {
  return { status: 'ok', msg: '', data };
}

export function organizationOut(row: Organization): z.input<typeof OrganizationOut> {
  return {
    owner: OPERATOR_ORG,
    name: row.name,
    displayName: row.displayName,
    createdTime: row.created,
    updatedTime: row.updated,
  };
}

export function userOut({ user, isAdmin }: Member): z.input<typeof UserOut> {
  return {
    id: user.id,
    owner: user.owner,
    name: user.name,
    displayName: user.displayName,
    email: user.email,
    phone: '',
    avatar: '',
    isAdmin,
    isForbidden: user.isForbidden,
    createdTime: user.created,
    updatedTime: user.updated,
    groups: [],
    roles: isAdmin ? ['admin'] : ['member'],
    permissions: [],
  };
}

export function projectOut(row: Project): z.input<typeof ProjectOut> {
  return { owner: row.org, name: row.name, displayName: row.displayName, createdTime: row.created };
}

export function keyOut(key: Key, now: number): z.input<typeof KeyOut> {
  const expired = key.expires !== undefined && key.expires <= now / 1000;
  return {
    id: key.id,
    owner: key.org,
    name: key.name,
    organization: key.org,
    type: key.type,
    accessKey: `${key.type === 'secret' ? 'sk' : 'pk'}-…${key.last4}`,
    user: key.user ?? '',
    scope: key.project ?? '',
    state: key.revoked === undefined ? (expired ? 'expired' : 'active') : 'revoked',
    createdTime: key.created,
    expireTime: key.expires ?? 0,
    lastUsedTime: key.lastUsed ?? 0,
  };
}

export function membershipOut(member: Member): z.input<typeof MembershipOut> {
  return {
    org: member.org,
    user: `${member.user.owner}/${member.user.name}`,
    isAdmin: member.isAdmin,
    createdTime: member.created,
  };
}

/** The caller, who is there because the operation asks for one. */
export function caller({ identity }: OpContext): Identity {
  if (identity === undefined) throw new Problem(401, 'A credential is needed.');
  return identity;
}

/** The organization meant: the caller's own, or any for an operator; another's is not there. */
export function reachable(context: OpContext, org: string | undefined): string {
  const identity = caller(context);
  if (org === undefined || org === identity.org) return identity.org;
  if (identity.isOperator) return org;
  throw new Problem(404, `There is no organization '${org}'.`);
}

/** The same, for somebody who changes it. */
export function governed(context: OpContext, org: string | undefined): string {
  const where = reachable(context, org);
  const identity = caller(context);
  if (identity.isOperator || identity.isAdmin) return where;
  throw new Problem(403, 'Only an admin of the organization may do this.');
}
