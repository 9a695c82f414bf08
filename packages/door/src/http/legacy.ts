// The session era over HTTP: messages with and without a session, batches, the standing stream.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@hanzo/tool';
import type { Flight } from '../core/lane.ts';
import {
  CODES,
  errorReply,
  invalidReply,
  type Message,
  readMessage,
  type Reply,
  type Request,
  RpcError,
  shown,
} from '../core/rpc.ts';
import type { Service } from '../core/service.ts';
import { header } from '../eras/2026-07-28/index.ts';
import { createLegacySession, LEGACY_VERSIONS, type LegacySession } from '../eras/legacy/session.ts';
import { ASSUMED_LEGACY, legacyRevision, MODERN_VERSIONS } from '../eras/revisions.ts';
import { type Accepts, createExchange, type Exchange } from './exchange.ts';
import { createSessions, type HttpSession, type SessionLimits } from './sessions.ts';

/** Most messages of one batch. */
const MAX_BATCH = 1000;

type Valid = Exclude<Message, { kind: 'invalid' }>;

/** One POST, as far as it has been read. */
interface Incoming {
  readonly caller: Caller;
  /** the version header */
  readonly version: string | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchange: Exchange;
}

export interface LegacyHttp {
  one(message: Valid, incoming: Incoming): Promise<void>;
  batch(items: readonly unknown[], incoming: Incoming): Promise<void>;
  /** GET: opens the standing stream of a session */
  stream(id: string, caller: Caller, accepts: Accepts, response: ServerResponse, track: Set<Exchange>): void;
  /** DELETE: ends a session */
  end(id: string, caller: Caller, response: ServerResponse): void;
  expire(now: number): void;
  /** ends the standing streams */
  quiet(): void;
  close(): void;
}

/** Where the messages of one POST belong. */
interface Place {
  legacy: LegacySession;
  session: HttpSession | undefined;
  caller: Caller;
  exchange: Exchange;
}

/** `stateless`: no session is ever given out, and one that a client names means nothing. */
export function createLegacyHttp(service: Service, limits?: SessionLimits, stateless = false): LegacyHttp {
  const sessions = createSessions(service, limits);
  // Requests outside any session: ids of different clients may be equal, so nothing finds them but their own connection.
  const loose = new Set<AbortController>();

  const placeOf = ({ request, caller, exchange }: Incoming, version: string | undefined): Place => {
    const revision = version === undefined ? ASSUMED_LEGACY : legacyRevision(version);
    if (!revision) {
      throw new RpcError(
        CODES.refused,
        `Unsupported MCP-Protocol-Version: ${shown(version ?? '')}. Supported: ${[...MODERN_VERSIONS, ...LEGACY_VERSIONS].join(', ')}`,
        { status: 400 },
      );
    }
    const id = stateless ? undefined : header(request.headers, 'mcp-session-id');
    if (id === undefined) {
      const legacy = createLegacySession({ service, caller, revision, lasting: false });
      return { legacy, session: undefined, caller, exchange };
    }
    const session = sessions.find(id, caller);
    // settled anew with each request, and of this session
    return { legacy: session.legacy, session, caller: { ...caller, connection: session.id }, exchange };
  };

  /** Runs one request; undefined where it was cancelled or its client has gone. */
  const run = async (place: Place, message: Request): Promise<Reply | undefined> => {
    const { legacy, session, caller, exchange } = place;
    const flight = session ? session.flights.open(message.id) : looseFlight(loose);
    exchange.onVanish(() => flight.abort('the client is gone'));
    try {
      const lane = { open: exchange.open, signal: flight.signal, send: exchange.send };
      const reply = await legacy.request(message, lane, caller);
      return flight.signal.aborted ? undefined : reply;
    } finally {
      flight.close();
    }
  };

  const initialize = async (message: Request, { caller, exchange, response }: Incoming): Promise<void> => {
    const session = sessions.create(caller);
    const reply = await run({ legacy: session.legacy, session, caller: session.caller, exchange }, message);
    if (!reply) return session.legacy.close();
    if (stateless) session.legacy.close();
    else if (session.legacy.initialized) {
      sessions.admit(session);
      response.setHeader('mcp-session-id', session.id);
    }
    exchange.finish(reply.text, reply.status);
  };

  return {
    async one(message, incoming) {
      const { request, exchange } = incoming;
      const isInitialize = message.kind === 'request' && message.method === 'initialize';
      const fresh = isInitialize && (stateless || header(request.headers, 'mcp-session-id') === undefined);
      if (fresh) return initialize(message, incoming);
      // The version of an initialize is in its body.
      const place = placeOf(incoming, isInitialize ? undefined : incoming.version);
      if (message.kind !== 'request') {
        take(place, message);
        return exchange.end();
      }
      const reply = await run(place, message);
      if (reply) exchange.finish(reply.text, reply.status);
      else exchange.end();
    },

    async batch(items, incoming) {
      const { exchange } = incoming;
      const place = placeOf(incoming, incoming.version);
      if (!place.legacy.revision.batches) {
        throw new RpcError(CODES.invalidRequest, 'This revision has no batches', { status: 400 });
      }
      const messages = items.map(readMessage);
      const broken = messages.find((each) => each.kind === 'invalid');
      if (items.length === 0 || items.length > MAX_BATCH || broken) {
        const why = broken ? `Invalid batch: ${broken.reason}` : `A batch holds 1 to ${MAX_BATCH} messages`;
        throw new RpcError(CODES.invalidRequest, why, { status: 400 });
      }
      const replies = await Promise.all(
        messages.map((message) => {
          if (message.kind === 'invalid') return invalidReply(message);
          if (message.kind !== 'request') return void take(place, message);
          return message.method === 'initialize' ? notInBatch(message) : run(place, message);
        }),
      );
      const texts = replies.filter((reply) => reply !== undefined).map((reply) => reply.text);
      if (texts.length === 0) exchange.end();
      else exchange.finish(`[${texts.join()}]`, 200);
    },

    stream(id, caller, accepts, response, track) {
      const session = sessions.find(id, caller);
      if (!accepts.stream) {
        throw new RpcError(CODES.refused, 'Accept must name text/event-stream', { status: 406 });
      }
      // A client that comes back has lost its old stream, whether or not this side has noticed.
      session.stream?.end();
      const exchange = createExchange(response, accepts, track);
      session.stream = exchange;
      exchange.onVanish(() => {
        if (session.stream === exchange) session.stream = undefined;
      });
      exchange.start();
    },

    end(id, caller, response) {
      sessions.end(sessions.find(id, caller));
      response.writeHead(204).end();
    },

    expire: (now) => sessions.expire(now),
    quiet() {
      for (const session of sessions.all()) session.stream?.end();
    },
    close() {
      for (const controller of loose) controller.abort(new Error('the server is ending'));
      for (const session of sessions.all()) sessions.end(session);
    },
  };
}

function take({ legacy, session }: Place, message: Exclude<Valid, Request>): void {
  if (message.kind === 'response') {
    if (!session) throw new RpcError(CODES.invalidRequest, 'A response needs the session it answers', { status: 400 });
    return legacy.settle(message);
  }
  if (message.method === 'notifications/cancelled') session?.flights.cancel(message.params?.['requestId'], 'cancelled');
  else legacy.notify(message);
}

function looseFlight(all: Set<AbortController>): Flight {
  const controller = new AbortController();
  all.add(controller);
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(new Error(reason)),
    close: () => void all.delete(controller),
  };
}

function notInBatch(message: Request): Reply {
  return errorReply(message.id, new RpcError(CODES.invalidRequest, 'initialize cannot be part of a batch'));
}
