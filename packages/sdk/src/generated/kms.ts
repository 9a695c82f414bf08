// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import { Api, type ApiResponse, type QueryValue, type RequestOptions } from '../request.ts';

/** What `deleteKmsSecretsByName` takes. */
export interface DeleteKmsSecretsByNameRequest {
  readonly name: string;
  /** default: `default` */
  readonly env?: QueryValue | undefined;
}

/** What `getKmsSecrets` answers. */
export interface GetKmsSecretsAnswer {
  readonly secrets: readonly {
    readonly name: string;
    readonly env: string;
  }[];
  readonly total: number;
}

/** What `getKmsSecretsByName` answers. */
export interface GetKmsSecretsByNameAnswer {
  readonly name: string;
  readonly env: string;
  readonly value: string;
}

/** What `getKmsSecretsByName` takes. */
export interface GetKmsSecretsByNameRequest {
  readonly name: string;
  /** default: `default` */
  readonly env?: QueryValue | undefined;
}

/** What `getKmsSecrets` takes. */
export interface GetKmsSecretsRequest {
  /** default: `default` */
  readonly env?: QueryValue | undefined;
}

/** What `postKmsRewrap` answers. */
export interface PostKmsRewrapAnswer {
  /** data keys that were wrapped by an older one */
  readonly rewrapped: number;
}

/** What `postKmsRotate` answers. */
export interface PostKmsRotateAnswer {
  /** values sealed anew */
  readonly rotated: number;
}

/** What `putKmsSecretsByName` answers. */
export interface PutKmsSecretsByNameAnswer {
  readonly name: string;
  readonly env: string;
}

/** What `putKmsSecretsByName` takes. */
export interface PutKmsSecretsByNameRequest {
  readonly name: string;
  /** at most 65536 bytes */
  readonly value: string;
  /** default: `default` */
  readonly env?: string | undefined;
}

/** Secrets */
export class KmsApi extends Api {
  /**
   * Wraps every data key by the newest key-encryption key; the one before can then be taken away.
   *
   * `POST /v1/kms/rewrap`, for operators of the plane.
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no operator
   * @throws {ApiError} 503: no key is set up
   */
  postKmsRewrap(options?: RequestOptions): Promise<ApiResponse<PostKmsRewrapAnswer>> {
    return this.send({ id: 'post_kms_rewrap', method: 'POST', path: '/v1/kms/rewrap' }, undefined, options);
  }

  /**
   * Seals all of the organization’s secrets anew under a new data key; the old one is destroyed.
   *
   * `POST /v1/kms/rotate`, for admins.
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 503: no key is set up
   */
  postKmsRotate(options?: RequestOptions): Promise<ApiResponse<PostKmsRotateAnswer>> {
    return this.send({ id: 'post_kms_rotate', method: 'POST', path: '/v1/kms/rotate' }, undefined, options);
  }

  /**
   * Lists the names of the organization’s secrets, never a value.
   *
   * `GET /v1/kms/secrets`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   */
  getKmsSecrets(request?: GetKmsSecretsRequest, options?: RequestOptions): Promise<ApiResponse<GetKmsSecretsAnswer>> {
    return this.send(
      { id: 'get_kms_secrets', method: 'GET', path: '/v1/kms/secrets', query: ['env'] },
      request,
      options,
    );
  }

  /**
   * Destroys a secret.
   *
   * `DELETE /v1/kms/secrets/{name}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: no such secret
   */
  deleteKmsSecretsByName(
    request: DeleteKmsSecretsByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<undefined>> {
    return this.send(
      { id: 'delete_kms_secrets_by_name', method: 'DELETE', path: '/v1/kms/secrets/{name}', query: ['env'] },
      request,
      options,
    );
  }

  /**
   * Shows one secret.
   *
   * `GET /v1/kms/secrets/{name}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: no such secret
   * @throws {ApiError} 503: the key it was sealed under is not set up
   */
  getKmsSecretsByName(
    request: GetKmsSecretsByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<GetKmsSecretsByNameAnswer>> {
    return this.send(
      { id: 'get_kms_secrets_by_name', method: 'GET', path: '/v1/kms/secrets/{name}', query: ['env'] },
      request,
      options,
    );
  }

  /**
   * Keeps a secret, in place of the one of that name.
   *
   * `PUT /v1/kms/secrets/{name}`, for admins.
   * @throws {ApiError} 400: too large
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 503: no key is set up
   */
  putKmsSecretsByName(
    request: PutKmsSecretsByNameRequest,
    options?: RequestOptions,
  ): Promise<ApiResponse<PutKmsSecretsByNameAnswer>> {
    return this.send(
      { id: 'put_kms_secrets_by_name', method: 'PUT', path: '/v1/kms/secrets/{name}', body: ['value', 'env'] },
      request,
      options,
    );
  }
}
