// Streamable HTTP from the outside: who may come in, what is answered, what happens when clients misbehave or vanish.
import { connect } from 'node:net';
import type { Caller } from '@hanzo/tool';
import { afterEach, expect, test } from 'vitest';
import { type HttpOptions, type HttpServer, serveHttp } from '../src/index.ts';
import { createTestHost, type TestHost } from './host.ts';
import { type Json, modern } from './wire.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const BOTH = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };
const servers: HttpServer[] = [];

async function serve(options: Partial<HttpOptions> = {}): Promise<HttpServer & { host: TestHost }> {
  const host = createTestHost();
  const server = await serveHttp({ host, port: 0, token: null, ...options });
  servers.push(server);
  return { ...server, host };
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((each) => each.close()));
});

const request = (id: string | number, method: string, params?: Json): Json => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params ? { params } : {}),
});

const post = (url: string, body: unknown, headers: Record<string, string> = BOTH, signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/** The headers of a 2026-07-28 request. */
const standard = (method: string, name?: string): Record<string, string> => ({
  ...BOTH,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
});

/** Sends raw bytes; resolves to the whole answer. */
const raw = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });

/** Reads an event stream message by message. */
async function* events(response: Response): AsyncGenerator<Json> {
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = `${rest}${chunk}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const data = part.split('\n').find((line) => line.startsWith('data: '));
      if (data) yield JSON.parse(data.slice(6)) as Json;
    }
  }
}

const whole = async (stream: AsyncGenerator<Json>): Promise<Json[]> => {
  const all: Json[] = [];
  for await (const each of stream) all.push(each);
  return all;
};

const accepted = (id: unknown, name: string): Json => ({
  jsonrpc: '2.0',
  id,
  result: { action: 'accept', content: { name } },
});

const initialize = async (url: string, headers = BOTH, capabilities: Json = {}): Promise<string> => {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 't', version: '1' } };
  const response = await post(url, request(0, 'initialize', params), headers);
  expect(response.status).toBe(200);
  await response.json();
  return response.headers.get('mcp-session-id')!;
};

const soon = async (check: () => boolean): Promise<void> => {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test.each([
  ['evil.example.com', 403],
  ['localhost.evil.com', 403],
  ['127.0.0.1.evil.com', 403],
  ['evil.com:80@localhost', 403],
  ['localhost:99999999', 403],
  ['10.0.0.1', 403],
  ['localhost', 200],
  ['LOCALHOST:1', 200],
  ['localhost.', 200],
  ['127.0.0.1:65535', 200],
  ['[::1]:3000', 200],
  ['box.test', 200],
  ['other.test:8080', 200],
  ['other.test', 403],
])('Host %s is answered with %i', async (host, status) => {
  const { port } = await serve({ allowedHosts: ['box.test', 'other.test:8080'] });
  const body = JSON.stringify(request(1, 'ping'));
  const answer = await raw(
    port,
    `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  expect(Number(answer.split(' ')[1])).toBe(status);
});

test.each([
  ['http://evil.example.com', 403],
  ['null', 403],
  ['http://localhost.evil.com', 403],
  ['http://10.1.2.3', 403],
  ['file://', 403],
  ['http://localhost:5173', 200],
  ['https://127.0.0.1', 200],
  ['vscode-webview://abc', 200],
])('Origin %s is answered with %i', async (origin, status) => {
  const { url } = await serve({ allowedOrigins: ['vscode-webview://abc'] });
  const response = await post(url, request(1, 'ping'), { ...BOTH, origin });
  expect(response.status).toBe(status);
  expect(response.headers.get('access-control-allow-origin')).toBe(status === 200 ? origin : null);
});

test('a web page of an allowed origin gets its preflight answered before any token is asked for', async () => {
  const { url } = await serve({ token: 'secret' });
  const response = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, mcp-param-my-region, x-other',
    },
  });
  expect(response.status).toBe(204);
  const allowed = response.headers.get('access-control-allow-headers')!;
  expect(allowed).toContain('Authorization');
  expect(allowed).toContain('mcp-param-my-region');
  expect(allowed).not.toContain('x-other');
  expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(401);
});

test('a foreign Host is refused before the token is looked at', async () => {
  const { port } = await serve({ token: 'secret' });
  const answer = await raw(port, 'GET /mcp HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  expect(answer).not.toMatch(/www-authenticate/i);
});

test('without the token nothing is served, and the answer says what is missing', async () => {
  const { url, host } = await serve({ token: 'secret' });
  const missing = await post(url, request(1, 'tools/call', { name: 'echo' }));
  expect(missing.status).toBe(401);
  expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="mcp"');
  expect(await missing.json()).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, message: 'A bearer token is required' },
  });
  for (const authorization of ['Bearer wrong', 'Bearer secretsecret', 'Bearer secre', 'Basic c2VjcmV0', 'secret']) {
    const wrong = await post(url, request(1, 'ping'), { ...BOTH, authorization });
    expect(wrong.status).toBe(401);
  }
  expect(
    (await post(url, request(1, 'ping'), { ...BOTH, authorization: 'Bearer wrong' })).headers.get('www-authenticate'),
  ).toBe('Bearer realm="mcp", error="invalid_token"');
  for (const authorization of ['Bearer secret', 'bearer secret', 'BEARER  secret']) {
    expect((await post(url, request(1, 'ping'), { ...BOTH, authorization })).status).toBe(200);
  }
  expect(host.aborted).toEqual([]);
});

test('an address others can reach is not opened without a token', async () => {
  const host = createTestHost();
  for (const hostname of ['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.1.example.com', '']) {
    await expect(serveHttp({ host, port: 0, hostname, token: null })).rejects.toThrow(/without a token/);
  }
  await expect(serveHttp({ host, port: 0, token: '' })).rejects.toThrow(/must not be empty/);
  await expect(serveHttp({ host, port: 0, token: undefined as unknown as null })).rejects.toThrow(/give a token/);
  const open = await serveHttp({ host, port: 0, hostname: '0.0.0.0', token: 'secret' });
  servers.push(open);
  expect((await post(`http://127.0.0.1:${open.port}/mcp`, request(1, 'ping'))).status).toBe(401);
});

test('a taken port is the system error, and leaves nothing behind', async () => {
  const { port, host } = await serve();
  await expect(serveHttp({ host, port, token: null })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a body is JSON, of the right type, in UTF-8 and within bounds', async () => {
  const { url, port } = await serve({ maxBody: 10_000 });
  const cases: [string, Record<string, string>, number, number][] = [
    ['{', BOTH, 400, -32700],
    ['', BOTH, 400, -32700],
    ['{}', BOTH, 400, -32600],
    ['42', BOTH, 400, -32600],
    ['{}', { 'content-type': 'text/plain' }, 415, -32000],
    ['{}', { ...BOTH, 'content-type': 'application/json-rpc' }, 415, -32000],
    ['{}', { ...BOTH, 'content-encoding': 'gzip' }, 415, -32000],
    ['x'.repeat(10_001), BOTH, 413, -32000],
    ['{}', { ...JSON_TYPE, accept: 'text/html' }, 406, -32000],
  ];
  for (const [body, headers, status, code] of cases) {
    const response = await post(url, body, headers);
    expect([response.status, ((await response.json()) as Json)['error'].code]).toEqual([status, code]);
  }
  const charset = { ...BOTH, 'content-type': 'Application/JSON; charset=utf-8' };
  expect((await post(url, request(1, 'ping'), charset)).status).toBe(200);
  const chunked = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  expect(await raw(port, `${chunked}2711\r\n${'x'.repeat(0x2711)}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
});

test('a client that sends far too much can still read why it was refused', async () => {
  const { url } = await serve();
  const response = await post(url, 'x'.repeat(20 * 1024 * 1024));
  expect(response.status).toBe(413);
  expect(((await response.json()) as Json)['error'].message).toBe('The body is larger than 4194304 bytes');
});

test('other paths and other methods are refused', async () => {
  const { url, port } = await serve();
  expect((await post(`http://127.0.0.1:${port}/`, request(1, 'ping'))).status).toBe(404);
  expect((await post(`http://127.0.0.1:${port}/mcpx`, request(1, 'ping'))).status).toBe(404);
  expect((await post(`${url}/`, request(1, 'ping'))).status).toBe(200);
  expect((await post(`${url}?a=b`, request(1, 'ping'))).status).toBe(200);
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
    const response = await fetch(url, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  }
});

test('a client that accepts JSON only gets JSON, even from a tool with much to say', async () => {
  const { url } = await serve();
  for (const headers of [
    JSON_TYPE,
    { ...JSON_TYPE, accept: 'application/json' },
    { ...JSON_TYPE, accept: '*/*;q=0.1' },
  ]) {
    const response = await post(url, request(1, 'tools/list'), headers);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(((await response.json()) as Json)['result'].tools[0].name).toBe('echo');
  }
  const counted = await post(url, request(2, 'tools/call', { name: 'count', _meta: { progressToken: 'p' } }), {
    ...JSON_TYPE,
    accept: 'application/json',
  });
  expect(await counted.json()).toMatchObject({ id: 2, result: { content: [{ text: 'counted' }] } });
});

test('a client that accepts event streams only gets one', async () => {
  const { url } = await serve();
  const response = await post(url, request(1, 'ping'), { ...JSON_TYPE, accept: 'text/event-stream' });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await whole(events(response))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
});

test('an answer becomes a stream only when something is said before it', async () => {
  const { url } = await serve();
  const plain = await post(url, request(1, 'tools/call', { name: 'count' }));
  expect(plain.headers.get('content-type')).toBe('application/json');
  const streamed = await post(url, request(1, 'tools/call', { name: 'count', _meta: { progressToken: 'p' } }));
  expect(streamed.headers.get('content-type')).toBe('text/event-stream');
  const seen = await whole(events(streamed));
  expect(seen.map((each) => each['params']?.progress ?? each['result'].content[0].text)).toEqual([1, 2, 3, 'counted']);
});

test('tools are listed and called without a handshake; what needs a session says so', async () => {
  const { url } = await serve();
  const call = await post(url, request(1, 'tools/call', { name: 'echo', arguments: { a: 1 } }), JSON_TYPE);
  expect(((await call.json()) as Json)['result'].content[0].text).toBe('{"a":1}');
  expect(call.headers.get('mcp-session-id')).toBe(null);
  for (const [method, params] of [
    ['logging/setLevel', { level: 'info' }],
    ['resources/subscribe', { uri: 'test://a' }],
  ] as const) {
    const response = await post(url, request(1, method, params));
    expect(response.status).toBe(400);
    expect(((await response.json()) as Json)['error'].message).toMatch(/send initialize first/);
  }
  const asked = await post(url, request(2, 'tools/call', { name: 'ask' }));
  expect(((await asked.json()) as Json)['result']).toMatchObject({ isError: true });
  expect((await post(url, { jsonrpc: '2.0', id: 'door-1', result: {} })).status).toBe(400);
  expect((await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
});

test('a version header nobody speaks is refused; initialize may name any', async () => {
  const { url } = await serve();
  const bad = { ...BOTH, 'mcp-protocol-version': '2019-01-01' };
  const refused = await post(url, request(1, 'ping'), bad);
  expect(refused.status).toBe(400);
  expect(((await refused.json()) as Json)['error'].message).toMatch(
    /Supported: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05$/,
  );
  expect((await post(url, request(1, 'initialize', { protocolVersion: '2019-01-01' }), bad)).status).toBe(200);
});

test('a session is found by its id, belongs to its caller, and ends with DELETE', async () => {
  const { url } = await serve({
    authenticate: ({ headers }) => (headers.authorization ? { id: headers.authorization } : undefined),
  });
  const alice = { ...BOTH, authorization: 'alice' };
  const id = await initialize(url, alice);
  expect(id).toMatch(/^[\x21-\x7e]{20,}$/);
  const ping = async (headers: Record<string, string>): Promise<number> =>
    (await post(url, request(1, 'ping'), headers)).status;
  expect(await ping({ ...alice, 'mcp-session-id': id })).toBe(200);
  expect(await ping({ ...BOTH, authorization: 'bob', 'mcp-session-id': id })).toBe(404);
  expect(await ping({ ...alice, 'mcp-session-id': 'made-up' })).toBe(404);
  expect(await ping(BOTH)).toBe(401);
  const end = (headers: Record<string, string>): Promise<Response> => fetch(url, { method: 'DELETE', headers });
  expect((await end({ authorization: 'bob', 'mcp-session-id': id })).status).toBe(404);
  expect((await end({ ...alice, 'mcp-session-id': id })).status).toBe(204);
  expect(await ping({ ...alice, 'mcp-session-id': id })).toBe(404);
});

test('a session sees its caller as the request has it, not as initialize had it', async () => {
  const principals: unknown[] = [];
  const bare = createTestHost();
  const { url } = await serve({
    authenticate: ({ headers }) => ({ id: 'alice', principal: headers.authorization }),
    host: {
      ...bare,
      call: async (caller: Caller) => {
        principals.push(caller.principal);
        return { content: [] };
      },
    },
  });
  const headers = { ...BOTH, authorization: 'admin' };
  const session = { 'mcp-session-id': await initialize(url, headers) };
  await post(url, request(1, 'tools/call', { name: 'x' }), { ...headers, ...session });
  await post(url, request(1, 'tools/call', { name: 'x' }), { ...BOTH, authorization: 'guest', ...session });
  expect(principals).toEqual(['admin', 'guest']);
});

test('sessions are bounded: the longest unused one makes room, a busy one does not', async () => {
  const { url } = await serve({ sessions: { max: 2 } });
  const ids = [await initialize(url), await initialize(url)];
  const status = async (id: string | undefined): Promise<number> =>
    (await post(url, request(1, 'ping'), { ...BOTH, 'mcp-session-id': id! })).status;
  expect(await status(ids[0])).toBe(200);
  ids.push(await initialize(url));
  expect([await status(ids[0]), await status(ids[1]), await status(ids[2])]).toEqual([200, 404, 200]);
  const streams = await Promise.all(
    [ids[0], ids[2]].map((id) => fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': id! } })),
  );
  const refused = await post(url, request(0, 'initialize', {}));
  expect(refused.status).toBe(503);
  await Promise.all(streams.map((each) => each.body?.cancel()));
});

test('the standing stream of a session carries changes, and the newest one replaces the one before', async () => {
  const { url, host } = await serve();
  const id = await initialize(url);
  const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
  expect((await fetch(url, { headers: { ...headers, accept: 'application/json' } })).status).toBe(406);
  const first = await fetch(url, { headers });
  const second = await fetch(url, { headers });
  expect(await whole(events(first))).toEqual([]);
  const seen = events(second);
  host.change({ kind: 'tools' });
  expect((await seen.next()).value).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  await fetch(url, { method: 'DELETE', headers });
  expect((await seen.next()).done).toBe(true);
});

test('questions ride on the stream of their call, the answer comes by a post of its own', async () => {
  const { url } = await serve();
  const headers = { ...BOTH, 'mcp-session-id': await initialize(url, BOTH, { elicitation: {} }) };
  const response = await post(url, request(1, 'tools/call', { name: 'ask' }), headers);
  const seen = events(response);
  const asked = (await seen.next()).value as Json;
  expect(asked['method']).toBe('elicitation/create');
  const answer = { jsonrpc: '2.0', id: asked['id'], result: { action: 'accept', content: { name: 'Ada' } } };
  expect((await post(url, answer, headers)).status).toBe(202);
  expect((await seen.next()).value['result'].content[0].text).toBe('Hello, Ada');
  expect((await seen.next()).done).toBe(true);
});

test('equal ids of two sessions never meet: neither answers nor cancellations nor questions', async () => {
  const { url, host } = await serve();
  const open = async (): Promise<Record<string, string>> => ({
    ...BOTH,
    'mcp-session-id': await initialize(url, BOTH, { elicitation: {} }),
  });
  const [a, b] = [await open(), await open()];
  const one = post(url, request(7, 'tools/call', { name: 'wait', arguments: { as: 'a' } }), a);
  const two = post(url, request(7, 'tools/call', { name: 'gate' }), b);
  await soon(() => host.begun.length === 2);
  await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }, a);
  expect(await (await one).text()).toBe('');
  expect(host.aborted).toEqual(['a']);
  host.release();
  expect(((await (await two).json()) as Json)['result'].content[0].text).toBe('released');

  const askA = events(await post(url, request(8, 'tools/call', { name: 'ask' }), a));
  const askB = events(await post(url, request(8, 'tools/call', { name: 'ask' }), b));
  const [qa, qb] = [(await askA.next()).value as Json, (await askB.next()).value as Json];
  await post(url, accepted(qb['id'], 'Bo'), b);
  await post(url, accepted(qa['id'], 'Al'), a);
  expect((await askA.next()).value['result'].content[0].text).toBe('Hello, Al');
  expect((await askB.next()).value['result'].content[0].text).toBe('Hello, Bo');
});

test('a cancellation without a session reaches nobody else', async () => {
  const { url, host } = await serve();
  const call = post(url, request(7, 'tools/call', { name: 'gate' }));
  await soon(() => host.begun.length === 1);
  await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
  host.release();
  expect(((await (await call).json()) as Json)['result'].content[0].text).toBe('released');
  expect(host.aborted).toEqual([]);
});

test.each(['a session', 'no session', '2026-07-28'])('a client that vanishes aborts its calls (%s)', async (kind) => {
  const { url, host } = await serve();
  const call = { name: 'wait', arguments: { as: kind } };
  const leaving = new AbortController();
  const pending = (
    kind === '2026-07-28'
      ? post(url, request(1, 'tools/call', modern(call)), standard('tools/call', 'wait'), leaving.signal)
      : post(
          url,
          request(1, 'tools/call', call),
          kind === 'a session' ? { ...BOTH, 'mcp-session-id': await initialize(url) } : BOTH,
          leaving.signal,
        )
  ).catch((error: Error) => error.name);
  await soon(() => host.begun.length > 0);
  leaving.abort();
  expect(await pending).toBe('AbortError');
  await soon(() => host.aborted.length > 0);
  expect(host.aborted).toEqual([kind]);
});

test('batches are answered as one array for 2025-03-26, and refused for the others', async () => {
  const { url } = await serve();
  const items = [
    request(1, 'ping'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    request(2, 'tools/call', { name: 'echo' }),
  ];
  const response = await post(url, items);
  expect(((await response.json()) as Json[]).map((each) => each['id'])).toEqual([1, 2]);
  expect((await post(url, [items[1]])).status).toBe(202);
  for (const [body, headers] of [
    [items, { ...BOTH, 'mcp-protocol-version': '2025-06-18' }],
    [items, { ...BOTH, 'mcp-protocol-version': '2026-07-28' }],
    [[request(1, 'tools/list', modern())], BOTH],
    [[], BOTH],
    [[42], BOTH],
  ] as const) {
    const refused = await post(url, body, headers);
    expect([refused.status, ((await refused.json()) as Json)['error'].code]).toEqual([400, -32600]);
  }
});

test('a listen stream starts with its acknowledgement, keeps to its filter, and ends with a result', async () => {
  const { url, host, close } = await serve();
  const filter = { toolsListChanged: true, resourceSubscriptions: ['test://a'] };
  const response = await post(
    url,
    request(5, 'subscriptions/listen', modern({ notifications: filter })),
    standard('subscriptions/listen'),
  );
  const seen = events(response);
  const mark = { 'io.modelcontextprotocol/subscriptionId': 5 };
  expect((await seen.next()).value).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta: mark, notifications: filter },
  });
  host.change({ kind: 'prompts' });
  host.change({ kind: 'resource', uri: 'test://b' });
  host.change({ kind: 'tools' });
  host.change({ kind: 'resource', uri: 'test://a' });
  expect((await seen.next()).value).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: { _meta: mark },
  });
  expect((await seen.next()).value['params']).toEqual({ _meta: mark, uri: 'test://a' });
  const closing = close();
  const last = (await seen.next()).value as Json;
  expect([last['id'], last['result'].resultType, last['result']._meta]).toMatchObject([5, 'complete', mark]);
  await closing;
});

test('listening needs a client that accepts a stream', async () => {
  const { url } = await serve();
  const headers = { ...standard('subscriptions/listen'), accept: 'application/json' };
  const response = await post(url, request(1, 'subscriptions/listen', modern({ notifications: {} })), headers);
  expect([response.status, ((await response.json()) as Json)['id']]).toEqual([406, 1]);
});

test('arguments that a tool wants as headers are compared with them', async () => {
  const { url } = await serve();
  const call = async (args: Json, headers: Record<string, string>): Promise<number> => {
    const body = request(1, 'tools/call', modern({ name: 'echo', arguments: args }));
    return (await post(url, body, { ...standard('tools/call', 'echo'), ...headers })).status;
  };
  expect(await call({}, {})).toBe(200);
  expect(await call({ region: 'eu' }, {})).toBe(400);
  expect(await call({ region: 'eu' }, { 'mcp-param-region': 'eu' })).toBe(200);
  expect(await call({ region: 'eu' }, { 'mcp-param-region': 'EU' })).toBe(400);
  expect(await call({ region: 'Zürich' }, { 'mcp-param-region': '=?base64?WsO8cmljaA==?=' })).toBe(200);
  expect(await call({ region: 'Zürich' }, { 'mcp-param-region': '=?base64?WsO8cmljaA?=' })).toBe(400);
  expect(await call({ nested: { count: 42 } }, { 'mcp-param-count': '42.0' })).toBe(200);
  expect(await call({ nested: { count: 42 } }, { 'mcp-param-count': '' })).toBe(400);
  expect(await call({ region: null }, {})).toBe(200);
});

const ask = async ({ url }: HttpServer, more: Json = {}): Promise<Json> => {
  const body = request(1, 'tools/call', modern({ name: 'ask', ...more }, { elicitation: {} }));
  return (await (await post(url, body, standard('tools/call', 'ask'))).json()) as Json;
};

test('two processes of one service share a key: a round begun at one is ended at the other', async () => {
  const stateKey = new Uint8Array(32).fill(7);
  const [one, other, stranger] = [await serve({ stateKey }), await serve({ stateKey }), await serve()];
  const { requestState } = (await ask(one))['result'];
  const answered = { requestState, inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } } };
  expect((await ask(other, answered))['result'].content[0].text).toBe('Hello, Ada');
  expect((await ask(stranger, answered))['error'].code).toBe(-32602);
});

test('a client that leaves in the middle of its body, or sends none of it, harms nobody', async () => {
  const { url, port } = await serve();
  const head =
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
  for (const bytes of [head, `${head}{"jsonrpc"`, 'POST /mcp HT', 'nonsense\r\n\r\n', '\0\0\0']) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    socket.destroy();
  }
  expect((await post(url, request(1, 'ping'))).status).toBe(200);
});

test('closing lets calls under way finish, then cuts them off', async () => {
  const { url, host, close } = await serve();
  const quick = post(url, request(1, 'tools/call', { name: 'gate' }));
  const endless = post(url, request(2, 'tools/call', modern({ name: 'wait' })), standard('tools/call', 'wait'));
  await soon(() => host.begun.length === 2);
  const closing = close();
  host.release();
  expect(((await (await quick).json()) as Json)['result'].content[0].text).toBe('released');
  expect(((await (await endless).json()) as Json)['result'].content[0].text).toBe('aborted');
  await closing;
  expect(host.aborted).toEqual(['wait']);
  expect(host.listening).toBe(0);
  await expect(post(url, request(1, 'ping'))).rejects.toThrow();
});

test('a thousand calls at once over HTTP are each answered under their own id', async () => {
  const { url } = await serve({ token: 'secret' });
  const headers = { ...BOTH, authorization: 'Bearer secret' };
  const answers = await Promise.all(
    Array.from({ length: 1000 }, async (_, n) => {
      const response = await post(url, request(1, 'tools/call', { name: 'echo', arguments: { n } }), headers);
      return ((await response.json()) as Json)['result'].content[0].text as string;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 1000 }, (_, n) => JSON.stringify({ n })));
});

test('long lists come in pages that concatenate to the whole; a cursor that is not ours is refused', async () => {
  const { url } = await serve({ pageSize: 3 });
  const all = (await createTestHost().list({ id: 'local' })).map((each) => each.name);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const response = await post(url, request(1, 'tools/list', cursor === undefined ? {} : { cursor }));
    const { result } = (await response.json()) as Json;
    names.push(...result.tools.map((each: Json) => each['name']));
    cursor = result.nextCursor as string | undefined;
  } while (cursor !== undefined);
  expect(names).toEqual(all);
  const first = (await (await post(url, request(1, 'tools/list', {}))).json()) as Json;
  for (const [method, bad] of [
    ['tools/list', 'nonsense'],
    ['tools/list', ''],
    ['tools/list', 7],
    ['prompts/list', first['result'].nextCursor],
  ]) {
    const response = await post(url, request(1, String(method), { cursor: bad }));
    expect([response.status, ((await response.json()) as Json)['error'].code]).toEqual([200, -32602]);
  }
});
