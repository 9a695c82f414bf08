// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import { Api, type ApiResponse, type RequestOptions } from '../request.ts';

export interface Agent {
  readonly name: string;
  /** its name as a tool */
  readonly tool: string;
  readonly description: string;
  readonly url: string;
  readonly hasSecret: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface AgentList {
  readonly agents: readonly Agent[];
}

export interface AgentRun {
  readonly id: string;
  readonly agent: string;
  readonly user: string;
  readonly status: 'succeeded' | 'failed';
  readonly output: string;
  readonly createdAt: number;
  readonly finishedAt: number;
}

export interface AgentRunList {
  readonly runs: readonly AgentRun[];
}

/** What `deleteAgentById` takes. */
export interface DeleteAgentByIdRequest {
  /** name of the agent */
  readonly id: string;
}

/** What `getAgentRuns` takes. */
export interface GetAgentRunsRequest {
  readonly limit?: number | undefined;
}

/** What `postAgent` takes. */
export interface PostAgentRequest {
  readonly name: string;
  readonly description?: string | undefined;
  readonly url: string;
  /** sent as Authorization: Bearer; never shown again */
  readonly secret?: string | undefined;
}

/** Agents */
export class AgentApi extends Api {
  /**
   * Lists the organization’s agents, never their secrets.
   *
   * `GET /v1/agent`, for any member.
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getAgent(options?: RequestOptions): Promise<ApiResponse<AgentList>> {
    return this.send({ id: 'get_agent', method: 'GET', path: '/v1/agent' }, undefined, options);
  }

  /**
   * Registers an agent endpoint; one of the same name is replaced, its secret too. It is sent `{id, input}` by POST and answers text, or JSON with `output`.
   *
   * `POST /v1/agent`, for admins.
   * @throws {ApiError} 400: an address that may not be dialled, or a secret that no header can carry
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 409: the organization has 100
   * @throws {ApiError} 503: the plane has no key to seal with
   */
  postAgent(request: PostAgentRequest, options?: RequestOptions): Promise<ApiResponse<Agent>> {
    return this.send(
      { id: 'post_agent', method: 'POST', path: '/v1/agent', body: ['name', 'description', 'url', 'secret'] },
      request,
      options,
    );
  }

  /**
   * Lists runs of the organization’s agents, newest first.
   *
   * `GET /v1/agent/runs`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getAgentRuns(request?: GetAgentRunsRequest, options?: RequestOptions): Promise<ApiResponse<AgentRunList>> {
    return this.send(
      { id: 'get_agent_runs', method: 'GET', path: '/v1/agent/runs', query: ['limit'] },
      request,
      options,
    );
  }

  /**
   * Removes an agent with its secret; its runs stay on record.
   *
   * `DELETE /v1/agent/{id}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: no such agent
   */
  deleteAgentById(request: DeleteAgentByIdRequest, options?: RequestOptions): Promise<ApiResponse<undefined>> {
    return this.send({ id: 'delete_agent_by_id', method: 'DELETE', path: '/v1/agent/{id}' }, request, options);
  }
}
