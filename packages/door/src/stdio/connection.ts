// One stdio connection: which era its messages belong to, what is under way on it, what goes back.
import type { Caller } from '@hanzo/tool';
import { createFlights, type Flights, type Lane } from '../core/lane.ts';
import {
  CODES,
  errorReply,
  errorText,
  invalidReply,
  type Message,
  readMessage,
  type Reply,
  type Request,
  RpcError,
  toRpcError,
} from '../core/rpc.ts';
import type { Service } from '../core/service.ts';
import { createModern, unsupported } from '../eras/2026-07-28/index.ts';
import { eraOf } from '../eras/claims.ts';
import { createLegacySession } from '../eras/legacy/session.ts';
import { ASSUMED_LEGACY, NEWEST_LEGACY } from '../eras/revisions.ts';
import type { Line } from './lines.ts';

/** Most messages of one batch. */
const MAX_BATCH = 1000;

export interface Connection {
  readonly flights: Flights;
  take(line: Line): void;
  /** ends what only waits for the other side: listening streams and questions */
  close(): void;
}

/** The local server has one caller (contract of `Caller`). */
const LOCAL: Caller = Object.freeze({ id: 'local' });

export function createConnection(service: Service, send: (text: string) => void, maxLine: number): Connection {
  const flights = createFlights();
  const session = createLegacySession({ service, caller: LOCAL, revision: NEWEST_LEGACY, push: send, lasting: true });
  const modern = createModern(service);
  // A connection on which a request of the newer era was served does not go back (contract, 1.2).
  let settledModern = false;

  const refuse = (code: number, message: string): void => send(errorText(null, { code, message }));

  const answer = async (message: Request, lane: Lane): Promise<Reply> => {
    try {
      const era = settledModern ? eraAfterModern(message) : eraOnStdio(message);
      if (era === 'legacy') return await session.request(message, lane);
      // A probe settles nothing: the client may still go on with initialize. Nor does a client that already did.
      if (message.method !== 'server/discover' && !session.initialized) settledModern = true;
      return await modern.request(message, LOCAL, lane);
    } catch (error) {
      return errorReply(message.id, toRpcError(error));
    }
  };

  /** Runs a request to its reply; undefined where the client cancelled it. */
  const run = async (message: Request): Promise<string | undefined> => {
    const flight = flights.open(message.id);
    try {
      const { text } = await answer(message, { open: true, signal: flight.signal, send });
      return flight.signal.aborted ? undefined : text;
    } finally {
      flight.close();
    }
  };

  const notice = (message: Exclude<Message, Request>): void => {
    if (message.kind === 'response') return session.settle(message);
    if (message.kind === 'invalid') return send(invalidReply(message).text);
    if (message.method === 'notifications/cancelled') flights.cancel(message.params?.['requestId'], 'cancelled');
    else session.notify(message);
  };

  const one = (message: Message): void => {
    if (message.kind !== 'request') return notice(message);
    void run(message).then((text) => {
      if (text !== undefined) send(text);
    });
  };

  const batch = async (items: readonly unknown[]): Promise<void> => {
    const revision = session.initialized ? session.revision : ASSUMED_LEGACY;
    if (settledModern || !revision.batches) return refuse(CODES.invalidRequest, 'This revision has no batches');
    if (items.length === 0 || items.length > MAX_BATCH) {
      return refuse(CODES.invalidRequest, `A batch holds 1 to ${MAX_BATCH} messages`);
    }
    const answers: Promise<string | undefined>[] = [];
    for (const message of items.map(readMessage)) {
      if (message.kind === 'invalid') answers.push(Promise.resolve(invalidReply(message).text));
      else if (message.kind !== 'request') notice(message);
      else if (message.method === 'initialize') answers.push(Promise.resolve(notInBatch(message)));
      else answers.push(run(message));
    }
    const texts = (await Promise.all(answers)).filter((text) => text !== undefined);
    if (texts.length > 0) send(`[${texts.join()}]`);
  };

  return {
    flights,
    take(line) {
      if ('fault' in line) {
        if (line.fault === 'not-utf8') return refuse(CODES.parse, 'Parse error: the line is not UTF-8');
        return refuse(CODES.invalidRequest, `The line is longer than ${maxLine} bytes; it was skipped`);
      }
      let value: unknown;
      try {
        value = JSON.parse(line.text);
      } catch {
        return refuse(CODES.parse, 'Parse error: the line is not JSON');
      }
      if (Array.isArray(value)) void batch(value);
      else one(readMessage(value));
    },
    close() {
      modern.close();
      session.close();
    },
  };
}

/** Without headers the body is the only sign; `server/discover` exists in one era only. */
function eraOnStdio(message: Request): 'legacy' | 'modern' {
  return message.method === 'server/discover' ? 'modern' : eraOf(message, undefined);
}

function eraAfterModern(message: Request): 'modern' {
  if (eraOf(message, undefined) === 'legacy' && message.method === 'initialize') {
    const asked = message.params?.['protocolVersion'];
    throw unsupported(typeof asked === 'string' ? asked : '');
  }
  return 'modern';
}

function notInBatch(message: Request): string {
  return errorReply(message.id, new RpcError(CODES.invalidRequest, 'initialize cannot be part of a batch')).text;
}
