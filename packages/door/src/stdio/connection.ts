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
import { readEnvelope, unsupported } from '../eras/2026-07-28/envelope.ts';
import { createModern } from '../eras/2026-07-28/index.ts';
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

/** The local server has one caller, and over stdio one connection (contract of `Caller`). */
const LOCAL: Caller = Object.freeze({ id: 'local', connection: 'stdio' });

export function createConnection(service: Service, send: Lane['send'], maxLine: number): Connection {
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
      settledModern ||= settles(message) && !session.initialized;
      return await modern.request(message, LOCAL, lane);
    } catch (error) {
      return errorReply(message.id, toRpcError(error));
    }
  };

  /** Runs a request and hands over its reply, unless the client cancelled it. Under way until it is handed over. */
  const run = async (message: Request, deliver: (text: string) => void): Promise<void> => {
    const flight = flights.open(message.id);
    const { text } = await answer(message, { open: true, signal: flight.signal, send });
    if (!flight.signal.aborted) deliver(text);
    flight.close();
  };

  const notice = (message: Exclude<Message, Request>): void => {
    if (message.kind === 'response') return session.settle(message);
    if (message.kind === 'invalid') return send(invalidReply(message).text);
    if (message.method === 'notifications/cancelled') flights.cancel(message.params?.['requestId'], 'cancelled');
    else session.notify(message);
  };

  const one = (message: Message): void => {
    if (message.kind !== 'request') return notice(message);
    void run(message, (text) => send(text));
  };

  const batch = async (items: readonly unknown[]): Promise<void> => {
    const revision = session.initialized ? session.revision : ASSUMED_LEGACY;
    if (settledModern || !revision.batches) return refuse(CODES.invalidRequest, 'This revision has no batches');
    if (items.length === 0 || items.length > MAX_BATCH) {
      return refuse(CODES.invalidRequest, `A batch holds 1 to ${MAX_BATCH} messages`);
    }
    const flight = flights.open(items);
    // In the order of the batch, whichever comes first.
    const texts: string[] = Array.from({ length: items.length });
    await Promise.all(
      items.map(readMessage).map((message, index) => {
        const keep = (text: string): void => {
          texts[index] = text;
        };
        if (message.kind === 'invalid') return keep(invalidReply(message).text);
        if (message.kind !== 'request') return notice(message);
        return message.method === 'initialize' ? keep(notInBatch(message)) : run(message, keep);
      }),
    );
    const answers = texts.filter((text) => text !== undefined);
    if (answers.length > 0) send(`[${answers.join()}]`);
    flight.close();
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

/** A probe settles nothing, and neither does a version that is refused: the client may still go on with initialize. */
function settles(message: Request): boolean {
  if (message.method === 'server/discover') return false;
  try {
    readEnvelope(message.params);
    return true;
  } catch {
    return false;
  }
}

function notInBatch(message: Request): string {
  return errorReply(message.id, new RpcError(CODES.invalidRequest, 'initialize cannot be part of a batch')).text;
}
