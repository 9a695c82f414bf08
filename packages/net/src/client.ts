// The client: one guarded connection pool, bounded requests over it, redirects followed by hand.
import type { Socket } from 'node:net';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { codingsOf, createBody } from './body.ts';
import { createDialer, type Dialer } from './dial.ts';
import { NetError, short, shown } from './errors.ts';
import { explain } from './explain.ts';
import { makeFetch } from './fetch.ts';
import { createGuard, hostOf } from './guard.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { type Deadline, deadline, type FullLimits, limitsOf } from './limits.ts';
import { type Hop, follow, locationOf } from './redirect.ts';
import { systemResolver } from './resolver.ts';
import type { ClientOptions, NetClient, NetResponse, RequestOptions } from './types.ts';

const METHOD = /^[A-Z][A-Z-]{0,31}$/;
const REFUSED_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']); // Fetch standard, forbidden methods

/**
 * Makes a client whose every connection goes through the dial guard: names are resolved once, all addresses must be public
 * (or excepted), the connection is made to exactly those, and its peer is checked again.
 *
 * @throws NetError `invalid` for an unusable option
 * @example
 * const client = createClient({ userAgent: 'example/1' });
 * const answer = await client.request('https://example.com/', { timeoutMs: 5000 });
 * const text = new TextDecoder().decode(await answer.body.bytes());
 */
export function createClient(options: ClientOptions = {}): NetClient {
  const guard = createGuard(options);
  const connectMs = options.connectMs ?? 10_000;
  const dialer = createDialer({ guard, connectMs, resolver: options.resolver ?? systemResolver, ca: options.ca });
  const { idleMs } = limitsOf({}, options);
  const agent = new Agent({
    allowH2: false,
    pipelining: 1,
    connections: options.connections ?? 16,
    maxHeaderSize: options.maxHeaderBytes ?? 65_536,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    // undici hands over a callback; what it answers is settled in `dialer`.
    connect: (target, callback) => void connect(dialer, target, callback),
  });

  async function send(hop: Hop, signal: AbortSignal, idle: number): Promise<Dispatcher.ResponseData> {
    return agent.request({
      origin: hop.url.origin,
      path: `${hop.url.pathname}${hop.url.search}`,
      method: hop.method,
      headers: [...hop.headers].flat(),
      body: hop.body ?? null,
      signal,
      headersTimeout: idle,
      bodyTimeout: idle,
      responseHeaders: 'raw',
    });
  }

  async function ask(raw: string | URL, request: RequestOptions = {}): Promise<NetResponse> {
    const limits = limitsOf(request, options);
    const first = firstHop(raw, request, options, guard.url);
    const cut = deadline(limits.timeoutMs, request.signal);
    const redirects: string[] = [];
    try {
      for (let hop = first; ;) {
        cut.signal.throwIfAborted();
        const answer = await send(hop, cut.signal, limits.idleMs);
        // With `responseHeaders: 'raw'` undici hands out the list of names and values as it came.
        const headers = responseHeaders(answer.headers as unknown as (Buffer | string)[]);
        const location = request.redirect === 'manual' ? undefined : locationOf(answer.statusCode, headers);
        if (location === undefined) return respond(hop, answer, headers, redirects, limits, cut);
        answer.body.on('error', () => undefined).destroy();
        if (request.redirect === 'error') {
          throw new NetError(
            'redirect',
            `${shown(hop.url)} redirects (${answer.statusCode}), which this request does not allow`,
            {
              from: shown(hop.url),
              status: answer.statusCode,
            },
          );
        }
        const next = follow(hop, answer.statusCode, location, guard);
        redirects.push(hop.url.href);
        if (redirects.length > limits.maxRedirects) throw tooMany(redirects, next.url, limits.maxRedirects);
        hop = next;
      }
    } catch (error) {
      cut.clear();
      throw explain(error, cut.signal);
    }
  }

  return {
    request: ask,
    fetch: makeFetch(ask),
    async close() {
      dialer.close();
      await agent.destroy();
    },
  };
}

async function connect(
  dialer: Dialer,
  { hostname, protocol, port }: buildConnector.Options,
  callback: buildConnector.Callback,
): Promise<void> {
  const secure = protocol === 'https:';
  let socket: Socket;
  try {
    socket = await dialer.dial({ hostname, secure, port: Number(port) || (secure ? 443 : 80) });
  } catch (error) {
    callback(error instanceof Error ? error : new Error(String(error)), null);
    return;
  }
  callback(null, socket);
}

function firstHop(
  raw: string | URL,
  request: RequestOptions,
  options: ClientOptions,
  check: (raw: string | URL) => URL,
): Hop {
  const method = request.method ?? 'GET';
  if (!METHOD.test(method) || REFUSED_METHODS.has(method)) {
    throw new NetError(
      'invalid',
      `'${short(method, 40)}' is not a method this client sends; use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS`,
    );
  }
  const headers = requestHeaders(request.headers ?? {});
  if (!headers.has('user-agent') && options.userAgent) headers.set('user-agent', options.userAgent);
  if (!headers.has('accept')) headers.set('accept', '*/*');
  // A range counts encoded bytes, so a part of a file is asked for as it is.
  if (!headers.has('accept-encoding'))
    headers.set('accept-encoding', headers.has('range') ? 'identity' : 'gzip, deflate, br');
  return { url: check(raw), method, headers, body: request.body };
}

function respond(
  hop: Hop,
  answer: Dispatcher.ResponseData,
  headers: Headers,
  redirects: readonly string[],
  limits: FullLimits,
  cut: Deadline,
): NetResponse {
  const empty = hop.method === 'HEAD' || answer.statusCode === 204 || answer.statusCode === 304;
  const codings = empty ? [] : codingsOf(headers.get('content-encoding'));
  const length = headers.get('content-length');
  return {
    status: answer.statusCode,
    url: hop.url.href,
    redirects,
    headers,
    body: createBody(answer.body, {
      codings,
      announced: !empty && codings.length === 0 && length !== null && /^\d+$/.test(length) ? Number(length) : undefined,
      maxBytes: limits.maxBytes,
      overflow: limits.overflow,
      explain: (error) => explain(error, cut.signal),
      done: () => cut.clear(),
    }),
  };
}

function tooMany(redirects: readonly string[], next: URL, most: number): NetError {
  const loop = redirects.includes(next.href);
  return new NetError(
    'redirect',
    loop
      ? `the redirects go in a circle (back to ${shown(next)}); the server may want a cookie or a login`
      : `more than ${most} redirects; the last one leads to ${shown(next)}`,
    { redirects: redirects.length, loop, host: hostOf(next) },
  );
}
