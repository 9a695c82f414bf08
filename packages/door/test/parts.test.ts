// The smaller parts on their own, where the wire would make a test slow or roundabout.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { action, defineTool, type Tool } from '@hanzo/tool';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { shown } from '../src/core/rpc.ts';
import { createService } from '../src/core/service.ts';
import { declarations } from '../src/eras/2026-07-28/param-headers.ts';
import { misfit } from '../src/eras/answers.ts';
import { createRoots } from '../src/eras/legacy/roots.ts';
import { createExchange, type Exchange } from '../src/http/exchange.ts';
import { createSessions } from '../src/http/sessions.ts';
import type { Host } from '../src/index.ts';
import { createTestHost, question } from './host.ts';
import { type Json, modern, openWire } from './wire.ts';

const HTTP_ACCEPTS = { json: true, stream: true };

test('a quiet stream is kept alive with comments, a slow answer becomes a stream', async () => {
  const track = new Set<Exchange>();
  const server = createServer((_request, response) => void createExchange(response, HTTP_ACCEPTS, track));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pending = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  while (track.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const [exchange] = track;
  const start = Date.now();
  exchange!.tick(start + 5000);
  exchange!.tick(start + 11_000);
  const response = await pending;
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  exchange!.tick(start + 16_000);
  exchange!.finish('{"late":true}', 400);
  expect(await response.text()).toBe(': keep-alive\n\nevent: message\ndata: {"late":true}\n\n');
  expect(track.size).toBe(0);
  server.close();
});

test('a session that nobody uses expires, one that is in use does not', () => {
  const sessions = createSessions(createService({ host: createTestHost() }), { idle: 1000 });
  const caller = { id: 'local' };
  const [idle, busy] = [sessions.create(caller), sessions.create(caller)];
  sessions.admit(idle);
  sessions.admit(busy);
  const flight = busy.flights.open(1);
  sessions.expire(Date.now() + 500);
  expect(sessions.all()).toHaveLength(2);
  sessions.expire(Date.now() + 5000);
  expect(sessions.all()).toEqual([busy]);
  flight.close();
  sessions.expire(Date.now() + 5000);
  expect(() => sessions.find(busy.id, caller)).toThrow(/send initialize again/);
});

test('a client that does not name its roots costs one short wait, and its late answer is not lost', async () => {
  vi.useFakeTimers();
  try {
    const roots = createRoots();
    const { promise, resolve } = Promise.withResolvers<Json>();
    const ask = vi.fn(() => promise);
    const first = roots.get(ask);
    await vi.advanceTimersByTimeAsync(2001);
    expect(await first).toEqual([]);
    expect(await roots.get(ask)).toEqual([]);
    resolve({ roots: { roots: [{ uri: 'file:///late' }] } });
    await vi.advanceTimersByTimeAsync(0);
    expect(await roots.get(ask)).toEqual(['file:///late']);
    expect(ask).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a refusal to name roots is asked about again at the next call', async () => {
  const roots = createRoots();
  expect(await roots.get(() => Promise.reject(new Error('no')))).toEqual([]);
  expect(await roots.get(async () => ({ roots: { roots: [{ uri: 'file:///a' }] } }))).toEqual(['file:///a']);
});

const declared = (inputSchema: Json): string[] =>
  declarations({ name: 't', description: '', inputSchema } as Tool).map(
    ({ name, path }) => `${name}=${path.join('.')}`,
  );

const leaf = (name: unknown, type: unknown = 'string'): Json => ({ type, 'x-mcp-header': name });
const object = (properties: Json): Json => ({ type: 'object', properties });

test('x-mcp-header counts on properties reached through properties', () => {
  expect(declared(object({ a: leaf('A'), b: object({ c: leaf('C', 'integer') }), d: { type: 'string' } }))).toEqual([
    'A=a',
    'C=b.c',
  ]);
  for (const bad of [
    leaf(''),
    leaf('a b'),
    leaf('a:b'),
    leaf('é'),
    leaf('a\tb'),
    leaf(7),
    leaf('X', 'object'),
    leaf('X', 'array'),
    leaf('X', null),
    { 'x-mcp-header': 'X' },
  ]) {
    expect(declared(object({ fine: leaf('Fine'), bad }))).toEqual([]);
  }
  expect(declared(object({ a: leaf('Same'), b: leaf('same') }))).toEqual([]);
  for (const out of [
    { ...object({}), 'x-mcp-header': 'Root' },
    object({ a: { type: 'array', items: leaf('In') } }),
    object({ a: { anyOf: [leaf('In')] } }),
    { ...object({ fine: leaf('Fine') }), $defs: { a: leaf('In') } },
    { ...object({ fine: leaf('Fine') }), additionalProperties: leaf('In') },
    { ...object({ fine: leaf('Fine') }), if: object({ a: leaf('In') }) },
  ]) {
    expect(declared(out)).toEqual([]);
  }
  // A property may itself be called like the keyword.
  expect(declared(object({ 'x-mcp-header': { type: 'string' } }))).toEqual([]);
  expect(declared(object({ a: leaf('A'), properties: object({ 'x-mcp-header': leaf('B') }) }))).toEqual([
    'A=a',
    'B=properties.x-mcp-header',
  ]);
});

test.each([
  [{ type: 'string', enum: ['a', 'b'] }, 'a', undefined],
  [{ type: 'string', enum: ['a', 'b'] }, 'c', 'x must be one of: a, b'],
  [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, 'A', 'x must be one of: a'],
  [{ type: 'string', maxLength: 2 }, '🐎🐎', undefined],
  [{ type: 'string', maxLength: 2 }, 'abc', 'x must be at most 2 characters'],
  [{ type: 'integer' }, 1.5, 'x must be an integer'],
  [{ type: 'integer', minimum: 3 }, 2, 'x must be at least 3'],
  [{ type: 'number' }, 1.5, undefined],
  [{ type: 'number' }, '1', 'x must be a number'],
  [{ type: 'boolean' }, 'true', 'x must be true or false'],
  [{ type: 'array', items: { type: 'string', enum: ['a'] } }, ['a', 'b'], 'x must be one of: a'],
  [{ type: 'array', items: { anyOf: [{ const: 'a' }] }, minItems: 1 }, [], 'x must be at least 1 choices'],
  [{ type: 'array' }, 'a', 'x must be an array'],
  [{}, { any: 1 }, undefined],
])('%j against %j: %s', (schema, value, wrong) => {
  const asked = {
    method: 'elicitation/create' as const,
    params: { requestedSchema: { type: 'object', properties: { x: schema } } },
  };
  expect(misfit(asked, { action: 'accept', content: { x: value } })).toBe(wrong);
  expect(misfit(asked, { action: 'decline' })).toBe(undefined);
});

test('an action of a tool made with defineTool may ask, in both eras', async () => {
  const tool = defineTool<undefined>({
    name: 'greet',
    title: 'Greet',
    summary: 'Greets',
    actions: {
      hello: action({
        summary: 'Says hello',
        input: z.object({}),
        effect: 'read',
        run: async (ctx) => ({ data: { answer: (await ctx.ask({ who: question('Who?') }))['who'] } }),
      }),
    },
  });
  const host: Host = {
    info: { name: 'defined', version: '1' },
    list: async () => [tool.describe()],
    call: (_caller, _name, args, context) => tool.call(args, { context, env: undefined }),
  };
  const answer = { action: 'accept', content: { name: 'Ada' } };
  const params = { name: 'greet', arguments: { action: 'hello' } };

  const newer = openWire({ host });
  const { result } = await newer.ask(1, 'tools/call', modern(params, { elicitation: {} }));
  expect(result.resultType).toBe('input_required');
  const retry = { ...params, inputResponses: { who: answer }, requestState: result.requestState };
  const done = await newer.ask(2, 'tools/call', modern(retry, { elicitation: {} }));
  expect(JSON.parse(done['result'].content[0].text).data).toEqual({ answer });
  await newer.end();

  const older = openWire({ host });
  await older.initialize({ elicitation: {} });
  const call = older.ask(1, 'tools/call', params);
  const asked = await older.wait((each) => each['method'] === 'elicitation/create');
  older.send({ jsonrpc: '2.0', id: asked['id'], result: answer });
  expect(JSON.parse((await call)['result'].content[0].text).data).toEqual({ answer });
  await older.end();
});

test('a name in a message is short and never half a code point', () => {
  expect(shown('fs')).toBe('fs');
  const cut = shown(`a${'😀'.repeat(200)}`);
  expect(cut.isWellFormed()).toBe(true);
  expect(cut).toMatch(/^a(😀){99}\.\.\.$/u);
});
