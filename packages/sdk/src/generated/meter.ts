// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import { Api, type ApiResponse, type QueryValue, type RequestOptions } from '../request.ts';

/** What `getMeterBalance` answers. */
export interface GetMeterBalanceAnswer {
  readonly org: string;
  /** US dollars, an exact decimal */
  readonly balance: string;
  /** of it, set aside for calls under way */
  readonly held: string;
  /** US dollars, an exact decimal */
  readonly available: string;
  readonly currency: 'USD';
}

/** What `getMeterBalance` takes. */
export interface GetMeterBalanceRequest {
  /** for operators */
  readonly org?: QueryValue | undefined;
}

/** What `getMeterEntries` answers. */
export interface GetMeterEntriesAnswer {
  readonly entries: readonly {
    readonly seq: number;
    readonly time: number;
    /** deposit, fee or charge */
    readonly kind: string;
    /** US dollars, an exact decimal */
    readonly amount: string;
    /** after it */
    readonly balance: string;
    readonly ref: string;
    readonly note: string;
  }[];
}

/** What `getMeterEntries` takes. */
export interface GetMeterEntriesRequest {
  /** for operators */
  readonly org?: QueryValue | undefined;
  /** rows with a smaller seq */
  readonly before?: QueryValue | undefined;
  /** default 100, at most 1000 */
  readonly limit?: QueryValue | undefined;
}

/** What `getMeterUsage` answers. */
export interface GetMeterUsageAnswer {
  readonly usage: readonly {
    readonly org: string;
    readonly project: string;
    readonly tool: string;
    readonly kind: string;
    readonly day: string;
    readonly units: number;
  }[];
  /** units in all, also of rows beyond the limit */
  readonly total: number;
}

/** What `getMeterUsage` takes. */
export interface GetMeterUsageRequest {
  /** for operators */
  readonly org?: QueryValue | undefined;
  readonly project?: QueryValue | undefined;
  readonly tool?: QueryValue | undefined;
  readonly kind?: QueryValue | undefined;
  /** first day, UTC */
  readonly from?: QueryValue | undefined;
  /** last day, UTC */
  readonly to?: QueryValue | undefined;
  /** default 1000, at most 10000 */
  readonly limit?: QueryValue | undefined;
}

/** What `postMeterDeposits` answers. */
export interface PostMeterDepositsAnswer {
  readonly org: string;
  /** US dollars, an exact decimal */
  readonly balance: string;
  /** of it, set aside for calls under way */
  readonly held: string;
  /** US dollars, an exact decimal */
  readonly available: string;
  readonly currency: 'USD';
}

/** What `postMeterDeposits` takes. */
export interface PostMeterDepositsRequest {
  readonly org: string;
  /** US dollars, an exact decimal; negative takes back */
  readonly amount: string;
  /** the same again is booked once */
  readonly ref?: string | undefined;
  readonly note?: string | undefined;
}

/** Meter */
export class MeterApi extends Api {
  /**
   * Reads the organization’s prepaid balance.
   *
   * `GET /v1/meter/balance`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 404: another organization
   */
  getMeterBalance(
    request?: GetMeterBalanceRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<GetMeterBalanceAnswer>> {
    return this.send(
      { id: 'get_meter_balance', method: 'GET', path: '/v1/meter/balance', query: ['org'] },
      request,
      options,
    );
  }

  /**
   * Books a deposit on an organization’s balance, or takes one back.
   *
   * `POST /v1/meter/deposits`, for operators of the plane.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no operator
   */
  postMeterDeposits(
    request: PostMeterDepositsRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PostMeterDepositsAnswer>> {
    return this.send(
      { id: 'post_meter_deposits', method: 'POST', path: '/v1/meter/deposits', body: ['org', 'amount', 'ref', 'note'] },
      request,
      options,
    );
  }

  /**
   * Lists what was booked on the balance, newest first.
   *
   * `GET /v1/meter/entries`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: another organization
   */
  getMeterEntries(
    request?: GetMeterEntriesRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<GetMeterEntriesAnswer>> {
    return this.send(
      { id: 'get_meter_entries', method: 'GET', path: '/v1/meter/entries', query: ['org', 'before', 'limit'] },
      request,
      options,
    );
  }

  /**
   * Lists what the organization has used, by day, project, tool and kind.
   *
   * `GET /v1/meter/usage`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 404: another organization
   */
  getMeterUsage(request?: GetMeterUsageRequest, options?: RequestOptions): Promise<ApiResponse<GetMeterUsageAnswer>> {
    return this.send(
      {
        id: 'get_meter_usage',
        method: 'GET',
        path: '/v1/meter/usage',
        query: ['org', 'project', 'tool', 'kind', 'from', 'to', 'limit'],
      },
      request,
      options,
    );
  }
}
