// The client: one guarded connection pool, bounded requests over it, redirects followed by hand.
import type { Socket } from 'node:net';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { type NetBody, type Overflow, codingsOf, createBody } from './body.ts';
import { createDialer, type Dialer } from './dial.ts';
import { NetError, shown } from './errors.ts';
import { explain } from './explain.ts';
import { type GuardedFetch, makeFetch } from './fetch.ts';
import { type GuardOptions, createGuard, hostOf } from './guard.ts';
import { type HeaderFields, requestHeaders, responseHeaders } from './headers.ts';
import { type Hop, follow, locationOf } from './redirect.ts';
import { type Resolver, systemResolver } from './resolver.ts';

/** Limits of one request; a client's are the defaults of its requests. */
export interface Limits {
  /** most milliseconds from the call to the last byte of the body. Default 30,000 */
  readonly timeoutMs?: number;
  /** most milliseconds between two bytes of an answer. Default 15,000 */
  readonly idleMs?: number;
  /** most bytes of body after decoding. Default 10 MiB */
  readonly maxBytes?: number;
  /** what happens at maxBytes. Default 'error' */
  readonly overflow?: Overflow;
  /** redirects followed before giving up. Default 10 */
  readonly maxRedirects?: number;
}

export interface ClientOptions extends GuardOptions, Limits {
  /** default: the operating system's resolver */
  readonly resolver?: Resolver;
  /** most milliseconds for resolving, connecting and TLS together. Default 10,000 */
  readonly connectMs?: number;
  /** most bytes of response headers. Default 64 KiB */
  readonly maxHeaderBytes?: number;
  /** connections kept per origin. Default 16 */
  readonly connections?: number;
  /** certificate authorities (PEM) trusted beside the built-in ones */
  readonly ca?: string | readonly string[];
  /** sent as User-Agent unless a request sets its own. Default none */
  readonly userAgent?: string;
}

export interface RequestOptions extends Limits {
  /** default GET */
  readonly method?: string;
  readonly headers?: HeaderFields;
  readonly body?: string | Uint8Array;
  /** 'follow' (default) goes on by hand, every hop checked; 'manual' hands out the 3xx; 'error' refuses it */
  readonly redirect?: 'follow' | 'manual' | 'error';
  /** gives up with code 'aborted' */
  readonly signal?: AbortSignal;
}

export interface NetResponse {
  readonly status: number;
  /** the URL that answered, without fragment */
  readonly url: string;
  /** the URLs that redirected here, first to last; [] when none did */
  readonly redirects: readonly string[];
  readonly headers: Headers;
  /** must be read or discarded; until then it holds a connection, and the total time runs */
  readonly body: NetBody;
}

export interface NetClient {
  /** Sends one request. Rejects with NetError only. Any HTTP status is an answer, not an error. */
  request(url: string | URL, options?: RequestOptions): Promise<NetResponse>;
  /** The same guard behind the web's `fetch`; limits are the client's own. */
  readonly fetch: GuardedFetch;
  /** Ends every connection, those in use too. */
  close(): Promise<void>;
}

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
  const idleMs = options.idleMs ?? 15_000;
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
    const limits = { ...defaults(options), ...defined(request) };
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

type FullLimits = Required<Limits>;

function defaults(options: Limits): FullLimits {
  return {
    timeoutMs: options.timeoutMs ?? 30_000,
    idleMs: options.idleMs ?? 15_000,
    maxBytes: options.maxBytes ?? 10 * 1024 * 1024,
    overflow: options.overflow ?? 'error',
    maxRedirects: options.maxRedirects ?? 10,
  };
}

function defined(options: RequestOptions): Partial<FullLimits> {
  const { timeoutMs, idleMs, maxBytes, overflow, maxRedirects } = options;
  const entries = Object.entries({ timeoutMs, idleMs, maxBytes, overflow, maxRedirects });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
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
      `'${method.slice(0, 40)}' is not a method this client sends; use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS`,
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

interface Deadline {
  readonly signal: AbortSignal;
  clear(): void;
}

/** One signal for the total time and the caller's wish, whose reason is always a NetError. */
function deadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const late = setTimeout(() => {
    controller.abort(
      new NetError('timeout', `no complete answer within ${timeoutMs} ms; allow more time, or ask for less`, {
        timeoutMs,
        phase: 'total',
      }),
    );
  }, timeoutMs);
  const give = (): void => controller.abort(new NetError('aborted', 'the request was cancelled', {}, caller?.reason));
  if (caller?.aborted) give();
  else caller?.addEventListener('abort', give, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(late);
      caller?.removeEventListener('abort', give);
    },
  };
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
