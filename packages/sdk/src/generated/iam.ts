// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import { Api, type ApiResponse, type QueryValue, type RequestOptions } from '../request.ts';

/** What `deleteIamKeysByOwnerByName` answers. */
export interface DeleteIamKeysByOwnerByNameAnswer {
  readonly deleted: true;
}

/** What `deleteIamKeysByOwnerByName` takes. */
export interface DeleteIamKeysByOwnerByNameRequest {
  readonly owner: string;
  readonly name: string;
}

/** What `deleteIamOrganizationsByOwnerByName` answers. */
export interface DeleteIamOrganizationsByOwnerByNameAnswer {
  readonly deleted: true;
}

/** What `deleteIamOrganizationsByOwnerByName` takes. */
export interface DeleteIamOrganizationsByOwnerByNameRequest {
  readonly owner: string;
  readonly name: string;
}

/** What `deleteIamProjectsByOwnerByName` answers. */
export interface DeleteIamProjectsByOwnerByNameAnswer {
  readonly deleted: true;
}

/** What `deleteIamProjectsByOwnerByName` takes. */
export interface DeleteIamProjectsByOwnerByNameRequest {
  readonly owner: string;
  readonly name: string;
}

/** What `deleteIamUsersByOwnerByName` answers. */
export interface DeleteIamUsersByOwnerByNameAnswer {
  readonly deleted: true;
}

/** What `deleteIamUsersByOwnerByName` takes. */
export interface DeleteIamUsersByOwnerByNameRequest {
  readonly owner: string;
  readonly name: string;
}

/** What `getIamAccount` answers. */
export interface GetIamAccountAnswer {
  readonly status: 'ok';
  readonly msg: '';
  readonly data: {
    readonly owner: string;
    readonly name: string;
    readonly id: string;
    readonly organization: string;
    readonly project: string;
    readonly displayName: string;
    readonly email: string;
    readonly type: 'user' | 'machine';
    readonly isAdmin: boolean;
    readonly isOperator: boolean;
    readonly method: 'key' | 'jwt';
    /** the id of the key or token, not the key */
    readonly credential: string;
  };
}

/** What `getIamKeys` answers. */
export interface GetIamKeysAnswer {
  readonly keys: readonly {
    readonly id: string;
    readonly owner: string;
    readonly name: string;
    readonly organization: string;
    readonly type: 'secret' | 'publishable';
    /** how it begins and ends, never the whole */
    readonly accessKey: string;
    /** owner/name; empty for a machine */
    readonly user: string;
    /** the one project it may act in; empty: any */
    readonly scope: string;
    readonly state: 'active' | 'expired' | 'revoked';
    readonly createdTime: number;
    /** 0: never */
    readonly expireTime: number;
    /** 0: never; to the minute */
    readonly lastUsedTime: number;
  }[];
  readonly total: number;
}

/** What `getIamKeys` takes. */
export interface GetIamKeysRequest {
  readonly owner?: QueryValue | undefined;
  /** default 100, at most 1000 */
  readonly limit?: QueryValue | undefined;
  /** default 0, at most 999999999 */
  readonly offset?: QueryValue | undefined;
}

/** What `getIamMemberships` answers. */
export interface GetIamMembershipsAnswer {
  readonly status: 'ok';
  readonly msg: '';
  readonly data: readonly {
    readonly org: string;
    readonly user: string;
    readonly isAdmin: boolean;
    readonly createdTime: number;
  }[];
}

/** What `getIamMemberships` takes. */
export interface GetIamMembershipsRequest {
  readonly org?: QueryValue | undefined;
  /** owner/name */
  readonly user?: QueryValue | undefined;
  /** default 100, at most 1000 */
  readonly limit?: QueryValue | undefined;
  /** default 0, at most 999999999 */
  readonly offset?: QueryValue | undefined;
}

/** What `getIamOrganizations` answers. */
export interface GetIamOrganizationsAnswer {
  readonly organizations: readonly {
    readonly owner: string;
    readonly name: string;
    readonly displayName: string;
    readonly createdTime: number;
    readonly updatedTime: number;
  }[];
  readonly total: number;
}

/** What `getIamOrganizationsByOwnerByName` answers. */
export interface GetIamOrganizationsByOwnerByNameAnswer {
  readonly owner: string;
  readonly name: string;
  readonly displayName: string;
  readonly createdTime: number;
  readonly updatedTime: number;
}

/** What `getIamOrganizationsByOwnerByName` takes. */
export interface GetIamOrganizationsByOwnerByNameRequest {
  readonly owner: string;
  readonly name: string;
}

/** What `getIamOrganizations` takes. */
export interface GetIamOrganizationsRequest {
  readonly q?: QueryValue | undefined;
  /** default 100, at most 1000 */
  readonly limit?: QueryValue | undefined;
  /** default 0, at most 999999999 */
  readonly offset?: QueryValue | undefined;
}

/** What `getIamProjects` answers. */
export interface GetIamProjectsAnswer {
  readonly projects: readonly {
    readonly owner: string;
    readonly name: string;
    readonly displayName: string;
    readonly createdTime: number;
  }[];
  readonly total: number;
}

/** What `getIamProjects` takes. */
export interface GetIamProjectsRequest {
  readonly owner?: QueryValue | undefined;
}

/** What `getIamUsers` answers. */
export interface GetIamUsersAnswer {
  readonly users: readonly {
    readonly id: string;
    /** home organization */
    readonly owner: string;
    readonly name: string;
    readonly displayName: string;
    readonly email: string;
    readonly phone: string;
    readonly avatar: string;
    /** of the organization that was asked about */
    readonly isAdmin: boolean;
    readonly isForbidden: boolean;
    readonly createdTime: number;
    readonly updatedTime: number;
    readonly groups: readonly string[];
    readonly roles: readonly string[];
    readonly permissions: readonly string[];
  }[];
  readonly total: number;
}

/** What `getIamUsersByOwnerByName` answers. */
export interface GetIamUsersByOwnerByNameAnswer {
  readonly id: string;
  /** home organization */
  readonly owner: string;
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly phone: string;
  readonly avatar: string;
  /** of the organization that was asked about */
  readonly isAdmin: boolean;
  readonly isForbidden: boolean;
  readonly createdTime: number;
  readonly updatedTime: number;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** What `getIamUsersByOwnerByName` takes. */
export interface GetIamUsersByOwnerByNameRequest {
  readonly owner: string;
  readonly name: string;
}

/** What `getIamUsers` takes. */
export interface GetIamUsersRequest {
  /** another organization, for operators */
  readonly owner?: QueryValue | undefined;
  readonly email?: QueryValue | undefined;
  /** default 100, at most 1000 */
  readonly limit?: QueryValue | undefined;
  /** default 0, at most 999999999 */
  readonly offset?: QueryValue | undefined;
}

/** What `postIamDeleteMembership` answers. */
export interface PostIamDeleteMembershipAnswer {
  readonly status: 'ok';
  readonly msg: '';
  readonly data: {
    readonly deleted: boolean;
  };
}

/** What `postIamDeleteMembership` takes. */
export interface PostIamDeleteMembershipRequest {
  readonly org?: string | undefined;
  readonly user: string;
}

/** What `postIamKeys` answers. */
export interface PostIamKeysAnswer {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly organization: string;
  readonly type: 'secret' | 'publishable';
  /** how it begins and ends, never the whole */
  readonly accessKey: string;
  /** owner/name; empty for a machine */
  readonly user: string;
  /** the one project it may act in; empty: any */
  readonly scope: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly createdTime: number;
  /** 0: never */
  readonly expireTime: number;
  /** 0: never; to the minute */
  readonly lastUsedTime: number;
  /** the whole key; it is not shown again */
  readonly secret: string;
}

/** What `postIamKeys` takes. */
export interface PostIamKeysRequest {
  readonly owner?: string | undefined;
  readonly name?: string | undefined;
  readonly type?: 'secret' | 'publishable' | undefined;
  /** default: the caller */
  readonly user?: string | undefined;
  /** true: nobody’s */
  readonly machine?: boolean | undefined;
  /** the one project it may act in */
  readonly scope?: string | undefined;
  /** Unix seconds; 0 or left out: never */
  readonly expireTime?: number | undefined;
}

/** What `postIamMemberships` answers. */
export interface PostIamMembershipsAnswer {
  readonly status: 'ok';
  readonly msg: '';
  readonly data: {
    readonly org: string;
    readonly user: string;
    readonly isAdmin: boolean;
    readonly createdTime: number;
  };
}

/** What `postIamMemberships` takes. */
export interface PostIamMembershipsRequest {
  readonly org?: string | undefined;
  readonly user: string;
  readonly isAdmin?: boolean | undefined;
}

/** What `postIamOrganizations` answers. */
export interface PostIamOrganizationsAnswer {
  readonly owner: string;
  readonly name: string;
  readonly displayName: string;
  readonly createdTime: number;
  readonly updatedTime: number;
}

/** What `postIamOrganizations` takes. */
export interface PostIamOrganizationsRequest {
  readonly name: string;
  readonly displayName?: string | undefined;
}

/** What `postIamProjects` answers. */
export interface PostIamProjectsAnswer {
  readonly owner: string;
  readonly name: string;
  readonly displayName: string;
  readonly createdTime: number;
}

/** What `postIamProjects` takes. */
export interface PostIamProjectsRequest {
  readonly owner?: string | undefined;
  readonly name: string;
  readonly displayName?: string | undefined;
}

/** What `postIamUsers` answers. */
export interface PostIamUsersAnswer {
  readonly id: string;
  /** home organization */
  readonly owner: string;
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly phone: string;
  readonly avatar: string;
  /** of the organization that was asked about */
  readonly isAdmin: boolean;
  readonly isForbidden: boolean;
  readonly createdTime: number;
  readonly updatedTime: number;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** What `postIamUsers` takes. */
export interface PostIamUsersRequest {
  readonly user: {
    /** home organization; default the caller’s */
    readonly owner?: string | undefined;
    readonly name: string;
    readonly displayName?: string | undefined;
    readonly email?: string | undefined;
    readonly isAdmin?: boolean | undefined;
  };
}

/** What `putIamOrganizationsByOwnerByName` answers. */
export interface PutIamOrganizationsByOwnerByNameAnswer {
  readonly owner: string;
  readonly name: string;
  readonly displayName: string;
  readonly createdTime: number;
  readonly updatedTime: number;
}

/** What `putIamOrganizationsByOwnerByName` takes. */
export interface PutIamOrganizationsByOwnerByNameRequest {
  readonly owner: string;
  readonly name: string;
  readonly displayName?: string | undefined;
}

/** What `putIamUsersByOwnerByName` answers. */
export interface PutIamUsersByOwnerByNameAnswer {
  readonly id: string;
  /** home organization */
  readonly owner: string;
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly phone: string;
  readonly avatar: string;
  /** of the organization that was asked about */
  readonly isAdmin: boolean;
  readonly isForbidden: boolean;
  readonly createdTime: number;
  readonly updatedTime: number;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** What `putIamUsersByOwnerByName` takes. */
export interface PutIamUsersByOwnerByNameRequest {
  readonly owner: string;
  readonly name: string;
  readonly user: {
    readonly displayName?: string | undefined;
    readonly email?: string | undefined;
    readonly isAdmin?: boolean | undefined;
    /** true: nothing of theirs is accepted any more */
    readonly isForbidden?: boolean | undefined;
  };
}

/** Identity */
export class IamApi extends Api {
  /**
   * Says who the caller is: organization, project, user, what they may do.
   *
   * `GET /v1/iam/account`, for any member.
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getIamAccount(options?: RequestOptions): Promise<ApiResponse<GetIamAccountAnswer>> {
    return this.send({ id: 'get_iam_account', method: 'GET', path: '/v1/iam/account' }, undefined, options);
  }

  /**
   * Ends a membership; the user’s keys in that organization end with it.
   *
   * `POST /v1/iam/delete-membership`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin of the organization
   * @throws {ApiError} 404: no such record, or another organization’s
   * @throws {ApiError} 409: the last admin
   */
  postIamDeleteMembership(
    request: PostIamDeleteMembershipRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PostIamDeleteMembershipAnswer>> {
    return this.send(
      { id: 'post_iam_delete_membership', method: 'POST', path: '/v1/iam/delete-membership', body: ['org', 'user'] },
      request,
      options,
    );
  }

  /**
   * Lists keys: an admin sees the organization’s, anybody else their own. Never a whole key.
   *
   * `GET /v1/iam/keys`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 404: another organization
   */
  getIamKeys(request?: GetIamKeysRequest, options?: RequestOptions): Promise<ApiResponse<GetIamKeysAnswer>> {
    return this.send(
      { id: 'get_iam_keys', method: 'GET', path: '/v1/iam/keys', query: ['owner', 'limit', 'offset'] },
      request,
      options,
    );
  }

  /**
   * Creates a key and shows it, this once. Anybody creates keys for themselves. An admin also creates them for other members, and for machines (`machine`), which are never admins.
   *
   * `POST /v1/iam/keys`, for any member.
   * @throws {ApiError} 400: expired already, or both a user and a machine
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: for somebody else by a caller who is no admin, or wider than the caller’s own key
   * @throws {ApiError} 404: no such user, project or organization
   * @throws {ApiError} 409: the name is taken
   */
  postIamKeys(request?: PostIamKeysRequest, options?: RequestOptions): Promise<ApiResponse<PostIamKeysAnswer>> {
    return this.send(
      {
        id: 'post_iam_keys',
        method: 'POST',
        path: '/v1/iam/keys',
        body: ['owner', 'name', 'type', 'user', 'machine', 'scope', 'expireTime'],
      },
      request,
      options,
    );
  }

  /**
   * Revokes a key, on every node within a second.
   *
   * `DELETE /v1/iam/keys/{owner}/{name}`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: somebody else’s, by a caller who is no admin
   * @throws {ApiError} 404: no such key, or revoked before
   */
  deleteIamKeysByOwnerByName(
    request: DeleteIamKeysByOwnerByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<DeleteIamKeysByOwnerByNameAnswer>> {
    return this.send(
      { id: 'delete_iam_keys_by_owner_by_name', method: 'DELETE', path: '/v1/iam/keys/{owner}/{name}' },
      request,
      options,
    );
  }

  /**
   * Lists memberships: of an organization, or of one user.
   *
   * `GET /v1/iam/memberships`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 404: no such record, or another organization’s
   */
  getIamMemberships(
    request?: GetIamMembershipsRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<GetIamMembershipsAnswer>> {
    return this.send(
      {
        id: 'get_iam_memberships',
        method: 'GET',
        path: '/v1/iam/memberships',
        query: ['org', 'user', 'limit', 'offset'],
      },
      request,
      options,
    );
  }

  /**
   * Makes a user a member of an organization, or changes whether they are its admin.
   *
   * `POST /v1/iam/memberships`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin of the organization
   * @throws {ApiError} 404: no such record, or another organization’s
   * @throws {ApiError} 409: the last admin
   */
  postIamMemberships(
    request: PostIamMembershipsRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PostIamMembershipsAnswer>> {
    return this.send(
      { id: 'post_iam_memberships', method: 'POST', path: '/v1/iam/memberships', body: ['org', 'user', 'isAdmin'] },
      request,
      options,
    );
  }

  /**
   * Lists organizations: those the caller is a member of; all of them for an operator.
   *
   * `GET /v1/iam/organizations`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getIamOrganizations(
    request?: GetIamOrganizationsRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<GetIamOrganizationsAnswer>> {
    return this.send(
      { id: 'get_iam_organizations', method: 'GET', path: '/v1/iam/organizations', query: ['q', 'limit', 'offset'] },
      request,
      options,
    );
  }

  /**
   * Creates an organization.
   *
   * `POST /v1/iam/organizations`, for operators of the plane.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no operator
   * @throws {ApiError} 409: the name is taken, or was
   */
  postIamOrganizations(
    request: PostIamOrganizationsRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PostIamOrganizationsAnswer>> {
    return this.send(
      { id: 'post_iam_organizations', method: 'POST', path: '/v1/iam/organizations', body: ['name', 'displayName'] },
      request,
      options,
    );
  }

  /**
   * Deletes an organization with everything in it; its name is never given again.
   *
   * `DELETE /v1/iam/organizations/{owner}/{name}`, for operators of the plane.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no operator
   * @throws {ApiError} 404: no such record, or another organization’s
   * @throws {ApiError} 409: the organization that operates the plane
   */
  deleteIamOrganizationsByOwnerByName(
    request: DeleteIamOrganizationsByOwnerByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<DeleteIamOrganizationsByOwnerByNameAnswer>> {
    return this.send(
      {
        id: 'delete_iam_organizations_by_owner_by_name',
        method: 'DELETE',
        path: '/v1/iam/organizations/{owner}/{name}',
      },
      request,
      options,
    );
  }

  /**
   * Reads one organization.
   *
   * `GET /v1/iam/organizations/{owner}/{name}`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 404: no such record, or another organization’s
   */
  getIamOrganizationsByOwnerByName(
    request: GetIamOrganizationsByOwnerByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<GetIamOrganizationsByOwnerByNameAnswer>> {
    return this.send(
      { id: 'get_iam_organizations_by_owner_by_name', method: 'GET', path: '/v1/iam/organizations/{owner}/{name}' },
      request,
      options,
    );
  }

  /**
   * Changes an organization.
   *
   * `PUT /v1/iam/organizations/{owner}/{name}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin of the organization
   * @throws {ApiError} 404: no such record, or another organization’s
   */
  putIamOrganizationsByOwnerByName(
    request: PutIamOrganizationsByOwnerByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PutIamOrganizationsByOwnerByNameAnswer>> {
    return this.send(
      {
        id: 'put_iam_organizations_by_owner_by_name',
        method: 'PUT',
        path: '/v1/iam/organizations/{owner}/{name}',
        body: ['displayName'],
      },
      request,
      options,
    );
  }

  /**
   * Lists the projects of the caller’s organization; `default` is always there and not listed.
   *
   * `GET /v1/iam/projects`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 404: no such record, or another organization’s
   */
  getIamProjects(
    request?: GetIamProjectsRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<GetIamProjectsAnswer>> {
    return this.send(
      { id: 'get_iam_projects', method: 'GET', path: '/v1/iam/projects', query: ['owner'] },
      request,
      options,
    );
  }

  /**
   * Creates a project.
   *
   * `POST /v1/iam/projects`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin of the organization
   * @throws {ApiError} 404: no such record, or another organization’s
   * @throws {ApiError} 409: the name is taken
   */
  postIamProjects(
    request: PostIamProjectsRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PostIamProjectsAnswer>> {
    return this.send(
      { id: 'post_iam_projects', method: 'POST', path: '/v1/iam/projects', body: ['owner', 'name', 'displayName'] },
      request,
      options,
    );
  }

  /**
   * Deletes a project; keys bound to it end.
   *
   * `DELETE /v1/iam/projects/{owner}/{name}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin of the organization
   * @throws {ApiError} 404: no such record, or another organization’s
   */
  deleteIamProjectsByOwnerByName(
    request: DeleteIamProjectsByOwnerByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<DeleteIamProjectsByOwnerByNameAnswer>> {
    return this.send(
      { id: 'delete_iam_projects_by_owner_by_name', method: 'DELETE', path: '/v1/iam/projects/{owner}/{name}' },
      request,
      options,
    );
  }

  /**
   * Lists the members of the caller’s organization.
   *
   * `GET /v1/iam/users`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 404: no such record, or another organization’s
   */
  getIamUsers(request?: GetIamUsersRequest, options?: RequestOptions): Promise<ApiResponse<GetIamUsersAnswer>> {
    return this.send(
      { id: 'get_iam_users', method: 'GET', path: '/v1/iam/users', query: ['owner', 'email', 'limit', 'offset'] },
      request,
      options,
    );
  }

  /**
   * Creates a user in the caller’s organization.
   *
   * `POST /v1/iam/users`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin of the organization
   * @throws {ApiError} 404: no such record, or another organization’s
   * @throws {ApiError} 409: the name is taken
   */
  postIamUsers(request: PostIamUsersRequest, options?: RequestOptions): Promise<ApiResponse<PostIamUsersAnswer>> {
    return this.send({ id: 'post_iam_users', method: 'POST', path: '/v1/iam/users', body: ['user'] }, request, options);
  }

  /**
   * Deletes a user with their keys and memberships.
   *
   * `DELETE /v1/iam/users/{owner}/{name}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin of the organization
   * @throws {ApiError} 404: no such record, or another organization’s
   * @throws {ApiError} 409: the last admin
   */
  deleteIamUsersByOwnerByName(
    request: DeleteIamUsersByOwnerByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<DeleteIamUsersByOwnerByNameAnswer>> {
    return this.send(
      { id: 'delete_iam_users_by_owner_by_name', method: 'DELETE', path: '/v1/iam/users/{owner}/{name}' },
      request,
      options,
    );
  }

  /**
   * Reads one user of the caller’s organization.
   *
   * `GET /v1/iam/users/{owner}/{name}`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 404: no such record, or another organization’s
   */
  getIamUsersByOwnerByName(
    request: GetIamUsersByOwnerByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<GetIamUsersByOwnerByNameAnswer>> {
    return this.send(
      { id: 'get_iam_users_by_owner_by_name', method: 'GET', path: '/v1/iam/users/{owner}/{name}' },
      request,
      options,
    );
  }

  /**
   * Changes a user whose home is the caller’s organization.
   *
   * `PUT /v1/iam/users/{owner}/{name}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin of the organization
   * @throws {ApiError} 404: no such record, or another organization’s
   * @throws {ApiError} 409: the last admin
   */
  putIamUsersByOwnerByName(
    request: PutIamUsersByOwnerByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PutIamUsersByOwnerByNameAnswer>> {
    return this.send(
      { id: 'put_iam_users_by_owner_by_name', method: 'PUT', path: '/v1/iam/users/{owner}/{name}', body: ['user'] },
      request,
      options,
    );
  }
}
