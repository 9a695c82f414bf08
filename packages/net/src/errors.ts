// The one error this package throws, and the closed list of its codes.

/**
 * Why a request failed.
 * - `invalid`: the caller's URL, method, header or option cannot be used; nothing was sent
 * - `blocked`: the guard refuses the address, name, port, scheme or userinfo; nothing was sent there
 * - `dns`: the name does not resolve
 * - `connect`: no connection, or it broke
 * - `tls`: the server did not prove its identity, or does not speak TLS
 * - `timeout`: the total or the idle time is over
 * - `too-large`: headers or body exceed their limit
 * - `redirect`: a redirect that may not be followed, or too many of them
 * - `protocol`: what came back is not HTTP, or does not decode
 * - `aborted`: the caller's signal
 */
export type NetErrorCode =
  | 'invalid'
  | 'blocked'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too-large'
  | 'redirect'
  | 'protocol'
  | 'aborted';

/** Facts beside the sentence. URLs here carry neither query nor fragment, which may hold secrets. */
export type NetErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A failed request: a stable code, a sentence with what was wrong and what would be right, and facts. */
export class NetError extends Error {
  override readonly name = 'NetError';
  readonly code: NetErrorCode;
  readonly details: NetErrorDetails;

  constructor(code: NetErrorCode, message: string, details: NetErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** Origin and path of a URL, for messages: never its query, which may hold secrets. */
export function shown(url: URL): string {
  return short(`${url.origin}${url.pathname}`, 200);
}

/** The first `most` UTF-16 units of a text from outside, for messages; never half a code point. */
export function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
