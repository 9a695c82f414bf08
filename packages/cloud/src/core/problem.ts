// A refusal as an error: RFC 9457 members, thrown anywhere, written to the wire in one place.
import { shorten } from '@hanzo/tool';

export type ProblemStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 409
  | 413
  | 415
  | 422
  | 424
  | 429
  | 500
  | 502
  | 503
  | 504;

/** Machine words that go with a status; a closed list per status is in docs/errors.md. */
export interface ProblemDetails {
  /** default: the status in words, `not_found` */
  readonly code?: string;
  /** further members at the top level; those of the envelope win over them */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Characters of a sentence: what it quotes may be of any length. */
const LONGEST = 1000;

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: ProblemStatus;
  readonly code: string;
  readonly more: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  /** `detail` is one sentence a person can act on; it never holds a secret */
  constructor(status: ProblemStatus, detail: string, { code, more, headers, cause }: ProblemDetails = {}) {
    super(shorten(detail, LONGEST), cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code ?? CODES[status];
    this.more = more ?? {};
    this.headers = headers ?? {};
  }
}

const CODES: Readonly<Record<ProblemStatus, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  424: 'failed_dependency',
  429: 'too_many_requests',
  500: 'internal',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'timeout',
};
