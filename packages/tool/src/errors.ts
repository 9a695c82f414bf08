// The closed list of error codes a tool may answer, and the one error type that carries them.

/** Every code an envelope's `error.code` can hold (contract, local core tools 2.4; aliases of one meaning are folded). */
export const ERROR_CODES = [
  'UNKNOWN_ACTION',
  'INVALID_PARAMS',
  'NOT_FOUND',
  'CONFLICT',
  'PERMISSION_DENIED',
  'TIMEOUT',
  'EXIT',
  'HTTP_ERROR',
  'NO_CREDENTIAL',
  'SEARCH_FAILED',
  'INTERNAL_ERROR',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Facts about a failure, spread into `error` beside `code` and `message`. Never a secret. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * A failure with a stable code and a sentence a person can act on.
 * `result` holds what the action has to show in spite of failing (an exit code, captured output).
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly result: import('./content.ts').ActionResult | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
    result?: import('./content.ts').ActionResult,
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.result = result;
  }
}
