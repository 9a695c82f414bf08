// External servers over real sockets: good ones of every kind, and bad ones.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { createClient, type NetClient } from '@hanzo/net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Problem } from '../core/problem.ts';
import type { Remote, RemoteServer } from '../ports/remote.ts';
import type { Vault } from '../ports/vault.ts';
import { createRemote, type RemoteTimes } from './index.ts';

type Rpc = Record<string, unknown> & { id?: unknown; method?: string; params?: Record<string, unknown> };
type Handler = (body: Rpc, res: ServerResponse, req: IncomingMessage) => void;

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});
const never = new AbortController().signal;

async function serve(handle: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
  const http = createServer(handle).listen(0, '127.0.0.1');
  await once(http, 'listening');
  undo.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** A bare server: one handler for every message; what it was asked is kept. */
async function bare(
  handle: Handler,
): Promise<{ url: string; seen: { body: Rpc; headers: IncomingMessage['headers'] }[] }> {
  const seen: { body: Rpc; headers: IncomingMessage['headers'] }[] = [];
  const url = await serve((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Rpc;
      seen.push({ body, headers: req.headers });
      handle(body, res, req);
    });
  });
  return { url, seen };
}

const json = (res: ServerResponse, value: unknown, status = 200): void => {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const result = (body: Rpc, value: unknown): unknown => ({ jsonrpc: '2.0', id: body.id, result: value });
const tool = { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } };

function setUp(
  options: { secret?: string; times?: Partial<RemoteTimes>; client?: NetClient; get?: Vault['get'] } = {},
): { remote: Remote; clock: { at: number }; secrets: { value: string | undefined } } {
  const clock = { at: 1_000_000 };
  const secrets = { value: options.secret };
  const client = options.client ?? createClient({ allowPrivate: true });
  const vault: Vault = {
    available: true,
    put: async () => undefined,
    get:
      options.get ?? (async () => (secrets.value === undefined ? undefined : new TextEncoder().encode(secrets.value))),
    delete: async () => undefined,
    list: async () => [],
  };
  const remote = createRemote({
    vault,
    client,
    clock: { now: () => clock.at },
    version: '1.2.3',
    ...(options.times === undefined ? {} : { times: options.times }),
  });
  undo.push(async () => {
    await remote.close();
    await client.close();
  });
  return { remote, clock, secrets };
}
const at = (url: string, more: Partial<RemoteServer> = {}): RemoteServer => ({
  org: 'acme',
  id: 'one',
  url,
  hasSecret: false,
  ...more,
});
const problem = (error: unknown): Problem => {
  expect(error).toBeInstanceOf(Problem);
  return error as Problem;
};
const failure = async (work: Promise<unknown>): Promise<Problem> =>
  problem(
    await work.then(
      () => undefined,
      (e: unknown) => e,
    ),
  );

describe('good servers', () => {
  test('a bare server is asked plainly, with the credential as it is, distinct ids and an object as params', async () => {
    const { url, seen } = await bare((body, res) =>
      json(
        res,
        result(body, body.method === 'tools/list' ? { tools: [tool] } : { content: [], isError: true, extra: 1 }),
      ),
    );
    const { remote } = setUp({ secret: 'Token abc' });
    const server = at(url, { authHeader: 'X-Key', hasSecret: true });
    expect(await remote.list(server, never)).toEqual({ status: 'ok', tools: [tool] });
    expect(await remote.call(server, 'echo', { a: 1 }, never)).toEqual({ content: [], isError: true, extra: 1 });
    expect(seen.map(({ body }) => body)).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo', arguments: { a: 1 } } },
    ]);
    expect(seen.map(({ headers }) => [headers['x-key'], headers.accept, headers.authorization])).toEqual([
      ['Token abc', 'application/json, text/event-stream', undefined],
      ['Token abc', 'application/json, text/event-stream', undefined],
    ]);
  });

  test('a server of sessions (server-everything) is listed and called', { timeout: 60_000 }, async () => {
    const free = await serve((_req, res) => res.end());
    const port = String(Number(new URL(free).port) + 1);
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
    const child = spawn(process.execPath, [entry, 'streamableHttp'], { env: { ...process.env, PORT: port } });
    undo.push(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    for await (const chunk of child.stderr) if (String(chunk).includes('listening')) break;
    const { remote } = setUp();
    const server = at(`http://127.0.0.1:${port}/mcp`);
    const listing = await remote.list(server, never);
    expect(listing.status).toBe('ok');
    expect(listing.tools.map(({ name }) => name)).toContain('echo');
    const said = await remote.call(server, 'echo', { message: 'hi' }, never);
    expect(said['content']).toEqual([{ type: 'text', text: 'Echo: hi' }]);
  });

  test('a server of 2026-07-28 alone is listed and called', async () => {
    const handler = toNodeHandler(
      createMcpHandler(
        () => {
          const made = new McpServer({ name: 'new', version: '1' });
          made.registerTool('double', { description: 'Twice.', inputSchema: z.object({ n: z.number() }) }, ({ n }) => ({
            content: [{ type: 'text', text: String(n * 2) }],
          }));
          return made;
        },
        { legacy: 'reject' },
      ),
    );
    const { remote } = setUp();
    const server = at(await serve((req, res) => void handler(req, res)));
    const listing = await remote.list(server, never);
    expect([listing.status, listing.reason, listing.tools.map(({ name }) => name)]).toEqual([
      'ok',
      undefined,
      ['double'],
    ]);
    expect(await remote.call(server, 'double', { n: 4 }, never)).toEqual({ content: [{ type: 'text', text: '8' }] });
  });

  test('a session that the server has forgotten is opened anew, once', async () => {
    let session = 0;
    let live = '';
    const { url, seen } = await bare((body, res, req) => {
      if (body.method === 'initialize') {
        live = `s${++session}`;
        res.setHeader('mcp-session-id', live);
        return json(res, result(body, { protocolVersion: '2025-06-18', capabilities: {} }));
      }
      if (req.headers['mcp-session-id'] !== live) return json(res, {}, req.headers['mcp-session-id'] ? 404 : 400);
      if (body.id === undefined) return res.writeHead(202).end();
      json(res, result(body, body.method === 'tools/list' ? { tools: [tool] } : { content: [] }));
    });
    const { remote } = setUp();
    expect((await remote.list(at(url), never)).status).toBe('ok');
    live = 'gone';
    expect(await remote.call(at(url), 'echo', {}, never)).toEqual({ content: [] });
    expect(session).toBe(2);
    expect(seen.at(-1)?.headers['mcp-protocol-version']).toBe('2025-06-18');
  });

  test('an answer as a stream is read, whatever comes before it', async () => {
    const { url } = await bare((body, res) => {
      if (body.method === undefined) return res.end();
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(
        `: hello\r\n\r\nid: 1\ndata:\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n`,
      );
      res.end(`data: ${JSON.stringify(result(body, { tools: [tool] }))}\n\n`);
    });
    expect(await setUp().remote.list(at(url), never)).toEqual({ status: 'ok', tools: [tool] });
  });
});

describe('what is remembered', () => {
  test('a list for a minute, a failure for five seconds, and nothing after forget or at another address', async () => {
    let fine = true;
    const handle: Handler = (body, res) => (fine ? json(res, result(body, { tools: [tool] })) : json(res, {}, 500));
    const { url, seen } = await bare(handle);
    const { remote, clock } = setUp();
    const [a, b] = await Promise.all([remote.list(at(url), never), remote.list(at(url), never)]);
    expect([a === b, seen.length]).toEqual([true, 1]);
    clock.at += 59_999;
    await remote.list(at(url), never);
    expect(seen.length).toBe(1);
    fine = false;
    clock.at += 1;
    const reason = 'The server answered with the HTTP status 500.';
    expect(await remote.list(at(url), never)).toEqual({ status: 'error', reason, tools: [] });
    fine = true;
    clock.at += 4_999;
    expect((await remote.list(at(url), never)).status).toBe('error');
    clock.at += 1;
    expect((await remote.list(at(url), never)).status).toBe('ok');
    const before = seen.length;
    remote.forget('acme', 'one');
    await remote.list(at(url), never);
    await remote.list(at(`${url}/other`), never);
    await remote.list(at(url, { org: 'other' }), never);
    expect(seen.length).toBe(before + 3);
  });

  test("a caller's own cancellation is its own", async () => {
    const held: (() => void)[] = [];
    const { url, seen } = await bare((body, res) => void held.push(() => json(res, result(body, { tools: [tool] }))));
    const { remote } = setUp();
    const mine = new AbortController();
    const first = remote.list(at(url), mine.signal);
    const second = remote.list(at(url), never);
    await expect.poll(() => held.length).toBe(1);
    mine.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    held[0]?.();
    expect((await second).status).toBe('ok');
    expect(seen.length).toBe(1);
  });
});

describe('bad servers', () => {
  const pages: [string, Handler, string, string][] = [
    [
      'HTML',
      (_b, res) => void res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'error',
      'gave an answer that is not JSON but text/html',
    ],
    ['401', (_b, res) => void res.writeHead(401).end(), 'refused', 'wants a credential (HTTP status 401)'],
    [
      'a redirect',
      (_b, res) => void res.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      'error',
      'answered with a redirect (HTTP status 307), which is not followed: register where it leads',
    ],
    [
      'wrong ids',
      (_b, res) => json(res, { jsonrpc: '2.0', id: 99, result: { tools: [] } }),
      'error',
      'answered a request that was not made: the ids differ',
    ],
    [
      'a repeated cursor',
      (b, res) => json(res, result(b, { tools: [], nextCursor: 'x' })),
      'error',
      'gave the same cursor twice: its list has no end',
    ],
    [
      'endless pages',
      (b, res) => json(res, result(b, { tools: [], nextCursor: String(b.id) })),
      'error',
      'gave a list of more than 100 pages',
    ],
    [
      'a huge answer',
      (_b, res) => void res.end(Buffer.alloc(4 * 1_048_576 + 1, 32)),
      'error',
      'gave an answer that is too large: more than 4 MiB',
    ],
    [
      'a deep answer',
      (_b, res) => void res.end('['.repeat(100_000) + ']'.repeat(100_000)),
      'error',
      'gave an answer that is nested too deep',
    ],
    [
      'a dropped stream',
      (b, res) =>
        void res.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(result(b, {}))}`),
      'error',
      'ended its stream before the answer',
    ],
    [
      'a broken connection',
      (_b, res) => void res.destroy(),
      'unreachable',
      'cannot be connected to, or dropped the connection',
    ],
  ];
  test.each(pages)('%s', { timeout: 30_000 }, async (_name, handle, status, clause) => {
    const { url } = await bare(handle);
    const { remote } = setUp({ times: { listMs: 20_000 } });
    expect(await remote.list(at(url), never)).toEqual({ status, reason: `The server ${clause}.`, tools: [] });
    expect((await failure(remote.call(at(url), 'echo', {}, never))).status).toBe(424);
  });

  test('one that is silent is given up in time: unreachable for a list, 504 for a call', async () => {
    const { url } = await bare((body, res) => {
      if (body.params?.['name'] === undefined && fine) json(res, result(body, { tools: [tool] }));
    });
    let fine = true;
    const { remote, clock } = setUp({ times: { listMs: 1_000, callMs: 1_000 } });
    await remote.list(at(url), never);
    const late = await failure(remote.call(at(url), 'echo', {}, never));
    expect([late.status, late.message]).toEqual([504, 'The server did not answer within 1 s.']);
    fine = false;
    clock.at += 60_000;
    expect((await remote.list(at(url), never)).status).toBe('unreachable');
  });

  test("a JSON-RPC error of a call is 424 with the server's sentence, without address and credential", async () => {
    const { url } = await bare((body, res, req) => {
      if (body.method === 'tools/list') return json(res, result(body, { tools: [tool] }));
      const message = `no\u202e luck with Bearer s3cret at http://${req.headers.host}/x`;
      json(res, { jsonrpc: '2.0', id: body.id, error: { code: -32000, message } });
    });
    const { remote } = setUp({ secret: 'Bearer s3cret' });
    const server = at(url, { authHeader: 'authorization', hasSecret: true });
    const said = await failure(remote.call(server, 'echo', {}, never));
    expect([said.status, said.message]).toEqual([
      424,
      'The server answered with the error -32000: no luck with [credential] at [address].',
    ]);
  });

  test('a credential that is missing or unreadable: it is not asked at all', async () => {
    const { url, seen } = await bare((body, res) => json(res, result(body, { tools: [tool] })));
    const server = at(url, { authHeader: 'authorization', hasSecret: true });
    expect((await setUp().remote.list(server, never)).reason).toBe(
      'The server was not asked: its credential is missing; register it again.',
    );
    const broken = setUp({ get: async () => Promise.reject(new Error('sealed')) });
    expect((await failure(broken.remote.call(server, 'echo', {}, never))).status).toBe(424);
    expect(seen.length).toBe(0);
  });

  test('tools that cannot be used are left out by name, and what cannot be seen is taken out', async () => {
    const tools = [
      tool,
      tool,
      { name: '' },
      { name: 'listy', inputSchema: [] },
      { name: 'big', description: 'x'.repeat(262_144) },
      {
        name: 'sly',
        description: 'Adds\u200b\u{e0041} it. 👩‍💻',
        inputSchema: { properties: { a: { description: 'o\u202ene' } } },
      },
    ];
    const { url } = await bare((body, res) => json(res, result(body, { tools })));
    expect(await setUp().remote.list(at(url), never)).toEqual({
      status: 'ok',
      tools: [
        tool,
        { name: 'sly', description: 'Adds it. 👩‍💻', inputSchema: { properties: { a: { description: 'one' } } } },
      ],
      reason:
        'echo: listed twice, the first one taken; #3: no name, left out; listy: a schema that is not an object, left out; ' +
        'big: larger than 256 KiB, left out; sly: invisible characters taken out',
    });
  });

  test('a name that leads to a private address is not dialled', async () => {
    const { url, seen } = await bare((body, res) => json(res, result(body, { tools: [tool] })));
    const client = createClient({ resolver: async () => [{ address: '127.0.0.1', family: 4 }] });
    const { remote } = setUp({ client });
    const server = at(`http://mcp.example.com:${new URL(url).port}/`);
    const reason = 'The server is at an address that may not be dialled.';
    expect(await remote.list(server, never)).toEqual({ status: 'unreachable', reason, tools: [] });
    expect(seen.length).toBe(0);
  });
});
