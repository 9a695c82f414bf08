// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import { Api, type ApiResponse, type RequestOptions } from '../request.ts';

/** What `deleteFunctionById` takes. */
export interface DeleteFunctionByIdRequest {
  /** name of the function */
  readonly id: string;
}

export interface Function {
  readonly name: string;
  /** its name as a tool */
  readonly tool: string;
  readonly description: string;
  readonly source: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface FunctionList {
  readonly functions: readonly Function[];
}

/** What `getFunctionById` takes. */
export interface GetFunctionByIdRequest {
  /** name of the function */
  readonly id: string;
}

/** What `postFunction` takes. */
export interface PostFunctionRequest {
  readonly name: string;
  readonly description?: string | undefined;
  /** export default (input) => ... */
  readonly source: string;
}

/** Functions */
export class FunctionApi extends Api {
  /**
   * Lists the organization’s functions.
   *
   * `GET /v1/function`, for any member.
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getFunction(options?: RequestOptions): Promise<ApiResponse<FunctionList>> {
    return this.send({ id: 'get_function', method: 'GET', path: '/v1/function' }, undefined, options);
  }

  /**
   * Writes a function; one of the same name is replaced. A JavaScript module whose default export takes the input and answers JSON; at most 64 KiB.
   *
   * `POST /v1/function`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 409: the organization has 200
   * @throws {ApiError} 413: more than 64 KiB
   * @throws {ApiError} 422: a source that cannot be run, with the reason
   * @throws {ApiError} 429: 32 calls under way
   */
  postFunction(request: PostFunctionRequest, options?: RequestOptions): Promise<ApiResponse<Function>> {
    return this.send(
      { id: 'post_function', method: 'POST', path: '/v1/function', body: ['name', 'description', 'source'] },
      request,
      options,
    );
  }

  /**
   * Removes a function.
   *
   * `DELETE /v1/function/{id}`, for admins.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 403: the caller is no admin
   * @throws {ApiError} 404: no such function
   */
  deleteFunctionById(request: DeleteFunctionByIdRequest, options?: RequestOptions): Promise<ApiResponse<undefined>> {
    return this.send({ id: 'delete_function_by_id', method: 'DELETE', path: '/v1/function/{id}' }, request, options);
  }

  /**
   * Shows one function.
   *
   * `GET /v1/function/{id}`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 404: no such function
   */
  getFunctionById(request: GetFunctionByIdRequest, options?: RequestOptions): Promise<ApiResponse<Function>> {
    return this.send({ id: 'get_function_by_id', method: 'GET', path: '/v1/function/{id}' }, request, options);
  }
}
