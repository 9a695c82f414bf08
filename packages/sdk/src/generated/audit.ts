// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import { Api, type ApiResponse, type QueryValue, type RequestOptions } from '../request.ts';

/** What `getAudit` answers. */
export interface GetAuditAnswer {
  readonly rows: readonly {
    readonly seq: number;
    readonly time: number;
    readonly actor: {
      readonly org: string;
      readonly sub: string;
      readonly email?: string | undefined;
    };
    readonly action: string;
    readonly resource: {
      readonly type: string;
      readonly id?: string | undefined;
    };
    readonly auth: {
      readonly method: string;
      readonly isAdmin: boolean;
    };
    readonly outcome: {
      readonly result: string;
      readonly status: number;
      readonly reason?: string | undefined;
    };
    readonly sourceIp?: string | undefined;
    readonly userAgent?: string | undefined;
    readonly requestId?: string | undefined;
    readonly method?: string | undefined;
    readonly path?: string | undefined;
    readonly before?: unknown;
    readonly after?: unknown;
    readonly prevHash: string;
    readonly hash: string;
  }[];
  /** there is more */
  readonly cursor?: string | undefined;
}

/** What `getAudit` takes. */
export interface GetAuditRequest {
  /** for operators; left out: every organization */
  readonly org?: QueryValue | undefined;
  readonly action?: QueryValue | undefined;
  /** who: a user’s or a machine key’s id */
  readonly sub?: QueryValue | undefined;
  /** the id of what was acted on */
  readonly resource?: QueryValue | undefined;
  readonly result?: QueryValue | undefined;
  /** Unix seconds */
  readonly since?: QueryValue | undefined;
  /** Unix seconds */
  readonly until?: QueryValue | undefined;
  /** default 50, at most 200 */
  readonly limit?: QueryValue | undefined;
  /** of the answer before: goes on after it */
  readonly cursor?: QueryValue | undefined;
}

/** Audit */
export class AuditApi extends Api {
  /**
   * Lists who did what, newest first. Each row carries the hash of itself and of the row before it in its organization; `hanzo-cloud audit verify` checks an export.
   *
   * `GET /v1/audit`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: not an admin
   * @throws {ApiError} 404: another organization
   */
  getAudit(request?: GetAuditRequest, options?: RequestOptions): Promise<ApiResponse<GetAuditAnswer>> {
    return this.send(
      {
        id: 'get_audit',
        method: 'GET',
        path: '/v1/audit',
        query: ['org', 'action', 'sub', 'resource', 'result', 'since', 'until', 'limit', 'cursor'],
      },
      request,
      options,
    );
  }
}
