// One JSON-RPC message over one POST, answered in JSON or as a stream of events. Knows no revision of MCP.
import type { NetClient, NetResponse } from '@hanzo/net';
import type { Bound } from './bound.ts';
import { answered, fromNet, type Hidden, RemoteFailure, type RpcError } from './failure.ts';
import { events } from './sse.ts';
import { deeperThan } from './text.ts';

/** Where to ask, and with what; the secret is in no other object. */
export interface Endpoint extends Hidden {
  /** the credential's header; empty where there is none */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: RpcError;
  /** bytes of the answer, as far as they were read */
  readonly bytes: number;
}

export interface Sent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** of the revision spoken; the credential's wins over them */
  readonly headers?: Readonly<Record<string, string>>;
  /** a broken stream may be taken up again with Last-Event-ID */
  readonly resumable?: boolean;
}

export interface Wire {
  /** Sends a request. Any HTTP status is an answer; rejects with RemoteFailure, or the bound's reason. */
  ask(endpoint: Endpoint, sent: Sent, bound: Bound): Promise<Answer>;
  /** Sends a notification; what comes back is looked at only for its status. */
  tell(endpoint: Endpoint, sent: Sent, bound: Bound): Promise<void>;
  /** DELETE: ends a session, as well as can be */
  end(endpoint: Endpoint, headers: Readonly<Record<string, string>>): void;
}

/** Contract, tool plane 3.1. */
const LARGEST_ANSWER = 4 * 1_048_576;
const LARGEST_REFUSAL = 65_536;
const DEEPEST = 200;
const MOST_RESUMES = 8;
const END_MS = 2_000;
const NOT_FOUND = -32_601; // JSON-RPC 2.0, section 5.1

export interface WireDeps {
  readonly client: NetClient;
  /** told when a server says on a stream that its list has changed */
  readonly onChanged: (endpoint: Endpoint) => void;
}

type Message = Readonly<Record<string, unknown>>;

export function createWire({ client, onChanged }: WireDeps): Wire {
  let lastId = 0;

  async function send(
    endpoint: Endpoint,
    method: 'POST' | 'GET' | 'DELETE',
    headers: Readonly<Record<string, string>>,
    bound: Bound,
    body?: unknown,
  ): Promise<NetResponse> {
    const all = new Headers({ accept: 'application/json, text/event-stream', ...headers });
    if (body !== undefined) all.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(endpoint.headers)) all.set(name, value);
    return client.request(endpoint.url, {
      method,
      headers: Object.fromEntries(all),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: bound.signal,
      // the bound's own signal ends it; a tool may well be silent for as long as it may run
      timeoutMs: bound.ms + 1000,
      idleMs: bound.ms + 1000,
      maxBytes: LARGEST_ANSWER,
    });
  }

  /** A request of the server's in the middle of a stream: nothing was offered to it, so it is told no. */
  function decline(
    endpoint: Endpoint,
    headers: Readonly<Record<string, string>>,
    message: Message,
    bound: Bound,
  ): void {
    const answer =
      message['method'] === 'ping'
        ? { jsonrpc: '2.0', id: message['id'], result: {} }
        : { jsonrpc: '2.0', id: message['id'], error: { code: NOT_FOUND, message: 'not offered by this client' } };
    send(endpoint, 'POST', headers, bound, answer).then(
      (response) => response.body.discard(),
      () => undefined,
    );
  }

  /** Reads until the answer is there. Undefined: the stream ended before, at the event `id` if it says so. */
  async function follow(
    endpoint: Endpoint,
    sent: Sent,
    id: number,
    response: NetResponse,
    bound: Bound,
  ): Promise<{ message?: Message; bytes: number; last?: string; retry?: number }> {
    let bytes = 0;
    let last: string | undefined;
    let retry: number | undefined;
    async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const chunk of response.body) {
        bytes += chunk.length;
        yield chunk;
      }
    }
    try {
      for await (const event of events(counted())) {
        last = event.id ?? last;
        retry = event.retry ?? retry;
        if (event.data === '') continue;
        for (const message of messagesOf(event.data)) {
          if (typeof message['method'] !== 'string') {
            if (isAnswer(message, id)) return { message, bytes };
          } else if ('id' in message) decline(endpoint, sent.headers ?? {}, message, bound);
          else if (message['method'] === 'notifications/tools/list_changed') onChanged(endpoint);
        }
      }
    } catch (error) {
      // a connection that breaks is taken up again like one that ends, if the server has named a place
      const failure = error instanceof RemoteFailure || bound.signal.aborted ? error : fromNet(error, LARGEST_ANSWER);
      if (!(failure instanceof RemoteFailure) || failure.status !== 'unreachable' || last === undefined) throw failure;
    }
    return { bytes, ...(last === undefined ? {} : { last }), ...(retry === undefined ? {} : { retry }) };
  }

  async function stream(
    endpoint: Endpoint,
    sent: Sent,
    id: number,
    opened: NetResponse,
    bound: Bound,
  ): Promise<Answer> {
    let response = opened;
    let bytes = 0;
    let last: string | undefined;
    for (let resumes = 0; ; resumes++) {
      const read = await follow(endpoint, sent, id, response, bound);
      bytes += read.bytes;
      last = read.last ?? last;
      if (bytes > LARGEST_ANSWER) throw tooLarge();
      if (read.message !== undefined) return { ...answerOf(read.message, opened), bytes };
      if (sent.resumable !== true || last === undefined || resumes >= MOST_RESUMES) {
        throw new RemoteFailure('error', 'ended its stream before the answer');
      }
      await pause(read.retry ?? 1000, bound.signal);
      response = await send(endpoint, 'GET', { ...sent.headers, 'last-event-id': last }, bound);
      if (response.status !== 200 || !isStream(response)) {
        response.body.discard();
        throw new RemoteFailure('error', 'ended its stream before the answer, and does not take it up again');
      }
    }
  }

  return {
    ask: (endpoint, sent, bound) =>
      guarded(bound, async () => {
        const id = ++lastId;
        const { method, params, headers = {} } = sent;
        const response = await send(endpoint, 'POST', headers, bound, { jsonrpc: '2.0', id, method, params });
        const { status } = response;
        if (status >= 300 && status < 400) {
          response.body.discard();
          return { status, headers: response.headers, bytes: 0 };
        }
        if (status >= 200 && status < 300 && isStream(response)) return stream(endpoint, sent, id, response, bound);
        if (status < 200 || status >= 300) return refusal(response, id);
        const body = await response.body.bytes();
        if (body.length === 0) return { status, headers: response.headers, bytes: 0 };
        const messages = messagesOf(new TextDecoder().decode(body), response.headers.get('content-type'));
        const message = messages.find((each) => isAnswer(each, id));
        if (message === undefined) throw new RemoteFailure('error', 'gave no answer to the request');
        return { ...answerOf(message, response), bytes: body.length };
      }),

    tell: (endpoint, { method, params, headers = {} }, bound) =>
      guarded(bound, async () => {
        const note = { jsonrpc: '2.0', method, ...(Object.keys(params).length === 0 ? {} : { params }) };
        const response = await send(endpoint, 'POST', headers, bound, note);
        response.body.discard();
        if (response.status >= 400) throw answered(response.status, undefined, endpoint);
      }),

    end(endpoint, headers) {
      send(endpoint, 'DELETE', headers, { signal: AbortSignal.timeout(END_MS), ms: END_MS }).then(
        (response) => response.body.discard(),
        () => undefined,
      );
    },
  };
}

async function guarded<T>(bound: Bound, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (bound.signal.aborted) throw bound.signal.reason;
    throw error instanceof RemoteFailure ? error : fromNet(error, LARGEST_ANSWER);
  }
}

function isStream(response: NetResponse): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(response.headers.get('content-type') ?? '');
}

/** A refusal can be a JSON-RPC error beside its status; anything else in it says nothing (wire contract, pitfall 23). */
async function refusal(response: NetResponse, id: number): Promise<Answer> {
  const { status, headers } = response;
  const found: { error?: RpcError } = {};
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > LARGEST_REFUSAL) break;
      chunks.push(chunk);
    }
    const text = new TextDecoder().decode(Buffer.concat(chunks));
    const data = isStream(response) ? text.replaceAll(/^data: ?|^\w+:.*$/gm, '').trim() : text;
    const message = messagesOf(data).find(
      (each) => each['id'] === id || each['id'] === null || each['id'] === undefined,
    );
    const error = message === undefined ? undefined : errorOf(message['error']);
    if (error !== undefined) found.error = error;
  } catch {
    // the status says it
  }
  return { status, headers, bytes, ...found };
}

/** The messages of one text: one, or several in a batch (2025-03-26). */
function messagesOf(text: string, type: string | null = null): readonly Message[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const kind = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(type ?? '')?.[1];
    const said = kind === undefined || kind === 'application/json' ? '' : ` but ${kind}`;
    throw new RemoteFailure('error', `gave an answer that is not JSON${said}`, { cause });
  }
  if (deeperThan(value, DEEPEST)) throw new RemoteFailure('error', 'gave an answer that is nested too deep');
  const messages: unknown[] = Array.isArray(value) ? value : [value];
  if (!messages.every(isObject)) throw new RemoteFailure('error', 'gave an answer that is not JSON-RPC');
  return messages;
}

/** Whether it answers the request `id`. Throws where it answers another one. */
function isAnswer(message: Message, id: number): boolean {
  if (!('result' in message) && !('error' in message)) return false;
  // an error whose request could not be read has the id null (JSON-RPC 2.0, section 5)
  if (message['id'] === id || ('error' in message && (message['id'] ?? null) === null)) return true;
  throw new RemoteFailure('error', 'answered a request that was not made: the ids differ');
}

function answerOf(message: Message, { status, headers }: NetResponse): Omit<Answer, 'bytes'> {
  const error = errorOf(message['error']);
  if (error !== undefined) return { status, headers, error };
  const result = message['result'];
  if (!isObject(result)) throw new RemoteFailure('error', 'gave a result that is not an object');
  return { status, headers, result };
}

function errorOf(value: unknown): RpcError | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return { code: 0, message: typeof value === 'string' ? value : '' };
  const { code, message, data } = value;
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : '',
    ...(data === undefined ? {} : { data }),
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function tooLarge(): RemoteFailure {
  return new RemoteFailure('error', `gave an answer that is too large: more than ${LARGEST_ANSWER / 1_048_576} MiB`);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const give = (): void => reject(signal.reason);
  signal.addEventListener('abort', give, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', give);
  }
}
