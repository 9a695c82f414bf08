// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import { Api, type ApiResponse, type RequestOptions } from '../request.ts';

export interface AutoConnection {
  readonly connector: string;
  /** names of what is sealed */
  readonly secrets: readonly string[];
}

export interface AutoConnectionList {
  readonly connections: readonly AutoConnection[];
}

export interface AutoConnector {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly logoUrl: string;
  readonly version: string;
  readonly categories: readonly string[];
  readonly auth: {
    readonly type: string;
    readonly required: boolean;
    readonly secrets: readonly {
      readonly name: string;
      readonly description: string;
    }[];
  };
  /** registered by the organization itself */
  readonly own: boolean;
  readonly actions: readonly {
    readonly name: string;
    readonly displayName: string;
    readonly description: string;
    /** its name as a tool */
    readonly tool: string;
    readonly props: readonly {
      readonly name: string;
      readonly displayName: string;
      readonly type: string;
      readonly required: boolean;
      readonly description: string;
    }[];
  }[];
  readonly triggers: readonly {
    readonly name: string;
    readonly displayName: string;
    readonly description: string;
    readonly strategy: string;
    readonly props: readonly {
      readonly name: string;
      readonly displayName: string;
      readonly type: string;
      readonly required: boolean;
      readonly description: string;
    }[];
  }[];
}

export interface AutoConnectorDefinition {
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** https; http only where no credential is sent */
  readonly baseUrl: string;
  readonly auth?:
    | {
        /** Authorization, X-Api-Key, ... */
        readonly header: string;
        /** stands before the credential: `Bearer ` */
        readonly prefix?: string | undefined;
        readonly secretName: string;
      }
    | undefined;
  readonly actions: readonly {
    readonly name: string;
    readonly displayName?: string | undefined;
    readonly description?: string | undefined;
    readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
    /** /things/{id}; what is in braces is a required prop */
    readonly path: string;
    readonly props?:
      | readonly {
          readonly name: string;
          readonly displayName?: string | undefined;
          readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array';
          readonly required?: boolean | undefined;
          readonly description?: string | undefined;
          /** where it goes unless the path has it; default: the body of POST, PUT and PATCH, else the query */
          readonly in?: 'query' | 'body' | undefined;
        }[]
      | undefined;
  }[];
}

export interface AutoConnectorList {
  readonly connectorCount: number;
  readonly connectors: readonly AutoConnector[];
}

export interface AutoConnectorRegistered {
  readonly connector: AutoConnector;
}

/** What `deleteAutoConnectionsById` takes. */
export interface DeleteAutoConnectionsByIdRequest {
  /** name of the connector */
  readonly id: string;
}

/** What `deleteAutoConnectorsById` takes. */
export interface DeleteAutoConnectorsByIdRequest {
  /** name of the connector */
  readonly id: string;
}

/** What `postAutoConnectors` takes. */
export interface PostAutoConnectorsRequest {
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** https; http only where no credential is sent */
  readonly baseUrl: string;
  readonly auth?:
    | {
        /** Authorization, X-Api-Key, ... */
        readonly header: string;
        /** stands before the credential: `Bearer ` */
        readonly prefix?: string | undefined;
        readonly secretName: string;
      }
    | undefined;
  readonly actions: readonly {
    readonly name: string;
    readonly displayName?: string | undefined;
    readonly description?: string | undefined;
    readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
    /** /things/{id}; what is in braces is a required prop */
    readonly path: string;
    readonly props?:
      | readonly {
          readonly name: string;
          readonly displayName?: string | undefined;
          readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array';
          readonly required?: boolean | undefined;
          readonly description?: string | undefined;
          /** where it goes unless the path has it; default: the body of POST, PUT and PATCH, else the query */
          readonly in?: 'query' | 'body' | undefined;
        }[]
      | undefined;
  }[];
}

/** What `putAutoConnectionsById` takes. */
export interface PutAutoConnectionsByIdRequest {
  /** name of the connector */
  readonly id: string;
  /** at most 8192 bytes; it is never shown again */
  readonly value: string;
  /** default: the first that the connector names */
  readonly secretName?: string | undefined;
}

/** Automation */
export class AutoApi extends Api {
  /**
   * Lists which connectors have a credential, never a value.
   *
   * `GET /v1/auto/connections`, for admins.
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   */
  getAutoConnections(options?: RequestOptions): Promise<ApiResponse<AutoConnectionList>> {
    return this.send({ id: 'get_auto_connections', method: 'GET', path: '/v1/auto/connections' }, undefined, options);
  }

  /**
   * Destroys the credentials of a connector.
   *
   * `DELETE /v1/auto/connections/{id}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: it has none
   */
  deleteAutoConnectionsById(
    request: DeleteAutoConnectionsByIdRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<undefined>> {
    return this.send(
      { id: 'delete_auto_connections_by_id', method: 'DELETE', path: '/v1/auto/connections/{id}' },
      request,
      options,
    );
  }

  /**
   * Seals a credential for a connector, in place of the one that is there.
   *
   * `PUT /v1/auto/connections/{id}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: no such connector
   * @throws {ApiError} 422: the connector takes no credential of that name
   * @throws {ApiError} 503: the plane has no key to seal with
   */
  putAutoConnectionsById(
    request: PutAutoConnectionsByIdRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<AutoConnection>> {
    return this.send(
      {
        id: 'put_auto_connections_by_id',
        method: 'PUT',
        path: '/v1/auto/connections/{id}',
        body: ['value', 'secretName'],
      },
      request,
      options,
    );
  }

  /**
   * Lists connectors with their actions and what each takes.
   *
   * `GET /v1/auto/connectors`, for any member.
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getAutoConnectors(options?: RequestOptions): Promise<ApiResponse<AutoConnectorList>> {
    return this.send({ id: 'get_auto_connectors', method: 'GET', path: '/v1/auto/connectors' }, undefined, options);
  }

  /**
   * Registers a connector of the organization’s own; one of the same name is replaced. Its actions are HTTP requests below `baseUrl`. A changed one has to be switched on again; one that goes elsewhere has to be connected again.
   *
   * `POST /v1/auto/connectors`, for admins.
   * @throws {ApiError} 400: an address, path or prop that cannot be used
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 409: the name, or the name of one of its tools, is taken; or there are 100
   * @throws {ApiError} 413: more than 128 KiB
   */
  postAutoConnectors(
    request: PostAutoConnectorsRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<AutoConnectorRegistered>> {
    return this.send(
      {
        id: 'post_auto_connectors',
        method: 'POST',
        path: '/v1/auto/connectors',
        body: ['name', 'displayName', 'description', 'baseUrl', 'auth', 'actions'],
      },
      request,
      options,
    );
  }

  /**
   * Removes one of the organization’s own connectors, with its credential.
   *
   * `DELETE /v1/auto/connectors/{id}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: no such connector of the organization’s own
   */
  deleteAutoConnectorsById(
    request: DeleteAutoConnectorsByIdRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<undefined>> {
    return this.send(
      { id: 'delete_auto_connectors_by_id', method: 'DELETE', path: '/v1/auto/connectors/{id}' },
      request,
      options,
    );
  }
}
