// One call over real sockets: what is sent, what is sent again, and how it ends when no answer comes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, Configuration, type ConfigurationOptions, ConnectionError, type Operation, send } from 'hanzoai';
import { afterEach, expect, test } from 'vitest';

const READ: Operation = { id: 'get_thing', method: 'GET', path: '/v1/thing/{id}', query: ['q', 'all'] };
const WRITE: Operation = { id: 'post_thing', method: 'POST', path: '/v1/thing', body: ['a', 'b'] };

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanup.splice(0)) await step();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers the first request with the first answer, and so on; the last one stays. */
async function serving(...answers: Answer[]): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      seen.push([request.method, request.url, request.headers.authorization, body].filter(Boolean).join(' '));
      answers[Math.min(seen.length, answers.length) - 1]?.(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const ok = answer(200, { fine: true });
const broken: Answer = (request) => void request.socket.destroy();
const never: Answer = () => undefined;

function at(basePath: string, more: ConfigurationOptions = {}): Configuration {
  return new Configuration({ basePath, retryDelay: 0, ...more });
}

async function thrown(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('it resolved'),
    (error: unknown) => error,
  );
}

test('names are encoded in the path, values in the query; what is not given is not sent', async () => {
  const { url, seen } = await serving(ok);
  await send(at(url), READ, { id: 'a/b ü', q: 'x&y', all: true });
  await send(at(url), READ, { id: 'a', q: undefined });
  await send(at(url), WRITE, { a: 1, other: 2 });
  expect(seen).toEqual(['GET /v1/thing/a%2Fb%20%C3%BC?q=x%26y&all=true', 'GET /v1/thing/a', 'POST /v1/thing {"a":1}']);
});

test.each(['', '.', '..'])('%j is no name: nothing is sent, because it would call another operation', async (id) => {
  const { url, seen } = await serving(ok);
  expect(await thrown(send(at(url), READ, { id }))).toBeInstanceOf(TypeError);
  expect(seen).toEqual([]);
});

test('a token function is asked for every attempt', async () => {
  const { url, seen } = await serving(answer(429, {}), ok);
  let count = 0;
  await send(at(url, { accessToken: async () => `t${(count += 1)}` }), WRITE);
  expect(seen).toEqual(['POST /v1/thing Bearer t1 {}', 'POST /v1/thing Bearer t2 {}']);
});

test.each([
  ['a read is made again when the connection breaks', READ, broken, 2],
  ['a read is made again after 503', READ, answer(503, {}), 2],
  ['anything is made again after 429', WRITE, answer(429, {}, { 'retry-after': '0' }), 2],
  ['a write is not made again when the connection breaks', WRITE, broken, 1],
  ['a write is not made again after 503', WRITE, answer(503, {}), 1],
  ['nothing is made again after 500', READ, answer(500, {}), 1],
  [
    'nothing is made again when the plane asks for more than 30 seconds',
    READ,
    answer(429, {}, { 'retry-after': '31' }),
    1,
  ],
])('%s', async (_name, operation, first, requests) => {
  const { url, seen } = await serving(first, ok);
  await send(at(url), operation, { id: 'x' }).catch(() => undefined);
  expect(seen.length).toBe(requests);
});

test('after the last retry the refusal is thrown', async () => {
  const { url, seen } = await serving(answer(503, { detail: 'ending', code: 'draining' }));
  const error = await thrown(send(at(url), READ, { id: 'x' }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 503, code: 'draining', message: 'ending' });
  expect(seen.length).toBe(3);
});

test('a refusal in a form that is not a plane’s is put into the same one', async () => {
  const { url } = await serving(answer(502, '<html>bad gateway</html>', { 'x-request-id': 'r1' }));
  const error = await thrown(send(at(url, { retries: 0 }), READ, { id: 'x' }));
  expect((error as ApiError).problem).toEqual({
    status: 502,
    title: 'Bad Gateway',
    detail: 'Bad Gateway',
    code: 'http_502',
    requestId: 'r1',
  });
});

test('a page instead of JSON is said to be no plane', async () => {
  const { url } = await serving(answer(200, '<html></html>'));
  const error = await thrown(send(at(url), READ, { id: 'x' }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code: 'not_json', operation: 'get_thing' });
});

test('a redirect is not followed, so a key is not carried elsewhere', async () => {
  const other = await serving(ok);
  const { url } = await serving(answer(307, '', { location: `${other.url}/v1/thing` }));
  const error = await thrown(send(at(url, { accessToken: 'sk-1' }), WRITE));
  expect(error).toMatchObject({ code: 'unreachable' });
  expect(other.seen).toEqual([]);
});

test('where nobody listens the error names the address and the reason', async () => {
  const { url } = await serving(ok);
  await cleanup.splice(0)[0]?.();
  const error = await thrown(send(at(url), READ, { id: 'x' }));
  expect((error as ConnectionError).message).toBe(`${url} cannot be reached: ECONNREFUSED`);
});

test('a call that is aborted rejects with the reason of its signal', async () => {
  const abort = new AbortController();
  const { url } = await serving(() => abort.abort(new Error('changed my mind')));
  expect(await thrown(send(at(url), READ, { id: 'x' }, { signal: abort.signal }))).toEqual(
    new Error('changed my mind'),
  );
});

test('a call ends when its time is over', async () => {
  const { url } = await serving(never);
  const error = await thrown(send(at(url), READ, { id: 'x' }, { timeout: 20 }));
  expect(error).toMatchObject({ code: 'timeout', message: `No answer within 20 ms from ${url}` });
});

test.each(['127.0.0.1:4280', 'ftp://a', 'http://me:pw@a', 'http://a/?key=1'])('%s is no basePath', (basePath) => {
  expect(() => new Configuration({ basePath })).toThrow(TypeError);
});

test('the address comes from the environment when none is given', () => {
  const before = process.env['HANZO_API_URL'];
  cleanup.push(async () => {
    if (before === undefined) delete process.env['HANZO_API_URL'];
    else process.env['HANZO_API_URL'] = before;
  });
  process.env['HANZO_API_URL'] = 'http://10.0.0.1:4280/';
  expect(new Configuration().basePath).toBe('http://10.0.0.1:4280');
});
