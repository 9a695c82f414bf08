// The wire by hand: which era a message belongs to, the headers that repeat it, and the code and status of every refusal.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, startProgram } from './program.ts';
import { ask, headersFor, META, type Parts, post, request, REVISION } from './raw.ts';

let server: Running;
beforeAll(async () => {
  server = await startProgram(['--conformance']);
});
afterAll(() => server?.close());

const refusal = (status: number, code: number, data?: object): object => ({
  status,
  body: { error: { code, ...(data && { data }) } },
});

describe('the era of a message', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s without a session is not allowed', async (method) => {
    const response = await fetch(server.url, { method, headers: { Accept: 'text/event-stream' } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('POST');
  });

  test('a body that is not JSON is a parse error, and one that says it is no JSON is not looked at', async () => {
    expect(await post(server.url, '{"jsonrpc":')).toMatchObject(refusal(400, -32700));
    expect((await post(server.url, '{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  test('a request that carries the whole envelope is served', async () => {
    const { status, body } = await ask(server.url, 'tools/list', {}, { id: 'a' });
    expect({ status, id: body?.id }).toEqual({ status: 200, id: 'a' });
    expect(body?.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(body?.result?.['_meta']).toHaveProperty([META.serverInfo, 'name'], 'conformance-fixtures');
  });

  test.each<[string, Parts]>([
    ['a version that is no text', { meta: { [META.version]: 7 } }],
    ['no version', { meta: { [META.version]: undefined } }],
    ['no capabilities', { meta: { [META.capabilities]: undefined } }],
    ['capabilities that are no object', { meta: { [META.capabilities]: [] } }],
    ['a client without a version', { meta: { [META.clientInfo]: { name: 'x' } } }],
    ['a log level that is none', { meta: { [META.logLevel]: 'loud' } }],
  ])('an envelope with %s is invalid, never legacy', async (_what, parts) => {
    const headers = { 'MCP-Protocol-Version': typeof parts.meta?.[META.version] === 'number' ? undefined : REVISION };
    expect(await ask(server.url, 'tools/list', {}, { ...parts, headers, id: 9 })).toMatchObject({
      ...refusal(400, -32602),
      body: { id: 9, error: { code: -32602 } },
    });
  });

  test('a client that does not name itself, or has capabilities nobody knows, is served', async () => {
    const { status } = await ask(
      server.url,
      'tools/list',
      {},
      { capabilities: { roots: { listChanged: true }, x: 1 } },
    );
    expect(status).toBe(200);
  });

  test.each(['v999.0.0', '2025-11-25', '2027-01-01'])(
    'revision %s in header and body is not supported',
    async (version) => {
      const parts = { meta: { [META.version]: version }, headers: { 'MCP-Protocol-Version': version } };
      const answer = await ask(server.url, 'server/discover', {}, parts);
      expect(answer).toMatchObject(refusal(400, -32022, { requested: version }));
      const offered = (await ask(server.url, 'server/discover')).body?.result?.['supportedVersions'];
      expect(offered).toEqual(answer.body?.error?.data?.['supported']);
    },
  );

  test('a header that contradicts the body outranks a version that is not supported', async () => {
    const answer = await ask(server.url, 'server/discover', {}, { meta: { [META.version]: 'v999.0.0' } });
    expect(answer).toMatchObject(refusal(400, -32020));
  });

  test('initialize belongs to the session era', async () => {
    expect(await ask(server.url, 'initialize')).toMatchObject(refusal(404, -32601));
    const bare = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    expect(await post(server.url, bare, { 'MCP-Protocol-Version': REVISION })).toMatchObject(refusal(400, -32020));
  });

  test('a request without envelope is legacy, unless its header says otherwise', async () => {
    const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const legacy = await post(server.url, bare);
    expect(legacy.status).toBe(200);
    expect(legacy.body?.result).not.toHaveProperty('resultType');
    expect(legacy.body?.result).not.toHaveProperty('ttlMs');
    const modern = await post(server.url, bare, headersFor('tools/list', {}));
    expect(modern).toMatchObject(refusal(400, -32602));
    expect(modern.body?.error?.message).toContain(META.version);
  });

  test('a notification is accepted without standard headers', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect(await post(server.url, note, { 'MCP-Protocol-Version': REVISION })).toMatchObject({
      status: 202,
      body: undefined,
    });
  });

  test('batches are of 2025-03-26 only, and never hold anything modern', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const batch = await post(server.url, [ping, { ...ping, id: 2 }], { 'MCP-Protocol-Version': '2025-03-26' });
    expect(batch.body).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
    for (const [body, version] of [
      [[], '2025-03-26'],
      [[ping], '2025-11-25'],
      [[ping, request('tools/list')], '2025-03-26'],
      [[request('tools/list')], REVISION],
      [[ping, 7], '2025-03-26'],
    ] as const) {
      expect(await post(server.url, body, { 'MCP-Protocol-Version': version })).toMatchObject(refusal(400, -32600));
    }
  });

  test.each([
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'no/such/method',
    'tasks/list',
  ])('%s does not exist in this revision', async (method) => {
    expect(await ask(server.url, method)).toMatchObject(refusal(404, -32601));
  });
});

const call = (headers: Parts['headers'], args: object = {}, name = 'test_header_parameters'): ReturnType<typeof ask> =>
  ask(server.url, 'tools/call', { name, arguments: args }, { headers });

const encode = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('headers', () => {
  test.each<[string, Parts['headers']]>([
    ['no Mcp-Method', { 'Mcp-Method': undefined }],
    ['the method in other letters', { 'Mcp-Method': 'Tools/Call' }],
    ['another method', { 'Mcp-Method': 'tools/list' }],
    ['no Mcp-Name', { 'Mcp-Name': undefined }],
    ['another name', { 'Mcp-Name': 'test_simple_texT' }],
    ['no version', { 'MCP-Protocol-Version': undefined }],
  ])('%s is a mismatch', async (_what, headers) => {
    expect(await call(headers, {}, 'test_simple_text')).toMatchObject(refusal(400, -32020));
  });

  test('white space around a value is not part of it, and an encoded name is read', async () => {
    expect((await call({ 'Mcp-Name': ' \ttest_simple_text  ' }, {}, 'test_simple_text')).status).toBe(200);
    const encoded = `=?base64?${Buffer.from('test_simple_text').toString('base64')}?=`;
    expect((await call({ 'Mcp-Name': encoded }, {}, 'test_simple_text')).status).toBe(200);
  });

  test('Mcp-Name of a resource is its uri, byte for byte', async () => {
    const uri = 'test://static-text';
    expect((await ask(server.url, 'resources/read', { uri })).status).toBe(200);
    const headers = { 'Mcp-Name': 'test://static%2Dtext' };
    expect(await ask(server.url, 'resources/read', { uri }, { headers })).toMatchObject(refusal(400, -32020));
  });

  const REGION = { region: 'Zürich' };
  test.each<[string, object, Parts['headers']]>([
    ['plain text', { region: 'us west 1' }, { 'Mcp-Param-Region': 'us west 1' }],
    ['encoded text', REGION, { 'Mcp-Param-Region': encode('Zürich') }],
    ['empty text', { region: '' }, { 'Mcp-Param-Region': '' }],
    ['an integer', { region: 'a', priority: 42 }, { 'Mcp-Param-Region': 'a', 'Mcp-Param-Priority': '42.0' }],
    ['a boolean', { region: 'a', verbose: false }, { 'mcp-param-region': 'a', 'mcp-param-verbose': 'false' }],
    ['null', { region: 'a', verbose: null }, { 'Mcp-Param-Region': 'a' }],
    ['half an encoding, which is text', { region: '=?base64?YQ==' }, { 'Mcp-Param-Region': '=?base64?YQ==' }],
    ['a header nobody declared', { region: 'a' }, { 'Mcp-Param-Region': 'a', 'Mcp-Param-Other': 'b' }],
  ])('a declared parameter may be %s', async (_what, args, headers) => {
    expect(await call(headers, args)).toMatchObject({ status: 200, body: { result: { resultType: 'complete' } } });
  });

  test.each<[string, object, Parts['headers']]>([
    ['missing', { region: 'a' }, {}],
    ['different', { region: 'a' }, { 'Mcp-Param-Region': 'b' }],
    ['in other letters', { region: 'a' }, { 'Mcp-Param-Region': 'A' }],
    ['badly padded', REGION, { 'Mcp-Param-Region': '=?base64?WsO8cmljaA?=' }],
    ['of another alphabet', REGION, { 'Mcp-Param-Region': '=?base64?WsO8!mljaA==?=' }],
    ['no number', { region: 'a', priority: 1 }, { 'Mcp-Param-Region': 'a', 'Mcp-Param-Priority': 'one' }],
    ['no boolean', { region: 'a', verbose: true }, { 'Mcp-Param-Region': 'a', 'Mcp-Param-Verbose': 'True' }],
  ])('a declared parameter whose header is %s is a mismatch', async (_what, args, headers) => {
    expect(await call(headers, args)).toMatchObject(refusal(400, -32020));
  });
});

describe('refusals', () => {
  test.each<[string, string, Record<string, unknown>, number, number, object?]>([
    ['an unknown tool', 'tools/call', { name: 'nothing' }, 200, -32602],
    ['arguments that are no object', 'tools/call', { name: 'test_simple_text', arguments: [] }, 200, -32602],
    ['an unknown prompt', 'prompts/get', { name: 'nothing' }, 200, -32602],
    ['a prompt without its argument', 'prompts/get', { name: 'test_prompt_with_arguments' }, 200, -32602],
    ['an unknown resource', 'resources/read', { uri: 'test://nothing' }, 200, -32602, { uri: 'test://nothing' }],
    ['a cursor nobody gave', 'tools/list', { cursor: 'nothing' }, 200, -32602],
    ['a ref of no kind', 'completion/complete', { ref: { type: 'ref/tool' }, argument: {} }, 200, -32602],
  ])('%s', async (_what, method, params, status, code, data) => {
    const answer = await ask(server.url, method, params, { id: 'the id' });
    expect(answer).toMatchObject(refusal(status, code, data));
    expect(answer.body?.id).toBe('the id');
  });

  test('a capability the client has not declared is named as an object', async () => {
    const answer = await ask(server.url, 'tools/call', { name: 'test_missing_capability' }, { capabilities: {} });
    expect(answer).toMatchObject(refusal(400, -32021, { requiredCapabilities: { sampling: {} } }));
  });

  test('a tool that fails is a result', async () => {
    const { status, body } = await ask(server.url, 'tools/call', { name: 'test_error_handling' });
    expect({ status, isError: body?.result?.['isError'] }).toEqual({ status: 200, isError: true });
  });

  test('the session era has its own words', async () => {
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'test://nothing' } };
    expect(await post(server.url, read)).toMatchObject(refusal(200, -32002, { uri: 'test://nothing' }));
    expect((await post(server.url, { jsonrpc: '2.0', id: 1, method: 'ping' })).body?.result).toEqual({});
    expect((await post(server.url, read, { 'Mcp-Session-Id': 'nobody' })).status).toBe(404);
  });
});
