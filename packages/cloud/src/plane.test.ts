// The whole plane over sockets, on both stores: first start, keys, agents of both protocol eras, and an end that loses no call.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Offer, Provider } from '@hanzo/tool';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { createLogger } from './http/log.ts';
import { createPlane, type Plane } from './plane.ts';
import { stores } from './store/testkit.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'plane-'));
const cleanup: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanup.splice(0).toReversed()) await step();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Connectors of a test: one says its arguments, one fails as a tool does, one waits to be let go. */
function connectors(gate: Promise<void>, entered: () => void): Provider {
  const offer = (name: string): Offer => ({
    name,
    source: 'connector',
    description: `The tool ${name}.`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    dispatchable: true,
  });
  return {
    source: () => 'connector',
    list: async ({ org }) => (org === '' ? [] : ['zeta', 'echo', 'fails', 'waits', 'tool'].map(offer)),
    async dispatch(_principal, name, args) {
      if (name === 'fails') return { content: [{ type: 'text', text: 'broken' }], isError: true };
      if (name === 'waits') {
        entered();
        await gate;
      }
      return { name, args };
    },
  };
}

interface Running {
  readonly plane: Plane;
  readonly key: string;
  readonly logs: string[];
  /** two calls wait */
  readonly entered: Promise<void>;
  letGo(): void;
  request(
    method: string,
    at: string,
    body?: unknown,
    key?: string,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  rpc(method: string, params: unknown, key?: string): Promise<Response>;
}

async function start(database: string): Promise<Running> {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  let inside = 0;
  const logs: string[] = [];
  const { config } = readConfig(['--database', database, '--data', folder, '--port', '0', '--grace', '20'], {
    HANZO_KEK: Buffer.alloc(32, 7).toString('base64'),
  });
  const plane = await createPlane({
    config,
    version: '1.2.3',
    logger: createLogger({ write: (line) => logs.push(line), level: 'debug' }),
    providers: [connectors(gate.promise, () => void (++inside === 2 && entered.resolve()))],
    checkAnswers: true,
  });
  cleanup.push(() => {
    gate.resolve();
    return plane.close();
  });
  const key = plane.firstKey ?? '';
  return {
    plane,
    key,
    logs,
    entered: entered.promise,
    letGo: gate.resolve,
    async request(method, at, body, as = key) {
      const answer = await fetch(`${plane.url}${at}`, {
        method,
        headers: {
          ...(as === '' ? {} : { authorization: `Bearer ${as}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
    },
    rpc: (method, params, as = key) =>
      fetch(`${plane.url}/v1/mcp`, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...(as === '' ? {} : { authorization: `Bearer ${as}` }),
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          ...(method.startsWith('notifications/') ? {} : { id: 1 }),
          method,
          params,
        }),
      }),
  };
}

type Result = {
  tools: { name: string }[];
  content: { text: string }[];
  isError?: boolean;
  _meta?: Record<string, unknown>;
};
async function resultOf(answer: Response): Promise<Result> {
  const { result } = (await answer.json()) as { result: Result };
  return result;
}

describe.for(stores(folder))('on $name', (kind) => {
  const it = test.skipIf(kind.skipped !== undefined);

  it('the first start shows one key, a later one none; the key works after it', async () => {
    const database = await kind.database();
    const first = await start(database);
    expect(first.key).toMatch(/^sk-[0-9a-f]{48}$/);
    expect(first.logs.join('\n')).not.toContain(first.key);
    await first.plane.close();
    const second = await start(database);
    expect(second.plane.firstKey).toBe(undefined);
    expect(await second.request('GET', '/v1/tool/activation', undefined, first.key)).toEqual({
      status: 200,
      body: { enabled: [] },
    });
  });

  it('an agent sees the grouped half, and what its organization activated; a call through either is the same call', async () => {
    const { request, rpc } = await start(await kind.database());
    const names = async (key?: string): Promise<string[]> =>
      (await resultOf(await rpc('tools/list', {}, key))).tools.map(({ name }) => name);
    const fixed = ['describe', 'agent', 'audit', 'auto', 'function', 'iam', 'meter', 'todo', 'tool'];
    expect(await names('')).toEqual(fixed);
    expect(await names()).toEqual(fixed);
    await request('PUT', '/v1/tool/activation', { activate: ['zeta', 'echo', 'fails', 'tool'] });
    // a tool of the caller's never takes an operation's name
    expect(await names()).toEqual([...fixed, 'echo', 'fails', 'zeta']);
    expect(await names('')).toEqual(fixed);
    const called = { content: [{ type: 'text', text: '{"name":"echo","args":{"text":"hi"}}' }] };
    expect(await resultOf(await rpc('tools/call', { name: 'echo', arguments: { text: 'hi' } }))).toEqual(called);
    const grouped = await resultOf(
      await rpc('tools/call', {
        name: 'tool',
        arguments: { op: 'create_tool_call', input: { name: 'echo', arguments: { text: 'hi' } } },
      }),
    );
    expect(JSON.parse(grouped.content[0]?.text ?? '')).toEqual({
      name: 'echo',
      result: { name: 'echo', args: { text: 'hi' } },
    });
    const usage = await request('GET', '/v1/meter/usage');
    expect(JSON.stringify(usage.body)).toContain('"tool":"echo"');
    const { body } = await request('GET', '/v1/audit?action=tools.call');
    expect((body['rows'] as { outcome: unknown }[]).map(({ outcome }) => outcome)).toEqual([
      { result: 'ok', status: 200 },
      { result: 'ok', status: 200 },
    ]);
  });

  it('refusals of a call are failed results in the plane’s own words; a failed tool’s result is passed on whole', async () => {
    const { request, rpc } = await start(await kind.database());
    await request('PUT', '/v1/tool/activation', { activate: ['fails'] });
    const refused = await resultOf(await rpc('tools/call', { name: 'echo', arguments: {} }));
    expect(refused).toMatchObject({ isError: true, _meta: { 'hanzo.ai/problem': { status: 403 } } });
    expect(refused.content[0]?.text).toContain('not activated');
    const through = { op: 'post_tool_call', input: { name: 'fails' } };
    const whole = { content: [{ type: 'text', text: 'broken' }], isError: true };
    expect(await resultOf(await rpc('tools/call', { name: 'tool', arguments: through }))).toEqual(whole);
    expect(await resultOf(await rpc('tools/call', { name: 'fails', arguments: {} }))).toEqual(whole);
  });

  it('describe shows an operation to anybody; withheld, unknown and another tool’s operations are equally unknown', async () => {
    const { rpc } = await start(await kind.database());
    const described = await resultOf(
      await rpc('tools/call', { name: 'describe', arguments: { op: 'put_tool_kit' } }, ''),
    );
    expect(JSON.parse(described.content[0]?.text ?? '')).toMatchObject({
      name: 'set_tool_kit',
      inputSchema: { type: 'object' },
    });
    for (const params of [
      { name: 'describe', arguments: { op: 'post_iam_keys' } },
      { name: 'describe', arguments: { op: 'nothing' } },
      { name: 'iam', arguments: { op: 'create_iam_key' } },
      { name: 'iam', arguments: { op: 'list_tools' } },
      { name: 'tool', arguments: {} },
    ]) {
      const { error } = (await (await rpc('tools/call', params)).json()) as { error: { code: number } };
      expect([params, error.code]).toEqual([params, -32602]);
    }
    const { _meta } = await resultOf(await rpc('tools/list', {}, ''));
    expect(_meta?.['hanzo.ai/refused']).toEqual({
      count: expect.any(Number) as number,
      rule: expect.any(String) as string,
    });
  });

  it('a call without a credential is challenged; notifications are taken; a wrong key is refused everywhere', async () => {
    const { plane, rpc } = await start(await kind.database());
    const answer = await rpc('tools/call', { name: 'tool', arguments: { op: 'list_tools' } }, '');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${plane.url}/.well-known/oauth-protected-resource"`,
    );
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32001 } });
    expect((await rpc('notifications/initialized', {}, '')).status).toBe(202);
    expect((await rpc('tools/list', {}, 'sk-wrong')).status).toBe(401);
    const hello = await rpc(
      'initialize',
      { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      '',
    );
    expect(hello.headers.get('mcp-session-id')).toBe(null);
    expect(await hello.json()).toMatchObject({
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'hanzo-cloud' } },
    });
  });

  it('a stock client connects, lists and calls', async () => {
    const { plane, request, key } = await start(await kind.database());
    await request('PUT', '/v1/tool/activation', { activate: ['echo'] });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${plane.url}/v1/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    expect(await client.callTool({ name: 'echo', arguments: { text: 'x' } })).toMatchObject({
      content: [{ type: 'text' }],
    });
    await client.close();
  });

  it('the end waits for calls under way, and takes no new ones', async () => {
    const { plane, request, rpc, entered, letGo } = await start(await kind.database());
    await request('PUT', '/v1/tool/activation', { activate: ['waits'] });
    const calls = [
      request('POST', '/v1/tool/call', { name: 'waits' }).then(({ status }) => status),
      rpc('tools/call', { name: 'waits', arguments: {} }).then(({ status }) => status),
    ];
    await entered;
    expect((await fetch(`${plane.url}/readyz`)).status).toBe(200);
    const closed = plane.close();
    await expect(fetch(`${plane.url}/healthz`)).rejects.toThrow();
    letGo();
    expect(await Promise.all(calls)).toEqual([200, 200]);
    await closed;
  });
});

test('settings: a flag wins over the environment, which wins over the file; what is wrong is named with its origin', () => {
  expect(
    readConfig(['keys', '--port', '5', 'list', '--json', '--org', 'a'], { HANZO_PORT: '6', HANZO_HOST: '::1' }),
  ).toMatchObject({
    config: { port: 5, host: '::1', grace: 30 },
    rest: ['keys', 'list', '--json', '--org', 'a'],
  });
  expect(() => readConfig(['--port', 'x'], {})).toThrow("the setting 'port' of --port is not usable");
  expect(() => readConfig([], { HANZO_LOG_LEVEL: 'loud' })).toThrow(
    "the setting 'logLevel' in HANZO_LOG_LEVEL is not usable",
  );
  expect(() => readConfig(['--port'], {})).toThrow('--port needs a value');
  expect(() => readConfig(['--config', '/nowhere.json'], {})).toThrow('/nowhere.json cannot be read');
});
