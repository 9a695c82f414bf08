// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import { Api, type ApiResponse, type RequestOptions } from '../request.ts';

/** What `postTodoBoards` takes. */
export interface PostTodoBoardsRequest {
  readonly name: string;
}

export interface TodoBoard {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface TodoBoardList {
  readonly boards: readonly TodoBoard[];
}

/** To do */
export class TodoApi extends Api {
  /**
   * Lists the organization’s boards.
   *
   * `GET /v1/todo/boards`, for any member.
   * @throws {ApiError} 401: no credential, or one that is not known
   */
  getTodoBoards(options?: RequestOptions): Promise<ApiResponse<TodoBoardList>> {
    return this.send({ id: 'get_todo_boards', method: 'GET', path: '/v1/todo/boards' }, undefined, options);
  }

  /**
   * Creates a board.
   *
   * `POST /v1/todo/boards`, for any member.
   * @throws {ApiError} 400: the input is not as it must be
   * @throws {ApiError} 401: no credential, or one that is not known
   * @throws {ApiError} 409: the name is taken, or there are 100
   */
  postTodoBoards(request: PostTodoBoardsRequest, options?: RequestOptions): Promise<ApiResponse<TodoBoard>> {
    return this.send(
      { id: 'post_todo_boards', method: 'POST', path: '/v1/todo/boards', body: ['name'] },
      request,
      options,
    );
  }
}
