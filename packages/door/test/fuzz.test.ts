// Whatever arrives: the connection lives on, every request that can be answered is answered once, nothing else is said.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHttpDoor, type HttpServer, serveHttp } from '../src/index.ts';
import { createTestHost } from './host.ts';
import { type Json, modern, openWire } from './wire.ts';

const METHODS = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/read',
  'resources/list',
  'resources/subscribe',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'notifications/initialized',
  'notifications/cancelled',
  'subscriptions/listen',
  '__proto__',
];
// Not `wait`, which answers only when it is aborted.
const NAMES = ['echo', 'boom', 'count', 'say', 'ask', 'rounds', 'number', 'media', 'greet', 'test://a', 'toString'];
const KEYS = [
  'name',
  'arguments',
  'uri',
  'level',
  'cursor',
  'inputResponses',
  'requestState',
  'notifications',
  'requestId',
  'ref',
  'argument',
  'protocolVersion',
  'capabilities',
  '__proto__',
];

const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...NAMES), fc.constant({}));
const bare = fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 4 });
const params = fc.oneof(
  bare,
  bare.map((given) => modern({ ...given })),
  bare.map((given) => modern({ ...given }, { elicitation: {}, sampling: {}, roots: {} })),
  fc.tuple(bare, fc.jsonValue({ maxDepth: 2 })).map(([given, meta]) => ({ ...given, _meta: meta })),
  fc.jsonValue({ maxDepth: 1 }),
);
const method = fc.oneof(fc.constantFrom(...METHODS), fc.string({ maxLength: 8 }));
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), method, params }, { requiredKeys: ['jsonrpc', 'method'] }),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.integer({ min: -9, max: 9 }),
    result: fc.jsonValue({ maxDepth: 1 }),
  }),
  fc.jsonValue({ maxDepth: 2 }),
);

test('a stdio connection answers every request once, whatever comes between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(message, fc.record({ jsonrpc: fc.constant('2.0'), method, params })), { maxLength: 30 }),
      async (items) => {
        const wire = openWire({ host: createTestHost(), grace: 20 });
        const asked: string[] = [];
        items.forEach((item, index) => {
          const isRequest = index % 2 === 0 && typeof item === 'object' && item !== null && 'method' in item;
          if (!isRequest) return wire.send(item as Json);
          asked.push(`id-${index}`);
          wire.send({ ...item, id: `id-${index}` });
        });
        const probe = await wire.ask('probe', 'server/discover', modern());
        expect(probe['result'].resultType).toBe('complete');
        await wire.end();
        const answers = wire.messages.filter((each) => String(each['id']).startsWith('id-'));
        for (const each of answers) expect('result' in each !== 'error' in each).toBe(true);
        const ids = answers.map((each) => each['id'] as string);
        expect(new Set(ids).size).toBe(ids.length);
        // Only what waits for its client may be left open: a question on the wire, or a subscription that never ends here.
        const questions = wire.messages.some((each) => 'method' in each && 'id' in each);
        if (!questions) expect(ids.sort()).toEqual(asked.sort());
      },
    ),
    { numRuns: 150 },
  );
});

test('random bytes cut anywhere do not end a stdio connection', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), async (chunks) => {
      const wire = openWire({ host: createTestHost(), maxLine: 100 });
      for (const chunk of chunks) wire.write(Buffer.from(chunk));
      wire.write('\n{"jsonrpc":"2.0","id":"p","method":"ping"}\n');
      await wire.wait((each) => each['id'] === 'p');
      await wire.end();
    }),
    { numRuns: 100 },
  );
});

test('an HTTP request is answered once, with a status and a body that belong together', async () => {
  const server: HttpServer = await serveHttp({ host: createTestHost(), port: 0, token: null });
  const header = fc.oneof(
    fc.constantFrom('2026-07-28', '2025-11-25', '2025-03-26', 'v999', 'tools/call', 'echo'),
    fc.constant(undefined),
  );
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(message, fc.array(message, { maxLength: 4 })),
        fc.boolean(),
        header,
        header,
        async (item, request, version, name) => {
          // A subscription stays open by design.
          fc.pre(!JSON.stringify(item).includes('subscriptions/listen'));
          const body =
            request && typeof item === 'object' && item !== null && !Array.isArray(item) ? { ...item, id: 1 } : item;
          const response = await fetch(server.url, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...(version === undefined
                ? {}
                : {
                    'mcp-protocol-version': version,
                    'mcp-method': String((item as Json | null)?.['method']).replace(/[^ -~]/g, ''),
                  }),
              ...(name === undefined ? {} : { 'mcp-name': name }),
            },
            body: JSON.stringify(body),
          });
          const text = await response.text();
          if (response.status === 202) return void expect(text).toBe('');
          expect([200, 400, 404]).toContain(response.status);
          const answer = JSON.parse(text) as Json;
          const failed = !Array.isArray(answer) && 'error' in answer;
          if (response.status >= 400) expect(failed).toBe(true);
          if (!Array.isArray(answer)) expect(answer['jsonrpc']).toBe('2.0');
        },
      ),
      { numRuns: 300 },
    );
  } finally {
    await server.close();
  }
});

test('a door handed a request it cannot place answers it all the same', async () => {
  const door = createHttpDoor({ host: createTestHost(), hostname: '127.0.0.1', token: null });
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    Object.defineProperty(request, 'url', { value: undefined });
    void door.handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  expect((await fetch(`http://127.0.0.1:${address.port}/mcp`)).status).toBe(404);
  await door.close(0);
  server.close();
});
