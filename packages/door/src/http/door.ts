// Streamable HTTP as a request handler: both eras on one path. Who may come in is decided here, before anything is read.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@hanzo/tool';
import { CODES, isObject, type Message, readMessage, type Request, RpcError, toRpcError } from '../core/rpc.ts';
import { createService, type ServiceOptions } from '../core/service.ts';
import { createModern, header } from '../eras/2026-07-28/index.ts';
import { type Era, eraOf } from '../eras/claims.ts';
import { hasClaim } from '../eras/2026-07-28/envelope.ts';
import { isModernVersion } from '../eras/revisions.ts';
import { discard, readJson } from './body.ts';
import { type Accepts, createExchange, type Exchange, readAccept, sendError } from './exchange.ts';
import { createGuard, createTokenCheck, type GuardOptions } from './guard.ts';
import { createLegacyHttp } from './legacy.ts';
import type { SessionLimits } from './sessions.ts';

/** Most bytes of one body. */
const MAX_BODY = 4 * 1024 * 1024;
/** Milliseconds between looks at quiet streams and idle sessions. */
const TICK = 5000;
/** Milliseconds that aborted calls have to say so. */
const LAST = 200;

export interface HttpDoorOptions extends ServiceOptions, GuardOptions {
  /** the bearer token clients must send; null serves anyone who reaches the port, and has to be said */
  token: string | null;
  /** settles the caller instead of `token`: undefined refuses with 401 */
  authenticate?: (request: IncomingMessage) => Promise<Caller | undefined> | Caller | undefined;
  /**
   * Value of `WWW-Authenticate` on every 401, of `authenticate` or of a host that throws RpcError with that status; `invalid`
   * tells that a credential was sent. Default: a bearer token is asked for.
   */
  challenge?: (request: IncomingMessage, invalid: boolean) => string;
  /**
   * Gives out no sessions, so that any of several servers answers any request. Clients of the older revisions work without;
   * what needs a session (the standing stream, `logging/setLevel`) is refused.
   */
  stateless?: boolean;
  /** default `/mcp` */
  path?: string;
  /** most bytes of one body; default 4 MiB */
  maxBody?: number;
  sessions?: SessionLimits;
}

export interface HttpDoor {
  /** answers one request, whatever it is; never rejects */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** ends the standing streams with their closing messages, then aborts what is still under way after `grace` ms */
  close(grace?: number): Promise<void>;
}

/** Makes a handler for `node:http`. Throws where the options would open a door to everyone by mistake. */
export function createHttpDoor(options: HttpDoorOptions): HttpDoor {
  const { token, authenticate, path = '/mcp', maxBody = MAX_BODY, stateless = false } = options;
  const challenge = options.challenge ?? bearerChallenge;
  if (token === undefined && !authenticate) {
    throw new TypeError('give a token, or null to serve everyone who reaches the port');
  }
  if (token === '') throw new TypeError('the token must not be empty');
  const guard = createGuard(options);
  const service = createService(options);
  const modern = createModern(service);
  const legacy = createLegacyHttp(service, options.sessions, stateless);
  const exchanges = new Set<Exchange>();
  const underWay = new Set<AbortController>();
  const checkToken = typeof token === 'string' ? createTokenCheck(token) : undefined;
  const local: Caller = Object.freeze({ id: 'local' });
  let closing = false;
  const ticking = setInterval(() => {
    const now = Date.now();
    for (const exchange of exchanges) exchange.tick(now);
    legacy.expire(now);
  }, TICK);
  ticking.unref();

  const onRefusal = (request: IncomingMessage, response: ServerResponse) => (status: number) => {
    if (status !== 401) return;
    response.setHeader('www-authenticate', challenge(request, request.headers.authorization !== undefined));
  };

  const settleCaller = async (request: IncomingMessage): Promise<Caller> => {
    if (authenticate) {
      const caller = await authenticate(request);
      if (caller) return caller;
      throw unauthorized(request.headers.authorization === undefined ? 'missing' : 'invalid');
    }
    const verdict = checkToken ? checkToken(request) : 'ok';
    if (verdict !== 'ok') throw unauthorized(verdict);
    return local;
  };

  const serveModern = async (
    message: Request,
    caller: Caller,
    request: IncomingMessage,
    exchange: Exchange,
  ): Promise<void> => {
    if (message.method === 'subscriptions/listen' && !exchange.open) {
      throw new RpcError(CODES.refused, 'subscriptions/listen needs Accept: text/event-stream', { status: 406 });
    }
    const controller = new AbortController();
    underWay.add(controller);
    exchange.onVanish(() => controller.abort(new Error('the client is gone')));
    const lane = { open: exchange.open, signal: controller.signal, send: exchange.send };
    const reply = await modern.request(message, caller, lane, request.headers);
    underWay.delete(controller);
    exchange.finish(reply.text, reply.status);
  };

  const post = async (request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> => {
    const accepts: Accepts = readAccept(request);
    if (!accepts.json && !accepts.stream) {
      throw new RpcError(CODES.refused, 'Accept must name application/json or text/event-stream', { status: 406 });
    }
    const body = await readJson(request, maxBody);
    const version = header(request.headers, 'mcp-protocol-version');
    const exchange = createExchange(response, accepts, exchanges, onRefusal(request, response));
    if (Array.isArray(body)) {
      if (body.some(claimsModern) || (version !== undefined && isModernVersion(version))) throw noBatch();
      return legacy.batch(body, { caller, version, request, response, exchange });
    }
    const message = readMessage(body);
    if (message.kind === 'invalid') throw withId(new RpcError(message.code, message.reason, { status: 400 }), message);
    const era = decide(message, version);
    if (era === 'legacy') return legacy.one(message, { caller, version, request, response, exchange });
    if (message.kind !== 'request') return exchange.end();
    try {
      await serveModern(message, caller, request, exchange);
    } catch (error) {
      throw withId(toRpcError(error), message);
    }
  };

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const origin = guard.check(request);
    if (origin !== undefined) allowPage(request, response, origin);
    if (closing) throw new RpcError(CODES.refused, 'The server is ending', { status: 503 });
    if (!samePath(request.url, path)) throw new RpcError(CODES.refused, 'Not found', { status: 404 });
    if (request.method === 'OPTIONS' && origin !== undefined) return void response.writeHead(204).end();
    const caller = await settleCaller(request);
    if (request.method === 'POST') return post(request, response, caller);
    const session = stateless ? undefined : header(request.headers, 'mcp-session-id');
    const version = header(request.headers, 'mcp-protocol-version');
    const older = version === undefined || !isModernVersion(version);
    if (session !== undefined && older && request.method === 'GET') {
      return legacy.stream(session, caller, readAccept(request), response, exchanges);
    }
    if (session !== undefined && older && request.method === 'DELETE') return legacy.end(session, caller, response);
    response.setHeader('allow', 'POST');
    throw new RpcError(CODES.refused, 'Method not allowed', { status: 405 });
  };

  return {
    async handle(request, response) {
      try {
        await route(request, response);
      } catch (thrown) {
        const error =
          thrown instanceof RpcError ? thrown : new RpcError(CODES.internal, 'Internal error', { status: 500 });
        // The socket stays: closing it on a client that still sends would take its answer away.
        if (!request.complete) discard(request);
        if (!response.headersSent) onRefusal(request, response)(error.status);
        if (!response.destroyed) sendError(response, idOf(error), error);
      }
    },
    async close(grace = 1000) {
      closing = true;
      clearInterval(ticking);
      modern.close();
      legacy.quiet();
      await empty(exchanges, grace);
      for (const controller of underWay) controller.abort(new Error('the server is ending'));
      legacy.close();
      await empty(exchanges, Math.min(grace, LAST));
      for (const exchange of exchanges) exchange.end(503);
      service.close();
    },
  };
}

/** Waits until no answer is outstanding, at most `time` milliseconds. */
async function empty(exchanges: ReadonlySet<Exchange>, time: number): Promise<void> {
  const until = Date.now() + time;
  while (exchanges.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
}

function decide(message: Exclude<Message, { kind: 'invalid' }>, version: string | undefined): Era {
  try {
    return eraOf(message, version);
  } catch (error) {
    throw withId(toRpcError(error), message);
  }
}

// The id an error answers travels beside it, not in it: the same error may be shared.
const ids = new WeakMap<RpcError, Message>();

function withId(error: RpcError, message: Message): RpcError {
  ids.set(error, message);
  return error;
}

function idOf(error: RpcError): string | number | null {
  const message = ids.get(error);
  return message?.kind === 'request' || message?.kind === 'invalid' ? message.id : null;
}

function claimsModern(item: unknown): boolean {
  return isObject(item) && isObject(item['params']) && hasClaim(item['params']);
}

function noBatch(): RpcError {
  return new RpcError(CODES.invalidRequest, 'This revision has no batches', { status: 400 });
}

function samePath(url: string | undefined, path: string): boolean {
  const [given = ''] = (url ?? '').split('?', 1);
  return given === path || given === `${path}/`;
}

function bearerChallenge(_request: IncomingMessage, invalid: boolean): string {
  return `Bearer realm="mcp"${invalid ? ', error="invalid_token"' : ''}`;
}

function unauthorized(why: 'missing' | 'invalid'): RpcError {
  const message = why === 'invalid' ? 'The bearer token is wrong' : 'A bearer token is required';
  return new RpcError(CODES.refused, message, { status: 401 });
}

const PAGE_HEADERS: readonly string[] = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Mcp-Session-Id',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
];

/** Lets an allowed web page send what clients send and read the answers (Fetch standard, CORS). */
function allowPage(request: IncomingMessage, response: ServerResponse, origin: string): void {
  const asked = request.headers['access-control-request-headers'] ?? '';
  // Which parameters are repeated as headers depends on the tool, so any such name may be used.
  const parameters = asked
    .split(',')
    .flatMap((name) => /^\s*(mcp-param-[!#$%&'*+\-.^`|~\w]+)\s*$/i.exec(name)?.[1] ?? []);
  response.setHeader('vary', 'Origin');
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'Mcp-Session-Id, WWW-Authenticate');
  response.setHeader('access-control-allow-methods', 'POST, GET, DELETE');
  response.setHeader('access-control-allow-headers', [...PAGE_HEADERS, ...parameters].join(', '));
}
