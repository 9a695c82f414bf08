// What each revision is answered: the same host, said in the words of its client. Every answer fits the SDK's schemas.
import {
  CallToolResultSchema,
  CompleteResultSchema,
  DiscoverResultSchema,
  GetPromptResultSchema,
  InitializeResultSchema,
  JSONRPCMessageSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
  SubscriptionsAcknowledgedNotificationSchema,
} from '@modelcontextprotocol/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTestHost, question } from './host.ts';
import { type Json, modern, openWire, type Wire } from './wire.ts';

interface Schema {
  parse(value: unknown): unknown;
}

const RESULTS: readonly (readonly [string, Json, Schema])[] = [
  ['tools/list', {}, ListToolsResultSchema],
  ['tools/call', { name: 'echo' }, CallToolResultSchema],
  ['tools/call', { name: 'boom' }, CallToolResultSchema],
  ['tools/call', { name: 'media' }, CallToolResultSchema],
  ['tools/call', { name: 'number' }, CallToolResultSchema],
  ['resources/list', {}, ListResourcesResultSchema],
  ['resources/templates/list', {}, ListResourceTemplatesResultSchema],
  ['resources/read', { uri: 'test://a' }, ReadResourceResultSchema],
  ['prompts/list', {}, ListPromptsResultSchema],
  ['prompts/get', { name: 'greet', arguments: { who: 'Ada' } }, GetPromptResultSchema],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'A' } },
    CompleteResultSchema,
  ],
];

const taken = new WeakSet<Json>();
/** The next request of the server's own that has not been looked at yet. */
const asked = async (wire: Wire, method: string): Promise<Json> => {
  const request = await wire.wait((each) => each['method'] === method && !taken.has(each));
  taken.add(request);
  return request;
};

const accept = (name: unknown): Json => ({ action: 'accept', content: { name } });

const listen = (wire: Wire, id: string | number, notifications: Json): void =>
  wire.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: modern({ notifications }) });

const idOf = (message: Json): unknown => message['params']?._meta?.['io.modelcontextprotocol/subscriptionId'];

const open: Wire[] = [];
const wireTo = (host = createTestHost()): Wire => {
  const wire = openWire({ host, grace: 0 });
  open.push(wire);
  return wire;
};
afterEach(async () => {
  vi.useRealTimers();
  const wires = open.splice(0);
  await Promise.all(wires.map((each) => each.end()));
  for (const message of wires.flatMap((each) => each.messages)) {
    // The SDK's schema has no null id, which JSON-RPC demands where an id could not be read.
    if (message['id'] !== null) JSONRPCMessageSchema.parse(message);
  }
});

describe.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('%s', (version) => {
  test('every result fits its schema and has nothing of the newer era', async () => {
    const wire = wireTo();
    InitializeResultSchema.parse((await wire.initialize({}, version))['result']);
    let id = 0;
    for (const [method, params, schema] of RESULTS) {
      const { result } = await wire.ask(++id, method, params);
      schema.parse(result);
      expect(Object.keys(result)).not.toEqual(expect.arrayContaining(['resultType']));
      expect(result).not.toHaveProperty('ttlMs');
      expect(result).not.toHaveProperty('_meta');
    }
    for (const method of ['ping', 'resources/subscribe', 'resources/unsubscribe', 'logging/setLevel']) {
      expect((await wire.ask(++id, method, { uri: 'test://a', level: 'info' }))['result']).toEqual({});
    }
  });

  test('an unknown resource is -32002 and names its uri; an unknown prompt is -32602', async () => {
    const wire = wireTo();
    await wire.initialize({}, version);
    expect((await wire.ask(1, 'resources/read', { uri: 'test://no' }))['error']).toEqual({
      code: -32002,
      message: 'Resource not found: test://no',
      data: { uri: 'test://no' },
    });
    expect((await wire.ask(2, 'prompts/get', { name: 'no' }))['error'].code).toBe(-32602);
    expect((await wire.ask(3, 'prompts/get', { name: 'greet', arguments: { who: 7 } }))['error'].code).toBe(-32602);
  });

  test('output that is no object is wrapped, its schema left out', async () => {
    const wire = wireTo();
    await wire.initialize({}, version);
    const { tools } = (await wire.ask(1, 'tools/list'))['result'];
    expect(tools.find((each: Json) => each['name'] === 'number')).not.toHaveProperty('outputSchema');
    expect((await wire.ask(2, 'tools/call', { name: 'number' }))['result']).toEqual({
      content: [{ type: 'text', text: '7' }],
      structuredContent: { result: 7 },
    });
  });

  test('questions are requests; answers go to the call; what does not fit the form fails it', async () => {
    const wire = wireTo();
    await wire.initialize({ elicitation: {} }, version);
    const call = wire.ask(1, 'tools/call', { name: 'ask-twice' });
    for (const name of ['Ada', 'Bob']) {
      const { id, ...request } = await asked(wire, 'elicitation/create');
      expect(request).toEqual({ jsonrpc: '2.0', ...question('Who?') });
      wire.send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name } } });
    }
    expect((await call)['result'].content[0].text).toBe('Ada and Bob');

    for (const [result, why] of [
      [{ action: 'accept', content: {} }, 'content needs name'],
      [{ action: 'accept', content: { name: 7 } }, 'name must be a string'],
      [{ action: 'accept', content: { name: 'A' } }, 'name must be at least 2 characters'],
      [{ action: 'maybe' }, 'action must be accept, decline or cancel'],
      [7, 'the answer is not an object'],
    ] as const) {
      const bad = wire.ask(2, 'tools/call', { name: 'ask' });
      const { id } = await asked(wire, 'elicitation/create');
      wire.send({ jsonrpc: '2.0', id, result });
      expect((await bad)['result']).toEqual({
        content: [{ type: 'text', text: `Error executing ask: The client's answer does not fit: ${why}` }],
        isError: true,
      });
    }
  });

  test('a host that returns its questions is bridged to requests, its state kept', async () => {
    const wire = wireTo();
    await wire.initialize({ elicitation: {} }, version);
    const call = wire.ask(1, 'tools/call', { name: 'rounds' });
    const { id } = await asked(wire, 'elicitation/create');
    wire.send({ jsonrpc: '2.0', id, result: { action: 'decline' } });
    expect((await call)['result'].content[0].text).toBe('state kept, decline');
  });

  test('a client is never asked for what it did not declare', async () => {
    const wire = wireTo();
    await wire.initialize({ elicitation: { url: {} } }, version);
    for (const [name, what] of [
      ['ask', 'elicitation'],
      ['sample', 'sampling'],
      ['rounds', 'elicitation'],
    ]) {
      const { result } = await wire.ask(1, 'tools/call', { name });
      expect(result).toMatchObject({ isError: true });
      expect(result.content[0].text).toBe(`Error executing ${name}: The client has to support: ${what}`);
    }
    expect(wire.messages.filter((each) => 'method' in each)).toEqual([]);
  });

  test('roots are asked for once, and again when they have changed', async () => {
    const wire = wireTo();
    await wire.initialize({ roots: { listChanged: true } }, version);
    const answer = async (uri: string): Promise<void> => {
      const { id } = await asked(wire, 'roots/list');
      wire.send({ jsonrpc: '2.0', id, result: { roots: [{ uri, name: 'x' }, { bad: 1 }] } });
    };
    const [first] = await Promise.all([wire.ask(1, 'tools/call', { name: 'roots' }), answer('file:///a')]);
    expect(first['result'].content[0].text).toBe('["file:///a"]');
    expect((await wire.ask(2, 'tools/call', { name: 'roots' }))['result'].content[0].text).toBe('["file:///a"]');
    wire.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
    const [third] = await Promise.all([wire.ask(3, 'tools/call', { name: 'roots' }), answer('file:///b')]);
    expect(third['result'].content[0].text).toBe('["file:///b"]');
    expect(wire.messages.filter((each) => each['method'] === 'roots/list')).toHaveLength(2);
  });
});

const media = async (version: string): Promise<string[]> => {
  const wire = wireTo();
  await wire.initialize({}, version);
  const { result } = await wire.ask(1, 'tools/call', { name: 'media' });
  return result.content.map((each: Json) => each['type']);
};

test('content that a revision does not know is said in older words', async () => {
  expect(await media('2025-11-25')).toEqual(['audio', 'resource_link']);
  expect(await media('2025-06-18')).toEqual(['audio', 'resource_link']);
  expect(await media('2025-03-26')).toEqual(['audio', 'text']);
  expect(await media('2024-11-05')).toEqual(['resource', 'text']);
});

describe('2026-07-28', () => {
  test('every result fits its schema, says that it is complete, and names the server', async () => {
    const wire = wireTo();
    let id = 0;
    for (const [method, params, schema] of RESULTS) {
      const { result } = await wire.ask(++id, method, modern(params));
      schema.parse(result);
      expect(result.resultType).toBe('complete');
      expect(result._meta).toEqual({ 'io.modelcontextprotocol/serverInfo': { name: 'test-host', version: '1.2.3' } });
      const cacheable = /list$|read$/.test(method);
      expect([result.ttlMs, result.cacheScope]).toEqual(cacheable ? [0, 'private'] : [undefined, undefined]);
    }
  });

  test('discover tells the versions of this era only, and settles nothing', async () => {
    const wire = wireTo();
    const { result } = await wire.ask(1, 'server/discover', modern());
    DiscoverResultSchema.parse(result);
    expect(result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      instructions: 'Use the tools.',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test-host', version: '1.2.3' } },
    });
    expect((await wire.initialize())['result'].protocolVersion).toBe('2025-11-25');
  });

  test('a connection of this era does not go back to a handshake', async () => {
    const wire = wireTo();
    await wire.ask(1, 'tools/list', modern());
    expect((await wire.ask(2, 'initialize', { protocolVersion: '2025-11-25' }))['error']).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2025-11-25' },
    });
    expect((await wire.ask(3, 'tools/list'))['error'].code).toBe(-32602);
  });

  test('a version that was refused settles nothing either', async () => {
    const wire = wireTo();
    const newer = modern({}, {}, { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' });
    expect((await wire.ask(1, 'tools/list', newer))['error'].code).toBe(-32022);
    expect((await wire.initialize())['result'].protocolVersion).toBe('2025-11-25');
  });

  test('a connection that began with a handshake serves a stray request of this era and goes on', async () => {
    const wire = wireTo();
    await wire.initialize();
    expect((await wire.ask(1, 'tools/list', modern()))['result'].resultType).toBe('complete');
    expect((await wire.ask(2, 'ping'))['result']).toEqual({});
  });

  test.each([
    [{}, -32602, /needs .*protocolVersion and .*clientCapabilities/],
    [{ _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } }, -32602, /must be a string/],
    [{ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, -32602, /needs .*clientCapabilities/],
    [modern({}, {}, { 'io.modelcontextprotocol/clientCapabilities': [] }), -32602, /must be an object/],
    [modern({}, {}, { 'io.modelcontextprotocol/clientInfo': 'me' }), -32602, /name and version/],
    [modern({}, {}, { 'io.modelcontextprotocol/logLevel': 'loud' }), -32602, /must be one of: debug/],
    [modern({}, {}, { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' }), -32022, /Supported: 2026-07-28/],
    [modern({}, {}, { 'io.modelcontextprotocol/protocolVersion': 'v999' }), -32022, /Supported: 2026-07-28/],
  ])('an unsound envelope is refused, never served as something else (%#)', async (params, code, message) => {
    const wire = wireTo();
    const { id, error } = await wire.ask('x', 'server/discover', params);
    expect([id, error.code]).toEqual(['x', code]);
    expect(error.message).toMatch(message);
  });

  test('clientInfo may be missing, unknown capabilities and other metadata are let through', async () => {
    const wire = wireTo();
    const params = modern({}, { roots: { listChanged: true }, unheard: 7 }, { traceparent: '00-1-2-3', 'x/y': [] });
    delete params['_meta']['io.modelcontextprotocol/clientInfo'];
    expect((await wire.ask(1, 'server/discover', params))['result'].resultType).toBe('complete');
  });

  test.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/get',
    '__proto__',
  ])('%s does not exist', async (method) => {
    const wire = wireTo();
    expect((await wire.ask(1, method, modern({ uri: 'test://a', level: 'info' })))['error'].code).toBe(-32601);
  });

  test('an unknown tool, prompt or resource is -32602; a broken tool is a failed call', async () => {
    const wire = wireTo();
    const error = async (method: string, params: Json): Promise<Json> =>
      (await wire.ask(1, method, modern(params)))['error'] as Json;
    expect(await error('tools/call', { name: 'constructor' })).toEqual({
      code: -32602,
      message: 'Unknown tool: constructor',
    });
    expect((await error('prompts/get', { name: 'no' }))['code']).toBe(-32602);
    expect(await error('resources/read', { uri: 'test://no' })).toMatchObject({
      code: -32602,
      data: { uri: 'test://no' },
    });
    expect((await wire.ask(2, 'tools/call', modern({ name: 'boom' })))['result']).toMatchObject({ isError: true });
  });

  test('what a host does not have does not exist', async () => {
    const wire = openWire({
      host: { info: { name: 'bare', version: '0' }, list: async () => [], call: async () => ({ content: [] }) },
    });
    for (const method of ['prompts/list', 'resources/list', 'resources/read', 'completion/complete']) {
      expect((await wire.ask(1, method, modern()))['error'].code).toBe(-32601);
      expect((await wire.ask(2, 'server/discover', modern()))['result'].capabilities).toEqual({ tools: {} });
    }
    await wire.end();
  });

  test('log messages are sent at the level the request asks for, and not at all where it asks for none', async () => {
    const wire = wireTo();
    await wire.ask(1, 'tools/call', modern({ name: 'say' }));
    expect(wire.messages).toHaveLength(1);
    await wire.ask(2, 'tools/call', modern({ name: 'say' }, {}, { 'io.modelcontextprotocol/logLevel': 'info' }));
    expect(wire.messages.filter((each) => each['method'] === 'notifications/message')).toHaveLength(1);
  });

  test('completions are cut at a hundred, and say so', async () => {
    const wire = wireTo();
    const params = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'A' } };
    const { completion } = (await wire.ask(1, 'completion/complete', modern(params)))['result'];
    expect([completion.values.length, completion.total, completion.hasMore]).toEqual([100, 150, true]);
    expect((await wire.ask(2, 'completion/complete', modern({ ref: {} })))['error'].code).toBe(-32602);
  });
});

describe('rounds of 2026-07-28', () => {
  const can = { elicitation: {} };
  const call = (name: string, more: Json = {}): Json => modern({ name, ...more }, can);

  test('a question ends the call; the retry with the answer completes it', async () => {
    const wire = wireTo();
    const { result } = await wire.ask(1, 'tools/call', call('ask'));
    expect(Object.keys(result).sort()).toEqual(['_meta', 'inputRequests', 'requestState', 'resultType']);
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { who: question('Who?') } });
    const answered = { inputResponses: { who: accept('Ada') }, requestState: result.requestState };
    expect((await wire.ask(2, 'tools/call', call('ask', answered)))['result'].content[0].text).toBe('Hello, Ada');
  });

  test('answers that come on first contact are taken; unknown keys are passed over', async () => {
    const wire = wireTo();
    const early = { inputResponses: { who: accept('Ada'), other: accept('x'), __proto__: 1 } };
    expect((await wire.ask(1, 'tools/call', call('ask', early)))['result'].content[0].text).toBe('Hello, Ada');
  });

  test.each([
    [{ wrong: accept('Ada') }],
    [{ who: 12345 }],
    [{ who: accept(7) }],
    [{ who: accept('A') }],
    [{ who: { action: 'accept' } }],
    [{ who: { action: 'perhaps' } }],
    [{}],
    [null],
  ])('an answer that does not fit is asked for again (%#)', async (inputResponses) => {
    const wire = wireTo();
    const first = (await wire.ask(1, 'tools/call', call('ask')))['result'];
    for (const requestState of [undefined, first.requestState]) {
      const more = { inputResponses, ...(requestState ? { requestState } : {}) };
      const { result } = await wire.ask(2, 'tools/call', call('ask', more));
      expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { who: question('Who?') } });
    }
  });

  test('answers of earlier rounds are remembered; one answer never serves two questions', async () => {
    const wire = wireTo();
    const one = (await wire.ask(1, 'tools/call', call('ask-twice', { inputResponses: { who: accept('Ada') } })))[
      'result'
    ];
    expect(one.resultType).toBe('input_required');
    const more = { inputResponses: { who: accept('Bob') }, requestState: one.requestState };
    expect((await wire.ask(2, 'tools/call', call('ask-twice', more)))['result'].content[0].text).toBe('Ada and Bob');

    const start = (await wire.ask(3, 'tools/call', call('ask-twice')))['result'];
    const first = { inputResponses: { who: accept('Cid') }, requestState: start.requestState };
    const second = (await wire.ask(4, 'tools/call', call('ask-twice', first)))['result'];
    expect(second.requestState).not.toBe(start.requestState);
    const last = { inputResponses: { who: accept('Dan') }, requestState: second.requestState };
    expect((await wire.ask(5, 'tools/call', call('ask-twice', last)))['result'].content[0].text).toBe('Cid and Dan');
  });

  test("a host's own state comes back to it, and only to it", async () => {
    const wire = wireTo();
    const { result } = await wire.ask(1, 'tools/call', call('rounds'));
    expect(result.requestState).not.toContain('round 1');
    const more = { inputResponses: { who: { action: 'cancel' } }, requestState: result.requestState };
    expect((await wire.ask(2, 'tools/call', call('rounds', more)))['result'].content[0].text).toBe(
      'state kept, cancel',
    );
  });

  test('prompts may ask too', async () => {
    const wire = wireTo();
    const { result } = await wire.ask(1, 'prompts/get', modern({ name: 'greet' }, can));
    expect(result.resultType).toBe('input_required');
    const more = { name: 'greet', inputResponses: { who: accept('Ada') }, requestState: result.requestState };
    expect((await wire.ask(2, 'prompts/get', modern(more, can)))['result'].messages[0].content.text).toBe('Greet Ada');
  });

  test('a state that is changed, of another request, of another process or out of date is -32602', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const wire = wireTo();
    const { requestState } = (await wire.ask(1, 'tools/call', call('ask', { arguments: { a: 1, b: { c: 2, d: 3 } } })))[
      'result'
    ];
    const other = wireTo();
    const state = String(requestState);
    const retry = async (
      to: Wire,
      stated: unknown,
      params: Json = { arguments: { b: { d: 3, c: 2 }, a: 1 } },
      name = 'ask',
    ): Promise<number | string> => {
      const more = { ...params, inputResponses: { who: accept('Ada') }, requestState: stated };
      const { error, result } = await to.ask(2, 'tools/call', call(name, more));
      return error?.code ?? result.content[0].text;
    };
    expect(await retry(wire, state)).toBe('Hello, Ada');
    for (const bad of [
      `${state}-TAMPERED`,
      `${state}A`,
      `${state}=`,
      `x${state}`,
      state.slice(0, -1),
      '',
      '.',
      'a.b',
      7,
      {},
    ]) {
      expect(await retry(wire, bad)).toBe(-32602);
    }
    expect(await retry(wire, state.toUpperCase())).toBe(-32602);
    expect(await retry(wire, state, { arguments: { a: 2, b: { c: 2, d: 3 } } })).toBe(-32602);
    expect(await retry(wire, state, {})).toBe(-32602);
    expect(await retry(wire, state, undefined, 'ask-twice')).toBe(-32602);
    expect(await retry(other, state)).toBe(-32602);
    vi.setSystemTime(Date.now() + 3_600_001);
    expect(await retry(wire, state)).toBe(-32602);
  });

  test('a client is never asked for what the request does not declare: -32021 says what is missing', async () => {
    const wire = wireTo();
    const missing = async (name: string, capabilities: Json): Promise<unknown> => {
      const { error } = await wire.ask(1, 'tools/call', modern({ name }, capabilities));
      return [error.code, error.data.requiredCapabilities];
    };
    expect(await missing('sample', {})).toEqual([-32021, { sampling: {} }]);
    expect(await missing('ask', { sampling: {} })).toEqual([-32021, { elicitation: { form: {} } }]);
    expect(await missing('ask', { elicitation: { url: {} } })).toEqual([-32021, { elicitation: { form: {} } }]);
    expect(await missing('rounds', {})).toEqual([-32021, { elicitation: { form: {} } }]);
    const { result } = await wire.ask(2, 'tools/call', modern({ name: 'ask' }, { elicitation: { form: {}, url: {} } }));
    expect(result.resultType).toBe('input_required');
  });

  test('parallel calls keep their questions apart', async () => {
    const wire = wireTo();
    const first = await Promise.all(
      [1, 2, 3].map((id) => wire.ask(id, 'tools/call', call('ask', { arguments: { id } }))),
    );
    const answers = await Promise.all(
      first.map(({ result }, index) =>
        wire.ask(10 + index, 'tools/call', {
          ...call('ask', { arguments: { id: index + 1 } }),
          inputResponses: { who: accept(`No. ${index}`) },
          requestState: result.requestState,
        }),
      ),
    );
    expect(answers.map(({ result }) => result.content[0].text)).toEqual([
      'Hello, No. 0',
      'Hello, No. 1',
      'Hello, No. 2',
    ]);
  });
});

describe('listening on 2026-07-28', () => {
  test('many share one connection; each hears what it asked for, under its own id', async () => {
    const host = createTestHost();
    const wire = wireTo(host);
    listen(wire, 1, { toolsListChanged: true });
    listen(wire, '1', { promptsListChanged: true, toolsListChanged: false });
    const acknowledged = await Promise.all([1, '1'].map((id) => wire.wait((each) => idOf(each) === id)));
    for (const each of acknowledged) SubscriptionsAcknowledgedNotificationSchema.parse(each);
    expect(acknowledged.map(({ params }) => params.notifications)).toEqual([
      { toolsListChanged: true },
      { promptsListChanged: true },
    ]);
    host.change({ kind: 'tools' });
    host.change({ kind: 'prompts' });
    host.change({ kind: 'resources' });
    await wire.ask(2, 'server/discover', modern());
    const heard = wire.messages.filter((each) => String(each['method']).endsWith('list_changed'));
    expect(heard.map((each) => [idOf(each), each['method']])).toEqual([
      [1, 'notifications/tools/list_changed'],
      ['1', 'notifications/prompts/list_changed'],
    ]);
  });

  test('a cancelled one falls silent without an answer; the end of serving closes the others with a result', async () => {
    const host = createTestHost();
    const wire = wireTo(host);
    listen(wire, 1, { toolsListChanged: true });
    listen(wire, 2, { toolsListChanged: true });
    await wire.wait((each) => idOf(each) === 2);
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await wire.ask(3, 'server/discover', modern());
    host.change({ kind: 'tools' });
    await wire.end();
    const heard = wire.messages.filter((each) => each['method'] === 'notifications/tools/list_changed');
    expect(heard.map(idOf)).toEqual([2]);
    expect(wire.messages.filter((each) => 'result' in each && each['id'] !== 3)).toEqual([
      {
        jsonrpc: '2.0',
        id: 2,
        result: {
          resultType: 'complete',
          _meta: {
            'io.modelcontextprotocol/serverInfo': { name: 'test-host', version: '1.2.3' },
            'io.modelcontextprotocol/subscriptionId': 2,
          },
        },
      },
    ]);
  });

  test('more at once than there is room for are refused; one that ends gives its place back', async () => {
    const wire = wireTo();
    for (let id = 1; id <= 1025; id++) listen(wire, id, {});
    expect((await wire.wait((each) => 'error' in each))['error']).toMatchObject({ code: -32603 });
    expect(wire.messages.filter((each) => idOf(each) !== undefined)).toHaveLength(1024);
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 500 } });
    listen(wire, 'one more', {});
    await wire.wait((each) => idOf(each) === 'one more');
  });

  test('what the server cannot tell of is left out of the acknowledgement', async () => {
    const wire = openWire({
      host: { info: { name: 'bare', version: '0' }, list: async () => [], call: async () => ({ content: [] }) },
    });
    listen(wire, 1, { toolsListChanged: true, resourceSubscriptions: ['test://a'] });
    expect((await wire.wait((each) => idOf(each) === 1))['params'].notifications).toEqual({});
    await wire.end();
  });

  test.each([
    [undefined],
    [[]],
    [{ toolsListChanged: 1 }],
    [{ resourceSubscriptions: 'test://a' }],
    [{ resourceSubscriptions: [1] }],
  ])('a filter of the wrong form is -32602 (%#)', async (notifications) => {
    const wire = wireTo();
    expect((await wire.ask(1, 'subscriptions/listen', modern({ notifications })))['error'].code).toBe(-32602);
  });
});
