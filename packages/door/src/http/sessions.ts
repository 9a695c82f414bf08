// Sessions of clients that began with `initialize`: bounded in number and in idle time, bound to their caller.
import type { Caller } from '@hanzo/tool';
import { createFlights, type Flights } from '../core/lane.ts';
import { CODES, RpcError } from '../core/rpc.ts';
import type { Service } from '../core/service.ts';
import { createLegacySession, type LegacySession } from '../eras/legacy/session.ts';
import type { Exchange } from './exchange.ts';

export interface SessionLimits {
  /** most sessions at a time; the longest unused one makes room; default 1000 */
  max?: number;
  /** milliseconds a session lives without use; default 8 hours */
  idle?: number;
}

export interface HttpSession {
  readonly id: string;
  readonly caller: Caller;
  readonly legacy: LegacySession;
  readonly flights: Flights;
  /** the standing GET stream, where the client opened one */
  stream: Exchange | undefined;
  lastUsed: number;
}

export interface Sessions {
  /** a session that is not findable yet */
  create(caller: Caller): HttpSession;
  /** makes it findable; throws 503 where every session is busy */
  admit(session: HttpSession): void;
  /** throws 404 where there is none of that id for this caller */
  find(id: string, caller: Caller): HttpSession;
  end(session: HttpSession): void;
  expire(now: number): void;
  all(): HttpSession[];
}

const DEFAULT_MAX = 1000;
const DEFAULT_IDLE = 8 * 3_600_000;

export function createSessions(service: Service, limits: SessionLimits = {}): Sessions {
  const max = limits.max ?? DEFAULT_MAX;
  const idle = limits.idle ?? DEFAULT_IDLE;
  // In order of last use: `find` moves to the end.
  const byId = new Map<string, HttpSession>();
  const isBusy = (session: HttpSession): boolean => session.flights.size > 0 || session.stream !== undefined;

  const end = (session: HttpSession): void => {
    byId.delete(session.id);
    session.legacy.close();
    session.flights.abortAll('the session has ended');
    session.stream?.end();
    session.stream = undefined;
  };
  return {
    create(given) {
      const id = crypto.randomUUID();
      const caller: Caller = { ...given, connection: id };
      const session: HttpSession = {
        id,
        caller,
        legacy: createLegacySession({
          service,
          caller,
          push: (text) => session.stream?.send(text),
          lasting: true,
        }),
        flights: createFlights(),
        stream: undefined,
        lastUsed: Date.now(),
      };
      return session;
    },
    admit(session) {
      if (byId.size >= max) {
        const oldest = [...byId.values()].find((each) => !isBusy(each));
        if (!oldest) {
          session.legacy.close();
          throw new RpcError(CODES.refused, `At most ${max} sessions can be open`, { status: 503 });
        }
        end(oldest);
      }
      byId.set(session.id, session);
    },
    find(id, caller) {
      const session = byId.get(id);
      // Another caller's session does not exist for this one.
      if (!session || session.caller.id !== caller.id) {
        throw new RpcError(CODES.sessionNotFound, 'Session not found: send initialize again', { status: 404 });
      }
      session.lastUsed = Date.now();
      byId.delete(id);
      byId.set(id, session);
      return session;
    },
    end,
    expire(now) {
      for (const session of byId.values()) if (!isBusy(session) && now - session.lastUsed > idle) end(session);
    },
    all: () => [...byId.values()],
  };
}
