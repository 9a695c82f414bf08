// Requests written by hand, so that the tests can send what no client would.

export const REVISION = '2026-07-28';
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  /** the JSON body, or the last message of an event stream; undefined where there is none */
  body: { id?: unknown; result?: Json; error?: { code: number; message: string; data?: Json } } | undefined;
  /** every message of an event stream, in order */
  messages: Json[];
}

/** What a request of 2026-07-28 is made of; each part can be changed or left out. */
export interface Parts {
  id?: string | number;
  /** capabilities the client declares; default all */
  capabilities?: Json;
  /** laid over `_meta`; undefined takes a key away */
  meta?: Json;
  /** laid over the headers; undefined takes one away */
  headers?: Record<string, string | undefined>;
}

/** Sends one well-formed request of 2026-07-28, except for what `parts` changes. */
export function ask(url: string, method: string, params: Json = {}, parts: Parts = {}): Promise<Answer> {
  return post(url, request(method, params, parts), headersFor(method, params, parts));
}

export function request(
  method: string,
  params: Json = {},
  { id = 1, capabilities = ALL, meta = {} }: Parts = {},
): Json {
  const _meta = { [META.version]: REVISION, [META.capabilities]: capabilities, ...meta };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
}

export function headersFor(method: string, params: Json, { headers = {} }: Parts = {}): Record<string, string> {
  const name = params['name'] ?? params['uri'];
  const all: Record<string, string | undefined> = {
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': method,
    ...(typeof name === 'string' && { 'Mcp-Name': name }),
    ...headers,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Posts any body: text as it is, anything else as JSON. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const messages = response.headers.get('content-type')?.includes('text/event-stream') ? events(text) : [];
  const last: Answer['body'] = messages.length > 0 ? messages.at(-1) : text === '' ? undefined : JSON.parse(text);
  return { status: response.status, body: last, messages };
}

/** A stream that stays open: its messages as they come. `close` hangs up. */
export async function listen(
  url: string,
  notifications: Json,
  id: string | number = 1,
): Promise<{ next(): Promise<Json>; close(): void }> {
  const controller = new AbortController();
  const params = { notifications };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'text/event-stream, application/json',
      ...headersFor('subscriptions/listen', params),
    },
    body: JSON.stringify(request('subscriptions/listen', params, { id })),
    signal: controller.signal,
  });
  if (!response.body) throw new Error(`no stream: HTTP ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const waiting: Json[] = [];
  return {
    async next() {
      while (waiting.length === 0) {
        const { done, value } = await reader.read();
        if (done) throw new Error('the stream has ended');
        rest += value;
        const end = rest.lastIndexOf('\n\n');
        if (end < 0) continue;
        waiting.push(...events(rest.slice(0, end + 2)));
        rest = rest.slice(end + 2);
      }
      return waiting.shift() as Json;
    },
    close: () => controller.abort(),
  };
}

const ALL: Json = { sampling: {}, elicitation: {}, roots: {} };

function events(text: string): Json[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Json);
}
