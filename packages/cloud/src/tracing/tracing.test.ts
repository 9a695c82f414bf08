// Traces of a whole plane, as a real collector on loopback is sent them: what is in them, what is not, and that nobody waits for them.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Offer, Provider } from '@hanzo/tool';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../http/log.ts';
import { createPlane, type Plane } from '../plane.ts';

const cleanup: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of cleanup.splice(0).toReversed()) await step();
});

interface Sent {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status?: { readonly code?: number };
}

interface Collector {
  readonly url: string;
  readonly spans: Sent[];
  readonly bodies: string[];
}

/** `answers` false: it takes what comes and never says a word. */
async function collector(answers = true): Promise<Collector> {
  const [spans, bodies]: [Sent[], string[]] = [[], []];
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      bodies.push(text);
      const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] };
      for (const each of resourceSpans) for (const scope of each.scopeSpans) spans.push(...scope.spans);
      if (answers) response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanup.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies };
}

const offer: Offer = {
  name: 'echo',
  source: 'connector',
  description: 'Says what it is told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  dispatchable: true,
};
const provider: Provider = {
  source: () => 'connector',
  list: async ({ org }) => (org === '' ? [] : [offer]),
  dispatch: async (_principal, _name, { text }) => {
    if (text === 'fail') throw new Error('a canary-in-a-message');
    return { content: [{ type: 'text', text }] };
  },
};

async function plane(...flags: string[]): Promise<Plane> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tracing-'));
  const made = await createPlane({
    config: readConfig(['--data', folder, '--port', '0', '--grace', '2', ...flags], {}).config,
    version: '1.2.3',
    logger: createLogger({ level: 'error', write: () => undefined }),
    providers: [provider],
  });
  cleanup.push(async () => {
    await made.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return made;
}

function ask({ url, firstKey }: Plane, at: string, body: unknown, method = 'POST', headers = {}): Promise<Response> {
  return fetch(`${url}${at}`, {
    method,
    headers: { authorization: `Bearer ${firstKey}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const attribute = ({ attributes }: Sent, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

test('a request, its operation and its tool are spans of one trace, the caller’s; no word of what was said is in them', async () => {
  const { url, spans, bodies } = await collector();
  const made = await plane('--otlp', url);
  expect((await ask(made, '/v1/tool/activation', { activate: ['echo'] }, 'PUT')).status).toBe(200);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const call = { name: 'echo', arguments: { text: 'a canary-in-an-argument' } };
  expect((await ask(made, '/v1/tool/call?q=canary-in-a-query', call, 'POST', { traceparent })).status).toBe(200);
  const failing = { name: 'echo', arguments: { text: 'fail' } };
  expect((await ask(made, '/v1/tool/call', failing)).status).toBe(424);
  const viaDoor = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } };
  expect((await ask(made, '/v1/mcp', viaDoor, 'POST', { accept: 'application/json' })).status).toBe(200);
  // the end sends what is left
  await made.close();

  const mine = spans.filter(({ traceId }) => traceId === '0af7651916cd43dd8448eb211c80319c');
  expect(mine.map(({ name }) => name).sort()).toEqual(['POST /v1/tool/call', 'execute_tool echo', 'post_tool_call']);
  const [server, operation, tool] = ['POST /v1/tool/call', 'post_tool_call', 'execute_tool echo'].map(
    (name) => mine.find((each) => each.name === name) as Sent,
  );
  expect([server?.parentSpanId, operation?.parentSpanId, tool?.parentSpanId]).toEqual([
    'b7ad6b7169203331',
    server?.spanId,
    operation?.spanId,
  ]);
  expect(server?.kind).toBe(2);
  expect(attribute(server as Sent, 'http.route')).toBe('/v1/tool/call');
  expect(Number(attribute(server as Sent, 'http.response.status_code'))).toBe(200);
  expect(attribute(tool as Sent, 'gen_ai.tool.name')).toBe('echo');
  const failed = spans.filter(({ name, status }) => name === 'execute_tool echo' && status?.code === 2);
  expect(failed).toHaveLength(1);
  expect(spans.some(({ name }) => name === 'POST /v1/mcp')).toBe(true);

  const everything = bodies.join('\n');
  expect(everything).toContain('"hanzo-cloud"');
  expect(everything).not.toMatch(/canary/);
  expect(everything).not.toContain(made.firstKey?.slice(0, 20));
});

/** Registers a server that only writes down which trace it was asked in, and has it asked for its tools. */
async function askedThrough(flags: readonly string[]): Promise<{ made: Plane; asked: (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers['traceparent'] as string | undefined);
    response.statusCode = 404;
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanup.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const made = await plane(...flags, '--allow-private', `127.0.0.1:${port}`);
  const body = { name: 'Nobody', url: `http://127.0.0.1:${port}/mcp?secret=canary` };
  expect((await ask(made, '/v1/tool/mcp/servers', body)).status).toBe(201);
  expect((await ask(made, '/v1/tool', undefined, 'GET')).status).toBe(200);
  expect(asked.length).toBeGreaterThan(0);
  return { made, asked };
}

test('who is asked by the plane is told the trace, and is a span', async () => {
  const { url, spans } = await collector();
  const { made, asked } = await askedThrough(['--otlp', url]);
  await made.close();
  const outgoing = spans.filter(({ kind }) => kind === 3);
  expect(outgoing.length).toBeGreaterThan(0);
  for (const header of asked) {
    const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(header ?? '') ?? [];
    expect(outgoing.some((each) => each.traceId === traceId && each.spanId === spanId)).toBe(true);
  }
  expect(JSON.stringify(spans)).not.toContain('canary');
});

test('without the setting nobody is told of any trace', async () => {
  const { asked } = await askedThrough([]);
  expect(asked.filter((header) => header !== undefined)).toEqual([]);
});

test('a collector that never answers, and one that is not there, hold up neither a call nor the end', async () => {
  for (const url of [(await collector(false)).url, 'http://127.0.0.1:1']) {
    const made = await plane('--otlp', url);
    for (let i = 0; i < 20; i++) expect((await ask(made, '/v1/tool', undefined, 'GET')).status).toBe(200);
    await made.close();
  }
});
