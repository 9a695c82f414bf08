// Routes over real sockets: who may, what is refused and how, what is answered with every answer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Identity } from '../core/identity.ts';
import { op, type OpContext } from '../core/op.ts';
import { Problem } from '../core/problem.ts';
import { testIds } from '../testing/caller.ts';
import { createHttp } from './index.ts';
import { createLogger } from './log.ts';
import { createMetrics } from './metrics.ts';

const MEMBER: Identity = {
  org: 'acme',
  project: 'default',
  user: 'u1',
  owner: 'acme',
  isAdmin: false,
  isOperator: false,
  kind: 'user',
  method: 'key',
  credential: 'k1',
  publishable: false,
};
const CALLERS: Readonly<Record<string, Identity>> = {
  member: MEMBER,
  admin: { ...MEMBER, isAdmin: true },
  operator: { ...MEMBER, org: 'admin', isOperator: true },
  publishable: { ...MEMBER, publishable: true },
};

const cleanup: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of cleanup.splice(0).toReversed()) await step();
});

let seen: OpContext | undefined;
let aborted: Promise<void>;
let started: Promise<void>;

async function serving(): Promise<{ url: string; logs: string[] }> {
  const gone = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  [aborted, started] = [gone.promise, begun.promise];
  const base = { app: 'thing', summary: 'One.', answer: z.unknown() } as const;
  const ops = [
    op({
      ...base,
      id: 'get_by_id',
      method: 'GET',
      path: '/v1/thing/{id}',
      auth: 'member',
      input: { params: z.object({ id: z.string() }), query: z.object({ activated: z.string().optional() }) },
      async run(context, { params, query }) {
        seen = context;
        return { place: 'id', ...params, ...query };
      },
    }),
    op({
      ...base,
      id: 'fixed',
      method: 'GET',
      path: '/v1/thing/fixed',
      auth: 'none',
      input: {},
      run: async () => ({ place: 'fixed' }),
    }),
    op({
      ...base,
      id: 'post',
      method: 'POST',
      path: '/v1/thing',
      auth: 'admin',
      status: 201,
      maxBody: 64,
      input: { body: z.object({ name: z.string().max(3), tags: z.array(z.string()).optional() }) },
      run: async (_, { body }) => body,
    }),
    op({
      ...base,
      id: 'delete',
      method: 'DELETE',
      path: '/v1/thing/{id}',
      auth: 'operator',
      input: { params: z.object({ id: z.string() }) },
      answer: undefined,
      run: async () => undefined,
    }),
    op({
      ...base,
      id: 'fail',
      method: 'GET',
      path: '/v1/thing/fail/{how}',
      auth: 'none',
      input: { params: z.object({ how: z.string() }) },
      async run({ signal }, { params: { how } }) {
        if (how === 'problem')
          throw new Problem(422, 'It cannot be.', {
            more: { source: 'x', status: 'mine' },
            headers: { 'retry-after': '3' },
          });
        if (how === 'slow') {
          begun.resolve();
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          gone.resolve();
        }
        throw new Error('postgres://root:hunter2@db/ said sk-0123456789abcdef');
      },
    }),
  ];
  const logs: string[] = [];
  const http = createHttp({
    ops,
    ingress: {
      async identify(headers) {
        const given = headers.get('authorization')?.replace('Bearer ', '');
        if (given === undefined) return undefined;
        const found = CALLERS[given];
        if (found === undefined) throw new Problem(401, 'The key is not known here.', { code: 'invalid_credential' });
        return found;
      },
    },
    ids: testIds,
    logger: createLogger({ write: (line) => logs.push(line), level: 'debug' }),
    metrics: createMetrics({ version: '1' }),
    openapi: '{"openapi":"3.1.1"}',
    ending: new AbortController().signal,
    ready: async () => undefined,
    originOf: () => 'http://plane.test',
    authorizationServers: ['https://issuer.test'],
  });
  const server = createServer(getRequestListener(http.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, logs };
}

const as = (who: string, more: Record<string, string> = {}): RequestInit => ({
  headers: { authorization: `Bearer ${who}`, ...more },
});
const post = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): RequestInit => ({
  method: 'POST',
  body,
  headers: { authorization: 'Bearer admin', 'content-type': type },
});

test('a fixed segment is matched before a parameter, and there is no path with a slash at its end', async () => {
  const { url } = await serving();
  expect(await (await fetch(`${url}/v1/thing/fixed`)).json()).toEqual({ place: 'fixed' });
  expect(await (await fetch(`${url}/v1/thing/a%20b?activated=true&x=1`, as('member'))).json()).toEqual({
    place: 'id',
    id: 'a b',
    activated: 'true',
  });
  expect((await fetch(`${url}/v1/thing/`, as('member'))).status).toBe(404);
  // another method of the fixed one's path is still the parameter's
  expect((await fetch(`${url}/v1/thing/fixed`, { method: 'DELETE', ...as('operator') })).status).toBe(204);
});

test('401 without a credential or with an unknown one, 403 where it is not enough, 405 with what is served', async () => {
  const { url } = await serving();
  const none = await fetch(`${url}/v1/thing/1`);
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer resource_metadata="http://plane.test/.well-known/oauth-protected-resource"',
  ]);
  const unknown = await fetch(`${url}/v1/thing/fixed`, as('nobody'));
  expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer error="invalid_token", resource_metadata="http://plane.test/.well-known/oauth-protected-resource"',
  ]);
  const denied = await fetch(`${url}/v1/thing`, {
    ...post('{"name":"a"}'),
    headers: { authorization: 'Bearer member' },
  });
  expect(denied.status).toBe(403);
  expect(
    (await fetch(`${url}/v1/thing`, { ...post('{}'), headers: { authorization: 'Bearer publishable' } })).status,
  ).toBe(403);
  const wrong = await fetch(`${url}/v1/thing/1`, { method: 'PATCH' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'DELETE, GET']);
});

test.for([
  ['{"name":', 'application/json', 400, 'The body is not valid JSON in UTF-8.'],
  ['[]', 'application/json', 400, 'The body must be a JSON object.'],
  ['{"name":1}', 'application/json', 400, "'name' must be a string."],
  ['{"name":"abcd"}', 'application/json', 400, "'name' must have at most 3 characters."],
  ['{"name":"a","tags":["x",2]}', 'application/json', 400, "'tags[1]' must be a string."],
  ['{"name":"a"}', 'text/plain', 415, 'The body must be JSON, with Content-Type: application/json.'],
  [`{"name":"${'a'.repeat(80)}"}`, 'application/json', 413, 'The body must have at most 64 bytes.'],
] as const)('the body %s as %s is refused with %i', async ([body, type, status, detail]) => {
  const { url } = await serving();
  const answer = await fetch(`${url}/v1/thing`, post(body, type));
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toMatchObject({
    status,
    detail,
    error: detail,
    requestId: answer.headers.get('x-request-id'),
  });
});

test('unknown members are dropped; a body that is not UTF-8 is refused', async () => {
  const { url } = await serving();
  const made = await fetch(`${url}/v1/thing`, post('{"name":"a","__proto__":{"x":1},"more":2}'));
  expect([made.status, await made.json()]).toEqual([201, { name: 'a' }]);
  expect((await fetch(`${url}/v1/thing`, post(new Uint8Array([0x7b, 0xff, 0x7d])))).status).toBe(400);
});

test('a refusal’s own members stand beside the envelope’s, which win', async () => {
  const { url } = await serving();
  const answer = await fetch(`${url}/v1/thing/fail/problem`, { headers: { 'x-request-id': 'mine-1' } });
  expect(await answer.json()).toEqual({
    source: 'x',
    status: 422,
    title: 'Unprocessable Entity',
    detail: 'It cannot be.',
    code: 'unprocessable',
    requestId: 'mine-1',
    error: 'It cannot be.',
  });
  expect(answer.headers.get('retry-after')).toBe('3');
});

test('an unforeseen error says nothing of itself to the caller, and no secret to the log', async () => {
  const { url, logs } = await serving();
  const answer = await fetch(`${url}/v1/thing/fail/plain`, { headers: { 'x-request-id': 'not sane' } });
  const text = await answer.text();
  expect(answer.status).toBe(500);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(text).not.toMatch(/postgres|hunter2/);
  const [line] = logs.filter((each) => each.includes('request failed'));
  expect(line).toContain('postgres://root:[secret]@db/ said [secret]');
});

test('what a client says of itself reaches nobody, nor does its credential', async () => {
  const { url } = await serving();
  await fetch(
    `${url}/v1/thing/1`,
    as('member', { 'x-org-id': 'rival', 'x-user-isadmin': 'true', 'x-payment': 'p', cookie: 'c' }),
  );
  expect(seen?.identity).toEqual(MEMBER);
  for (const name of ['x-org-id', 'x-user-isadmin', 'authorization', 'cookie'])
    expect([name, seen?.headers.has(name)]).toEqual([name, false]);
  expect(seen?.headers.get('x-payment')).toBe('p');
});

test('work is aborted when its caller is gone', async () => {
  const { url } = await serving();
  const controller = new AbortController();
  const call = fetch(`${url}/v1/thing/fail/slow`, { signal: controller.signal });
  await started;
  controller.abort();
  await expect(call).rejects.toThrow();
  await aborted;
});

test('health is for everybody, the figures are for operators, and every answer has the constant headers', async () => {
  const { url } = await serving();
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
  expect([(await fetch(`${url}/metrics`)).status, (await fetch(`${url}/metrics`, as('admin'))).status]).toEqual([
    401, 403,
  ]);
  const text = await (await fetch(`${url}/metrics`, as('operator'))).text();
  expect(text).toContain('hanzo_http_requests_total{route="/healthz",method="GET",status="200"} 1');
  const { headers } = await fetch(`${url}/nowhere`);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  const moved = await fetch(`${url}/mcp`, { method: 'POST', redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/v1/mcp']);
  expect(await (await fetch(`${url}/.well-known/oauth-protected-resource`)).json()).toMatchObject({
    resource: 'http://plane.test/v1/mcp',
    authorization_servers: ['https://issuer.test'],
  });
});
