// The 2025 revisions: initialize, initialized, then requests that name the session and the revision agreed on.
import { type Bound, raced } from '../bound.ts';
import { answered, RemoteFailure } from '../failure.ts';
import { type Answer, type Endpoint, isObject, type Wire } from '../wire.ts';
import type { Dialect } from './dialect.ts';
import { reply } from './plain.ts';

/** Newest first: the first is offered, any is taken. */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The revision has been a header since then. */
const HEADER_SINCE = '2025-06-18';
const SESSION_ID = /^[\u0021-\u007e]{1,1024}$/;

interface Opened {
  readonly headers: Readonly<Record<string, string>>;
  readonly endpoint: Endpoint;
}

export function createSession(wire: Wire, version: string): Dialect {
  let opening: Promise<Opened> | undefined;

  async function initialize(endpoint: Endpoint, bound: Bound, offered: string): Promise<Answer> {
    const clientInfo = { name: 'hanzo-cloud', version };
    const params = { protocolVersion: offered, capabilities: {}, clientInfo };
    return wire.ask(endpoint, { method: 'initialize', params }, bound);
  }

  async function handshake(endpoint: Endpoint, bound: Bound): Promise<Opened> {
    let answer = await initialize(endpoint, bound, REVISIONS[0]);
    const data = answer.error?.data;
    const supported = isObject(data) && Array.isArray(data['supported']) ? (data['supported'] as unknown[]) : [];
    const other = REVISIONS.slice(1).find((each) => supported.includes(each));
    if (answer.result === undefined && other !== undefined) answer = await initialize(endpoint, bound, other);
    if (answer.result === undefined) throw answered(answer.status, answer.error, endpoint);
    const agreed = answer.result['protocolVersion'];
    if (!REVISIONS.some((each) => each === agreed)) {
      throw new RemoteFailure('error', 'speaks a revision of MCP that this plane does not');
    }
    const revision = agreed as string;
    const id = answer.headers.get('mcp-session-id');
    if (id !== null && !SESSION_ID.test(id)) throw new RemoteFailure('error', 'gave a session id that cannot be sent');
    const headers = {
      ...(id === null ? {} : { 'mcp-session-id': id }),
      ...(revision >= HEADER_SINCE ? { 'mcp-protocol-version': revision } : {}),
    };
    await wire.tell(endpoint, { method: 'notifications/initialized', params: {}, headers }, bound);
    return { headers, endpoint };
  }

  /** One handshake for all that wait for it; who waited in vain makes their own, as another's may have been cancelled. */
  async function open(endpoint: Endpoint, bound: Bound): Promise<Opened> {
    while (opening !== undefined) {
      const theirs = opening;
      try {
        return await raced(theirs, bound.signal);
      } catch {
        bound.signal.throwIfAborted();
        if (opening === theirs) opening = undefined;
      }
    }
    const mine = handshake(endpoint, bound);
    opening = mine;
    try {
      return await mine;
    } catch (error) {
      if (opening === mine) opening = undefined;
      throw error;
    }
  }

  return {
    kind: 'session',
    async request(endpoint, method, params, bound) {
      for (let again = false; ; again = true) {
        const session = await open(endpoint, bound);
        const used = opening;
        const { headers } = session;
        const answer = await wire.ask(endpoint, { method, params, headers, resumable: true }, bound);
        if (again || !expired(answer)) return reply(answer, endpoint);
        // the server knows the session no more, so it has not run anything: a new one is opened, once
        if (opening === used) opening = undefined;
      }
    },
    refuses: () => undefined,
    end() {
      void opening?.then(
        ({ headers, endpoint }) => {
          if ('mcp-session-id' in headers) wire.end(endpoint, headers);
        },
        () => undefined,
      );
      opening = undefined;
    },
  };
}

/** 404 by the specification; the SDK's own examples say 400 and name the session. */
function expired({ status, error }: Answer): boolean {
  return status === 404 || (status === 400 && error !== undefined && /session|initiali[sz]/i.test(error.message));
}
