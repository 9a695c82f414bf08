// One HTTP answer: JSON where that is enough, an event stream once something has to be said before the end.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_SPARE } from '../core/lane.ts';
import { errorText, type Id, type RpcError } from '../core/rpc.ts';

/** Milliseconds of silence after which a proxy in between might hang up. */
const SILENCE = 15_000;
/** Milliseconds after which a call without an answer turns into a stream, so that it can be kept alive. */
const PATIENCE = 10_000;
/** Unsent bytes at which a client that does not read is given up. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** What the client takes, by its Accept header. */
export interface Accepts {
  json: boolean;
  stream: boolean;
}

export function readAccept({ headers: { accept } }: IncomingMessage): Accepts {
  if (accept === undefined) return { json: true, stream: true };
  const types = accept
    .toLowerCase()
    .split(',')
    .map((each) => each.split(';', 1)[0]?.trim());
  const any = types.includes('*/*');
  return {
    json: any || types.includes('application/json') || types.includes('application/*'),
    stream: any || types.includes('text/event-stream') || types.includes('text/*'),
  };
}

export interface Exchange {
  /** whether anything can be said before the answer */
  readonly open: boolean;
  readonly finished: boolean;
  /** sends one message as an event; opens the stream at the first. A spare one is left out where much is unread */
  send(text: string, spare?: boolean): void;
  /** opens the stream without a message */
  start(): void;
  /** sends the last message and ends; on a stream that is open already `status` has no effect */
  finish(text: string, status: number): void;
  /** ends without a message: an accepted notification, a cancelled call, a closing stream */
  end(status?: number): void;
  /** called once when the client goes away before the end */
  onVanish(listener: () => void): void;
  /** keeps a quiet stream alive; called every few seconds */
  tick(now: number): void;
}

/** `refusing` is told the status of an answer that is no stream before its head is written. */
export function createExchange(
  response: ServerResponse,
  accepts: Accepts,
  track: Set<Exchange>,
  refusing?: (status: number) => void,
): Exchange {
  let state: 'pending' | 'stream' | 'done' = 'pending';
  let last = Date.now();
  const gone: (() => void)[] = [];

  const start = (): void => {
    if (state !== 'pending' || !accepts.stream) return;
    state = 'stream';
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      // Some proxies collect a response before passing it on unless told not to.
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
  };
  const write = (text: string): void => {
    last = Date.now();
    response.write(text);
    if (response.writableLength > MAX_UNREAD) response.destroy();
  };
  const close = (): void => {
    state = 'done';
    track.delete(exchange);
  };
  const exchange: Exchange = {
    get open() {
      return accepts.stream && state !== 'done';
    },
    get finished() {
      return state === 'done';
    },
    send(text, spare = false) {
      start();
      if (state === 'stream' && !(spare && response.writableLength > MAX_SPARE)) write(event(text));
    },
    start,
    finish(text, status) {
      if (state === 'done') return;
      if (state === 'pending' && !accepts.json && status < 400) start();
      if (state === 'stream') response.end(event(text));
      else {
        refusing?.(status);
        sendJson(response, status, text);
      }
      close();
    },
    end(status = 202) {
      if (state === 'done') return;
      if (state === 'pending') response.writeHead(status);
      response.end();
      close();
    },
    onVanish: (listener) => void gone.push(listener),
    tick(now) {
      if (state === 'pending' && now - last > PATIENCE) start();
      if (state === 'stream' && now - last > SILENCE) write(': keep-alive\n\n');
    },
  };
  track.add(exchange);
  response.once('close', () => {
    if (state === 'done') return;
    close();
    for (const listener of gone) listener();
  });
  return exchange;
}

function event(text: string): string {
  // JSON text has no raw line ends, so one data line is enough.
  return `event: message\ndata: ${text}\n\n`;
}

function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** A refusal: the error's own status, its JSON-RPC form as the body. */
export function sendError(response: ServerResponse, id: Id | null, error: RpcError): void {
  if (response.headersSent) return void response.destroy();
  sendJson(response, error.status >= 400 ? error.status : 400, errorText(id, error));
}
