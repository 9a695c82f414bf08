// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import { Api, type ApiResponse, type QueryValue, type RequestOptions } from '../request.ts';

/** What `deleteToolMcpServersById` takes. */
export interface DeleteToolMcpServersByIdRequest {
  readonly id: string;
}

/** What `deleteToolSkillsById` takes. */
export interface DeleteToolSkillsByIdRequest {
  readonly id: string;
}

/** What `getToolCatalogById` takes. */
export interface GetToolCatalogByIdRequest {
  readonly id: string;
}

/** What `getToolCatalog` takes. */
export interface GetToolCatalogRequest {
  /** part of the name, title or description */
  readonly q?: QueryValue | undefined;
  /** filters when it is exactly `true` */
  readonly featured?: QueryValue | undefined;
  /** filters when it is exactly `true` */
  readonly official?: QueryValue | undefined;
  /** 1 to 200, default 50 */
  readonly limit?: QueryValue | undefined;
  readonly offset?: QueryValue | undefined;
}

/** What `getToolPlugins` takes. */
export interface GetToolPluginsRequest {
  /** with exactly `true` also what is not running */
  readonly all?: QueryValue | undefined;
}

/** What `getTool` takes. */
export interface GetToolRequest {
  /** one source; empty: all */
  readonly source?: QueryValue | undefined;
  /** filters when it is exactly `true` */
  readonly activated?: QueryValue | undefined;
}

/** What `getToolSkills` takes. */
export interface GetToolSkillsRequest {
  /** filters when it is exactly `true` */
  readonly activated?: QueryValue | undefined;
}

/** What `patchToolCatalogById` takes. */
export interface PatchToolCatalogByIdRequest {
  readonly id: string;
  readonly hidden?: boolean | undefined;
  readonly featured?: boolean | undefined;
  readonly official?: boolean | undefined;
  /** empty: the publisher’s again, with the next sync */
  readonly logo?: string | undefined;
}

/** What `postToolCall` takes. */
export interface PostToolCallRequest {
  readonly name: string;
  /** an object; absent: no arguments */
  readonly arguments?: unknown;
}

/** What `postToolMcpServers` takes. */
export interface PostToolMcpServersRequest {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  /** id of the catalog; instead of url */
  readonly listing?: string | undefined;
  /** header the credential is sent in */
  readonly authHeader?: string | undefined;
  /** the credential, sealed; no route shows it again */
  readonly secret?: string | undefined;
}

/** What `postToolRelayByServer` answers. */
export type PostToolRelayByServerAnswer = unknown;

/** What `postToolRelayByServer` takes. */
export interface PostToolRelayByServerRequest {
  readonly server: string;
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null | undefined;
  readonly method: string;
  readonly params?: unknown;
}

/** What `postToolSkillsContribute` answers. */
export interface PostToolSkillsContributeAnswer {
  readonly count: number;
  readonly refused: readonly string[];
}

/** What `postToolSkillsContribute` takes. */
export interface PostToolSkillsContributeRequest {
  readonly source: string;
  readonly files: readonly {
    readonly path: string;
    readonly content: string;
  }[];
}

/** What `postToolSkills` takes. */
export interface PostToolSkillsRequest {
  readonly name: string;
  readonly description?: string | undefined;
  readonly content: string;
}

/** What `putToolActivation` takes. */
export interface PutToolActivationRequest {
  readonly activate?: readonly string[] | undefined;
  readonly deactivate?: readonly string[] | undefined;
}

/** What `putToolKit` takes. */
export interface PutToolKitRequest {
  readonly mute?: readonly string[] | undefined;
  readonly unmute?: readonly string[] | undefined;
}

export interface Tool {
  readonly name: string;
  /** connector, function, zap-service, agent, skill or mcp */
  readonly source: string;
  readonly description: string;
  readonly inputSchema?: { readonly [member: string]: unknown } | undefined;
  /** absent: free by declaration */
  readonly price?:
    | {
        readonly amount: string;
        readonly currency?: string | undefined;
        readonly recipient?: string | undefined;
      }
    | undefined;
  /** false for skills */
  readonly dispatchable: boolean;
  /** for the caller’s organization and project */
  readonly activated: boolean;
  readonly [member: string]: unknown;
}

export interface ToolActivationSet {
  readonly enabled: readonly string[];
  /** enabled, but changed since: not callable until an admin activates them again */
  readonly held?:
    | readonly {
        readonly name: string;
        readonly reason: string;
      }[]
    | undefined;
}

export interface ToolAuthoredSkillList {
  readonly skills: readonly ToolSkill[];
}

export interface ToolCatalog {
  readonly catalog: readonly ToolListing[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export interface ToolCatalogSync {
  readonly added: number;
  readonly updated: number;
  readonly total: number;
  readonly registry: string;
}

export interface ToolKit {
  readonly skills: readonly ToolSkillDoc[];
  readonly servers: readonly ToolRemote[];
  readonly omitted: readonly string[];
  readonly excess: readonly string[];
  readonly muted: readonly string[];
}

export interface ToolLeftOut {
  readonly source: string;
  readonly reason: string;
  readonly withheld: readonly string[];
}

export interface ToolList {
  readonly tools: readonly Tool[];
  /** sources that are not, or not wholly, in the list; absent: none */
  readonly partial?: readonly ToolLeftOut[] | undefined;
}

export interface ToolListing {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly repo?: string | undefined;
  readonly site?: string | undefined;
  readonly version: string;
  readonly logo?: string | undefined;
  readonly transports: readonly string[];
  readonly packages?:
    | readonly {
        readonly registry: string;
        readonly identifier: string;
        readonly version?: string | undefined;
        readonly runtime?: string | undefined;
        readonly transport: string;
      }[]
    | undefined;
  readonly remotes?:
    | readonly {
        readonly transport: string;
        readonly url: string;
      }[]
    | undefined;
  readonly registry: string;
  readonly synced: number;
  readonly hidden: boolean;
  readonly featured: boolean;
  readonly official: boolean;
}

export interface ToolPluginMountList {
  readonly plugins: readonly {
    readonly enabled: boolean;
    readonly name: string;
    readonly prefixes: readonly string[];
  }[];
}

export interface ToolRelayMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null | undefined;
  readonly method: string;
  readonly params?: unknown;
  readonly [member: string]: unknown;
}

export interface ToolRemote {
  readonly name: string;
  readonly tools: readonly string[];
}

export interface ToolResult {
  readonly name: string;
  readonly result: unknown;
}

export interface ToolServer {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly url: string;
  readonly authHeader?: string | undefined;
  readonly hasSecret: boolean;
  readonly listing?: string | undefined;
  readonly source: 'catalog' | 'org';
  readonly createdAt: number;
  readonly admitted: boolean;
  readonly status?: 'ok' | 'unreachable' | 'refused' | 'error' | undefined;
  readonly reason?: string | undefined;
  readonly tools?: number | undefined;
}

export interface ToolServerList {
  readonly servers: readonly ToolServer[];
}

export interface ToolSkill {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** the repository it came from; empty: written by hand */
  readonly source: string;
  readonly admitted: boolean;
}

export interface ToolSkillDeleted {
  readonly deleted: string;
}

export interface ToolSkillDoc {
  readonly name: string;
  readonly content: string;
}

export interface ToolSkillWritten {
  readonly skill: ToolSkill;
}

export interface ToolSourceToolList {
  readonly source: 'skill';
  readonly tools: readonly Tool[];
}

/** Tools */
export class ToolApi extends Api {
  /**
   * Lists every tool the organization can have, from all sources.
   *
   * `GET /v1/tool`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getTool(request?: GetToolRequest, options?: RequestOptions): Promise<ApiResponse<ToolList>> {
    return this.send(
      { id: 'get_tool', method: 'GET', path: '/v1/tool', query: ['source', 'activated'] },
      request,
      options,
    );
  }

  /**
   * Lists the names that are switched on for the caller’s organization and project.
   *
   * `GET /v1/tool/activation`, for any member.
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getToolActivation(options?: RequestOptions): Promise<ApiResponse<ToolActivationSet>> {
    return this.send({ id: 'get_tool_activation', method: 'GET', path: '/v1/tool/activation' }, undefined, options);
  }

  /**
   * Switches tools on and off; names that are not in the request stay as they are. `activate` comes first, then `deactivate`. Nothing is changed when one name is refused. Skills and the tools of MCP servers are switched by admins.
   *
   * `PUT /v1/tool/activation`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: a skill or a server’s tool, and the caller is no admin
   * @throws {ApiError} 413: more than 256 names
   */
  putToolActivation(
    request?: PutToolActivationRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<ToolActivationSet>> {
    return this.send(
      { id: 'put_tool_activation', method: 'PUT', path: '/v1/tool/activation', body: ['activate', 'deactivate'] },
      request,
      options,
    );
  }

  /**
   * Calls one activated tool.
   *
   * `POST /v1/tool/call`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 402: the balance or the price is not covered
   * @throws {ApiError} 403: not activated for this organization and project
   * @throws {ApiError} 404: no such tool
   * @throws {ApiError} 422: it can be read but not called
   * @throws {ApiError} 424: the tool, or its source, failed
   */
  postToolCall(request: PostToolCallRequest, options?: RequestOptions): Promise<ApiResponse<ToolResult>> {
    return this.send(
      { id: 'post_tool_call', method: 'POST', path: '/v1/tool/call', body: ['name', 'arguments'] },
      request,
      options,
    );
  }

  /**
   * Searches the catalog of public MCP servers.
   *
   * `GET /v1/tool/catalog`, for anybody.
   * @throws {ApiError} 400: the input is not as it must be
   */
  getToolCatalog(request?: GetToolCatalogRequest, options?: RequestOptions): Promise<ApiResponse<ToolCatalog>> {
    return this.send(
      {
        id: 'get_tool_catalog',
        method: 'GET',
        path: '/v1/tool/catalog',
        query: ['q', 'featured', 'official', 'limit', 'offset'],
      },
      request,
      options,
    );
  }

  /**
   * Reads the upstream registry into the catalog.
   *
   * `POST /v1/tool/catalog/sync`, for operators of the plane.
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no operator
   * @throws {ApiError} 502: the registry failed; what was read before is kept
   */
  postToolCatalogSync(options?: RequestOptions): Promise<ApiResponse<ToolCatalogSync>> {
    return this.send(
      { id: 'post_tool_catalog_sync', method: 'POST', path: '/v1/tool/catalog/sync' },
      undefined,
      options,
    );
  }

  /**
   * Shows one listing of the catalog.
   *
   * `GET /v1/tool/catalog/{id}`, for anybody.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 404: no such listing
   */
  getToolCatalogById(request: GetToolCatalogByIdRequest, options?: RequestOptions): Promise<ApiResponse<ToolListing>> {
    return this.send({ id: 'get_tool_catalog_by_id', method: 'GET', path: '/v1/tool/catalog/{id}' }, request, options);
  }

  /**
   * Curates one listing: hidden, featured, official, logo.
   *
   * `PATCH /v1/tool/catalog/{id}`, for operators of the plane.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no operator
   * @throws {ApiError} 404: no such listing
   */
  patchToolCatalogById(
    request: PatchToolCatalogByIdRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<ToolListing>> {
    return this.send(
      {
        id: 'patch_tool_catalog_by_id',
        method: 'PATCH',
        path: '/v1/tool/catalog/{id}',
        body: ['hidden', 'featured', 'official', 'logo'],
      },
      request,
      options,
    );
  }

  /**
   * Answers what the caller’s coding runs carry: skills, and servers with the tools they may call.
   *
   * `GET /v1/tool/kit`, for any member.
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getToolKit(options?: RequestOptions): Promise<ApiResponse<ToolKit>> {
    return this.send({ id: 'get_tool_kit', method: 'GET', path: '/v1/tool/kit' }, undefined, options);
  }

  /**
   * Takes names out of the caller’s own runs, or gives them back. A skill is `skill_<name>`, a server’s tool `<server>_<tool>`, a whole server its id. It narrows only.
   *
   * `PUT /v1/tool/kit`, for any member.
   * @throws {ApiError} 400: a name to mute that the kit does not carry
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 413: more than 256 names
   */
  putToolKit(request?: PutToolKitRequest, options?: RequestOptions): Promise<ApiResponse<ToolKit>> {
    return this.send(
      { id: 'put_tool_kit', method: 'PUT', path: '/v1/tool/kit', body: ['mute', 'unmute'] },
      request,
      options,
    );
  }

  /**
   * Lists the organization’s MCP servers, and how each answers.
   *
   * `GET /v1/tool/mcp/servers`, for any member.
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getToolMcpServers(options?: RequestOptions): Promise<ApiResponse<ToolServerList>> {
    return this.send({ id: 'get_tool_mcp_servers', method: 'GET', path: '/v1/tool/mcp/servers' }, undefined, options);
  }

  /**
   * Registers an MCP server by its address, or one of the catalog by its listing. A listing that is registered again is revised, not doubled. Without `secret` a credential that was kept before is destroyed.
   *
   * `POST /v1/tool/mcp/servers`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: no such listing
   * @throws {ApiError} 422: the listing has no streamable-http endpoint
   * @throws {ApiError} 503: no key is set up to seal a credential with; nothing was stored
   */
  postToolMcpServers(request?: PostToolMcpServersRequest, options?: RequestOptions): Promise<ApiResponse<ToolServer>> {
    return this.send(
      {
        id: 'post_tool_mcp_servers',
        method: 'POST',
        path: '/v1/tool/mcp/servers',
        body: ['name', 'url', 'listing', 'authHeader', 'secret'],
      },
      request,
      options,
    );
  }

  /**
   * Removes a server, its credential and what was switched on of it.
   *
   * `DELETE /v1/tool/mcp/servers/{id}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: no such server
   */
  deleteToolMcpServersById(
    request: DeleteToolMcpServersByIdRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<undefined>> {
    return this.send(
      { id: 'delete_tool_mcp_servers_by_id', method: 'DELETE', path: '/v1/tool/mcp/servers/{id}' },
      request,
      options,
    );
  }

  /**
   * Lists the parts this plane runs. It is an inventory of mounted code, not of tools.
   *
   * `GET /v1/tool/plugins`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getToolPlugins(request?: GetToolPluginsRequest, options?: RequestOptions): Promise<ApiResponse<ToolPluginMountList>> {
    return this.send(
      { id: 'get_tool_plugins', method: 'GET', path: '/v1/tool/plugins', query: ['all'] },
      request,
      options,
    );
  }

  /**
   * Relays one MCP message to a server of the caller’s kit. Only the tools the kit lists for the server can be called; every other name is unknown.
   *
   * `POST /v1/tool/relay/{server}`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  postToolRelayByServer(
    request: PostToolRelayByServerRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PostToolRelayByServerAnswer>> {
    return this.send(
      {
        id: 'post_tool_relay_by_server',
        method: 'POST',
        path: '/v1/tool/relay/{server}',
        body: ['jsonrpc', 'id', 'method', 'params'],
      },
      request,
      options,
    );
  }

  /**
   * Lists skills as tools, the plane’s own and the organization’s, without their documents.
   *
   * `GET /v1/tool/skills`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getToolSkills(request?: GetToolSkillsRequest, options?: RequestOptions): Promise<ApiResponse<ToolSourceToolList>> {
    return this.send(
      { id: 'get_tool_skills', method: 'GET', path: '/v1/tool/skills', query: ['activated'] },
      request,
      options,
    );
  }

  /**
   * Writes a skill; one of the same name is revised.
   *
   * `POST /v1/tool/skills`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 409: a repository contributed the skill of that name
   */
  postToolSkills(request: PostToolSkillsRequest, options?: RequestOptions): Promise<ApiResponse<ToolSkillWritten>> {
    return this.send(
      { id: 'post_tool_skills', method: 'POST', path: '/v1/tool/skills', body: ['name', 'description', 'content'] },
      request,
      options,
    );
  }

  /**
   * Lists the organization’s own skills with their documents.
   *
   * `GET /v1/tool/skills/authored`, for any member.
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getToolSkillsAuthored(options?: RequestOptions): Promise<ApiResponse<ToolAuthoredSkillList>> {
    return this.send(
      { id: 'get_tool_skills_authored', method: 'GET', path: '/v1/tool/skills/authored' },
      undefined,
      options,
    );
  }

  /**
   * Replaces everything one repository contributed with what it has now.
   *
   * `POST /v1/tool/skills/contribute`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   */
  postToolSkillsContribute(
    request: PostToolSkillsContributeRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PostToolSkillsContributeAnswer>> {
    return this.send(
      {
        id: 'post_tool_skills_contribute',
        method: 'POST',
        path: '/v1/tool/skills/contribute',
        body: ['source', 'files'],
      },
      request,
      options,
    );
  }

  /**
   * Removes a skill; one that is not there counts as removed.
   *
   * `DELETE /v1/tool/skills/{id}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   */
  deleteToolSkillsById(
    request: DeleteToolSkillsByIdRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<ToolSkillDeleted>> {
    return this.send(
      { id: 'delete_tool_skills_by_id', method: 'DELETE', path: '/v1/tool/skills/{id}' },
      request,
      options,
    );
  }
}
