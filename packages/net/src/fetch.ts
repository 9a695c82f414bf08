// The guarded client behind the signature of the web's fetch, for libraries that take one.
import { NetError } from './errors.ts';
import type { GuardedFetch, NetResponse, RequestOptions } from './types.ts';

type Send = (url: string | URL, options: RequestOptions) => Promise<NetResponse>;

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Wraps `send`. Rejects with NetError; the response's body streams, and fails with NetError at a limit. */
export function makeFetch(send: Send): GuardedFetch {
  return async (input, init) => {
    const request = read(input, init);
    const answer = await send(input instanceof Request ? input.url : input, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      redirect: request.redirect,
      signal: request.signal,
      ...(request.body === null ? {} : { body: new Uint8Array(await request.arrayBuffer()) }),
    });
    return toResponse(answer, request.method);
  };
}

function read(input: string | URL | Request, init: RequestInit | undefined): Request {
  try {
    return new Request(input, init);
  } catch (error) {
    throw new NetError('invalid', error instanceof Error ? error.message : String(error), {}, error);
  }
}

function toResponse(answer: NetResponse, method: string): Response {
  const { status, body } = answer;
  if (status < 200 || status > 599) {
    body.discard();
    throw new NetError('protocol', `the server answered with the status ${status}, which HTTP does not know`, {
      status,
    });
  }
  const empty = method === 'HEAD' || BODILESS.has(status);
  if (empty) body.discard();
  const headers = new Headers(answer.headers);
  if (headers.has('content-encoding')) {
    // The body has been decoded, so these no longer describe it.
    headers.delete('content-encoding');
    headers.delete('content-length');
  }
  const response = new Response(empty ? null : ReadableStream.from(body), { status, headers });
  Object.defineProperty(response, 'url', { value: answer.url });
  Object.defineProperty(response, 'redirected', { value: answer.redirects.length > 0 });
  return response;
}
