// The rows of identity and what they are called outside.
export interface IamTables {
  iam_organizations: {
    name: string;
    display_name: string;
    created: number;
    updated: number;
    deleted: number | null;
  };
  iam_users: {
    id: string;
    owner: string;
    name: string;
    display_name: string;
    email: string | null;
    forbidden: number;
    created: number;
    updated: number;
  };
  iam_members: { org: string; user_id: string; admin: number; created: number };
  iam_projects: { org: string; name: string; display_name: string; created: number };
  iam_keys: {
    id: string;
    org: string;
    name: string;
    type: 'secret' | 'publishable';
    hash: string;
    last4: string;
    user_id: string | null;
    project: string | null;
    created: number;
    expires: number | null;
    revoked: number | null;
    last_used: number | null;
  };
}

export interface Organization {
  readonly name: string;
  readonly displayName: string;
  readonly created: number;
  readonly updated: number;
}

export interface User {
  readonly id: string;
  /** home organization */
  readonly owner: string;
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly isForbidden: boolean;
  readonly created: number;
  readonly updated: number;
}

export interface Member {
  readonly org: string;
  readonly user: User;
  readonly isAdmin: boolean;
  readonly created: number;
}

export interface Project {
  readonly org: string;
  readonly name: string;
  readonly displayName: string;
  readonly created: number;
}

export interface Key {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly type: 'secret' | 'publishable';
  readonly last4: string;
  /** `owner/name`; absent for a machine's */
  readonly user?: string;
  readonly userId?: string;
  /** the one project it may act in; absent: any of its organization */
  readonly project?: string;
  readonly created: number;
  readonly expires?: number;
  readonly revoked?: number;
  readonly lastUsed?: number;
}

export function asOrganization(row: IamTables['iam_organizations']): Organization {
  return { name: row.name, displayName: row.display_name, created: row.created, updated: row.updated };
}

export function asUser(row: IamTables['iam_users']): User {
  return {
    id: row.id,
    owner: row.owner,
    name: row.name,
    displayName: row.display_name,
    email: row.email ?? '',
    isForbidden: row.forbidden !== 0,
    created: row.created,
    updated: row.updated,
  };
}

export function asProject(row: IamTables['iam_projects']): Project {
  return { org: row.org, name: row.name, displayName: row.display_name, created: row.created };
}

/** `person` is the name of the user it belongs to, where it belongs to one */
export function asKey(row: IamTables['iam_keys'], person: string | null): Key {
  return {
    id: row.id,
    org: row.org,
    name: row.name,
    type: row.type,
    last4: row.last4,
    ...(person === null || row.user_id === null ? {} : { user: person, userId: row.user_id }),
    ...(row.project === null ? {} : { project: row.project }),
    created: row.created,
    ...(row.expires === null ? {} : { expires: row.expires }),
    ...(row.revoked === null ? {} : { revoked: row.revoked }),
    ...(row.last_used === null ? {} : { lastUsed: row.last_used }),
  };
}
