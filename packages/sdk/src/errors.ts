// What a call can end with besides an answer: a refusal of the plane, or no answer that could be read.

/** RFC 9457 problem document, as the plane writes it; further members go with some codes. */
export interface Problem {
  readonly status: number;
  /** the status in words */
  readonly title: string;
  /** one sentence to act on */
  readonly detail: string;
  /** a machine word: `not_found`, `insufficient_balance` */
  readonly code: string;
  /** names the request in the plane's log */
  readonly requestId?: string;
  readonly [member: string]: unknown;
}

/** Every error of this library. `code` is stable; the message is for people. */
export class HanzoError extends Error {
  override readonly name: string = 'HanzoError';
  readonly code: string;
  /** the operation that was called: `get_tool_kit` */
  readonly operation: string;

  constructor(operation: string, code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.code = code;
  }
}

/** The plane answered with another status than a success. `problem` is its document; `message` its `detail`. */
export class ApiError extends HanzoError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly problem: Problem;
  readonly headers: Headers;

  constructor(operation: string, problem: Problem, headers: Headers) {
    super(operation, problem.code, problem.detail);
    this.status = problem.status;
    this.problem = problem;
    this.headers = headers;
  }

  get requestId(): string | undefined {
    return this.problem.requestId ?? this.headers.get('x-request-id') ?? undefined;
  }
}

/**
 * There is no answer to speak of. Codes: `unreachable` (no connection, or it broke), `timeout`, `not_json` (something
 * answered that is not a plane).
 */
export class ConnectionError extends HanzoError {
  override readonly name = 'ConnectionError';
}
