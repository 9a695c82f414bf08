// The stdio transport in process: framing, life cycle, and what a client can do to a connection.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { capabilitiesOf, type Prepared, serveStdio } from '../src/index.ts';
import { createTestHost } from './host.ts';
import { type Json, modern, openWire } from './wire.ts';

const ping = (id: unknown): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
const pong = (id: unknown): Json => ({ jsonrpc: '2.0', id, result: {} });

test('a line is junk on its own: it is answered with -32700 and the next one is served', async () => {
  const wire = openWire({ host: createTestHost() });
  wire.write('not json\n{"half":\n[1,\n"text"\n42\nnull\n{}\n');
  wire.write(ping(1));
  await wire.wait((each) => each['id'] === 1);
  expect(wire.messages.map((each) => [each['id'], each['error']?.code])).toEqual([
    [null, -32700],
    [null, -32700],
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [1, undefined],
  ]);
  await wire.end();
});

test('blank lines, CRLF and a byte order mark are no part of a message', async () => {
  const wire = openWire({ host: createTestHost() });
  wire.write('\n\r\n   \n\uFEFF');
  wire.write(ping(1).replace('\n', '\r\n'));
  await wire.wait((each) => each['id'] === 1);
  expect(wire.messages).toEqual([pong(1)]);
  await wire.end();
});

test('a message may arrive byte by byte, a character in halves', async () => {
  const wire = openWire({ host: createTestHost() });
  const line = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { a: 'žluť 🐎' } } })}\n`,
  );
  for (const byte of line) wire.write(Buffer.from([byte]));
  const answer = await wire.wait((each) => each['id'] === 1);
  expect(answer['result'].content[0].text).toBe('{"a":"žluť 🐎"}');
  await wire.end();
});

test('the last line needs no line end', async () => {
  const wire = openWire({ host: createTestHost() });
  wire.write(ping('last').trimEnd());
  await wire.end();
  expect(wire.messages).toEqual([pong('last')]);
});

test('bytes that are not UTF-8 are refused, not repaired', async () => {
  const wire = openWire({ host: createTestHost() });
  wire.write(
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]),
  );
  wire.write(ping(2));
  await wire.wait((each) => each['id'] === 2);
  expect(wire.messages[0]).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: 'Parse error: the line is not UTF-8' },
  });
  await wire.end();
});

test('a line over the limit is skipped to its end and reported once', async () => {
  const wire = openWire({ host: createTestHost(), maxLine: 1000 });
  for (let i = 0; i < 50; i++) wire.write('x'.repeat(900));
  wire.write(`\n${ping(1)}`);
  await wire.wait((each) => each['id'] === 1);
  expect(wire.messages.map((each) => each['error']?.code)).toEqual([-32600, undefined]);
  expect(wire.messages[0]?.['error'].message).toBe('The line is longer than 1000 bytes; it was skipped');
  await wire.end();
});

test('the first message need not be initialize', async () => {
  const wire = openWire({ host: createTestHost() });
  const listed = await wire.ask(1, 'tools/list');
  expect(listed['result'].tools[0].name).toBe('echo');
  const unknown = await wire.ask(2, 'no/such/method');
  expect(unknown['error']).toEqual({ code: -32601, message: 'Method not found: no/such/method' });
  const begun = await wire.initialize();
  expect(begun['result'].serverInfo).toEqual({ name: 'test-host', version: '1.2.3' });
  await wire.end();
});

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-06-18', '2025-06-18'],
  ['2025-03-26', '2025-03-26'],
  ['2024-11-05', '2024-11-05'],
  ['1999-01-01', '2025-11-25'],
  ['2026-07-28', '2025-11-25'],
  [undefined, '2025-11-25'],
  [7, '2025-11-25'],
])('initialize with %s is answered with %s', async (asked, given) => {
  const wire = openWire({ host: createTestHost() });
  const { result } = await wire.ask(1, 'initialize', asked === undefined ? {} : { protocolVersion: asked });
  expect(result.protocolVersion).toBe(given);
  expect(result.instructions).toBe('Use the tools.');
  await wire.end();
});

test('a prepared server answers everything but calls without loading its host', async () => {
  let loads = 0;
  const host = createTestHost();
  const prepared: Prepared = { info: host.info, capabilities: capabilitiesOf(host), tools: () => '[\n{"name":"x"}]' };
  const wire = openWire({
    prepared,
    host: async () => {
      loads++;
      return host;
    },
  });
  await wire.ask(0, 'server/discover', modern());
  await wire.initialize();
  expect((await wire.ask(1, 'tools/list'))['result']).toEqual({ tools: [{ name: 'x' }] });
  expect((await wire.ask(2, 'tools/list', modern()))['result']).toMatchObject({ tools: [{ name: 'x' }], ttlMs: 0 });
  expect((await wire.ask(3, 'tools/list', { cursor: 'a' }))['error'].code).toBe(-32602);
  await wire.ask(4, 'ping');
  expect(loads).toBe(0);
  await Promise.all([wire.ask(5, 'tools/call', { name: 'echo' }), wire.ask(6, 'tools/call', { name: 'echo' })]);
  expect(loads).toBe(1);
  await wire.end();
});

test('a host that cannot be loaded fails the call; the next call tries again', async () => {
  let loads = 0;
  const good = createTestHost();
  const wire = openWire({
    prepared: { info: good.info, capabilities: { tools: {} }, tools: () => '[]' },
    host: async () => {
      if (loads++ === 0) throw new Error('no disk');
      return good;
    },
  });
  expect((await wire.ask(1, 'tools/call', { name: 'echo' }))['result']).toEqual({
    content: [{ type: 'text', text: 'Error executing echo: no disk' }],
    isError: true,
  });
  expect((await wire.ask(2, 'tools/call', { name: 'echo' }))['result'].content[0].text).toBe('{}');
  await wire.end();
});

test('an unknown tool, a broken tool and a tool with no answer are failed calls', async () => {
  const wire = openWire({ host: createTestHost() });
  const call = async (id: number, name: string): Promise<string> =>
    (await wire.ask(id, 'tools/call', { name }))['result'].content[0].text;
  expect(await call(1, 'toString')).toBe('Unknown tool: toString');
  expect(await call(2, 'boom')).toBe('Error executing boom: it broke');
  expect(await call(3, 'empty')).toMatch(/^Error executing empty: /);
  expect(await call(4, 'big')).toMatch(/^Error executing big: .*BigInt/);
  expect((await wire.ask(5, 'tools/call', { name: 5 }))['error'].code).toBe(-32602);
  expect((await wire.ask(6, 'tools/call', { name: 'echo', arguments: [] }))['error'].code).toBe(-32602);
  expect((await wire.ask(7, 'tools/call', { name: 'echo', arguments: null }))['result'].content[0].text).toBe('{}');
  await wire.end();
});

test('ten thousand calls at once are each answered once, under their own id', async () => {
  const wire = openWire({ host: createTestHost() });
  const calls = Array.from({ length: 10_000 }, (_, n) => ({
    jsonrpc: '2.0',
    id: n % 2 ? n : String(n),
    method: 'tools/call',
    params: { name: 'echo', arguments: { n } },
  }));
  wire.write(calls.map((each) => `${JSON.stringify(each)}\n`).join(''));
  await wire.end();
  expect(wire.messages).toHaveLength(10_000);
  const wrong = wire.messages.filter(({ id, result }) => {
    const { n } = JSON.parse(result.content[0].text) as { n: number };
    return id !== (n % 2 ? n : String(n));
  });
  expect(wrong).toEqual([]);
  expect(new Set(wire.messages.map(({ id }) => String(id))).size).toBe(10_000);
});

test('two requests under one id are both answered; 1 and "1" are two ids', async () => {
  const host = createTestHost();
  const wire = openWire({ host });
  for (const id of [1, 1, '1']) {
    wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait', arguments: { as: typeof id } } });
  }
  wire.write(ping(2));
  await wire.wait((each) => each['id'] === 2);
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '1' } });
  wire.write(ping(3));
  await wire.wait((each) => each['id'] === 3);
  expect(host.aborted).toEqual(['string']);
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  wire.write(ping(4));
  await wire.wait((each) => each['id'] === 4);
  expect(host.aborted).toEqual(['string', 'number', 'number']);
  await wire.end();
});

test('a cancelled call is aborted and never answered', async () => {
  const host = createTestHost();
  const wire = openWire({ host });
  await wire.initialize();
  wire.send({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'wait' } });
  await wire.ask(10, 'ping');
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9, reason: 'enough' } });
  await wire.ask(11, 'ping');
  expect(host.aborted).toEqual(['wait']);
  await wire.end();
  expect(wire.messages.filter((each) => each['id'] === 9)).toEqual([]);
});

test('cancelling what is not under way does nothing', async () => {
  const wire = openWire({ host: createTestHost() });
  for (const requestId of [1, 'x', null, {}, undefined]) {
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }
  wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled' });
  wire.send({ jsonrpc: '2.0', method: 'notifications/unheard-of', params: {} });
  wire.send({ jsonrpc: '2.0', id: 77, result: {} });
  expect(await wire.ask(1, 'ping')).toEqual(pong(1));
  expect(wire.messages).toHaveLength(1);
  await wire.end();
});

test('progress goes out under the token the client gave, and only upwards', async () => {
  const wire = openWire({ host: createTestHost() });
  await wire.ask(1, 'tools/call', { name: 'count' });
  expect(wire.messages).toHaveLength(1);
  await wire.ask(2, 'tools/call', { name: 'count', _meta: { progressToken: 0 } });
  const seen = wire.messages.filter((each) => each['method'] === 'notifications/progress');
  expect(seen.map(({ params }) => params)).toEqual(
    [1, 2, 3].map((progress) => ({ progressToken: 0, progress, total: 3, message: `at ${progress}` })),
  );
  await wire.end();
});

test('a client that does not read does not fill the memory: what is spare is left out, answers are not', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveStdio({ host: createTestHost(), input, output, grace: 60_000 });
  const call = { name: 'flood', arguments: { n: 5000 }, _meta: { progressToken: 1 } };
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })}\n`);
  // 50 MB are said before anything is read.
  while (output.writableLength < 1024 * 1024) await new Promise((resolve) => setImmediate(resolve));
  input.write(ping(2));
  input.end();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(output.writableLength).toBeLessThan(2 * 1024 * 1024);
  let last = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    last = `${last}${chunk}`.slice(-1000);
  });
  await served;
  expect(last).toContain('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"flooded"}]}}');
});

test('log messages keep to the level that was set', async () => {
  const wire = openWire({ host: createTestHost() });
  await wire.initialize();
  expect((await wire.ask(1, 'logging/setLevel', { level: 'loud' }))['error'].code).toBe(-32602);
  expect((await wire.ask(2, 'logging/setLevel', { level: 'warning' }))['result']).toEqual({});
  await wire.ask(3, 'tools/call', { name: 'say' });
  const seen = wire.messages.filter((each) => each['method'] === 'notifications/message');
  expect(seen.map(({ params }) => params)).toEqual([{ level: 'warning', logger: 'test', data: { loud: true } }]);
  await wire.end();
});

test('changes are told after initialize, single resources only to who watches them', async () => {
  const host = createTestHost();
  const wire = openWire({ host });
  await wire.ask(0, 'tools/list');
  host.change({ kind: 'tools' });
  await wire.initialize();
  await wire.ask(1, 'resources/subscribe', { uri: 'test://a' });
  host.change({ kind: 'tools' });
  host.change({ kind: 'resource', uri: 'test://a' });
  host.change({ kind: 'resource', uri: 'test://b' });
  await wire.ask(2, 'resources/unsubscribe', { uri: 'test://a' });
  host.change({ kind: 'resource', uri: 'test://a' });
  await wire.end();
  expect(wire.messages.filter((each) => 'method' in each)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'test://a' } },
  ]);
  expect(host.listening).toBe(0);
});

test('calls under way when the input ends are answered', async () => {
  const wire = openWire({ host: createTestHost() });
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'later', arguments: { ms: 200 } } });
  await wire.end();
  expect(wire.messages[0]?.['result'].content[0].text).toBe('done');
});

test('a call that does not end is aborted when the input has ended and its grace is over', async () => {
  const host = createTestHost();
  let ended = false;
  const onEnd = async (): Promise<void> => {
    expect(host.aborted).toEqual(['wait']);
    ended = true;
  };
  const wire = openWire({ host, grace: 20, onEnd });
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
  await wire.end();
  expect(ended).toBe(true);
  expect(wire.messages).toEqual([]);
});

test('a signal cuts the grace short', async () => {
  const host = createTestHost();
  const ending = new AbortController();
  const wire = openWire({ host, signal: ending.signal, grace: 3_600_000 });
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
  const served = wire.end();
  setTimeout(() => ending.abort(), 20);
  await served;
  expect(host.aborted).toEqual(['wait']);
});

test('a batch under way when the input ends is answered', async () => {
  const wire = openWire({ host: createTestHost() });
  const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'later', arguments: { ms: 20 } } };
  wire.send([
    { ...call, id: 1 },
    { ...call, id: 2 },
  ]);
  let ended = -1;
  await wire.end().then(() => (ended = wire.messages.length));
  expect(ended).toBe(1);
  expect(wire.messages[0]).toMatchObject([{ id: 1 }, { id: 2 }]);
});

test('an end that fails is told to the caller', async () => {
  const wire = openWire({ host: createTestHost(), onEnd: () => Promise.reject(new Error('a child would not die')) });
  await expect(wire.end()).rejects.toThrow('a child would not die');
});

test('the signal ends serving at once', async () => {
  const host = createTestHost();
  const ending = new AbortController();
  const wire = openWire({ host, signal: ending.signal });
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
  await wire.ask(2, 'ping');
  ending.abort();
  await wire.served;
  expect(host.aborted).toEqual(['wait']);
});

test('batches belong to 2025-03-26 only', async () => {
  const wire = openWire({ host: createTestHost() });
  await wire.initialize({}, '2025-03-26');
  wire.send([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/unheard-of' },
    { jsonrpc: '2.0', id: 2, method: 'initialize', params: {} },
    { bad: true },
  ]);
  const answer = await wire.wait((each) => Array.isArray(each));
  expect((answer as unknown as Json[]).map((each) => [each['id'], each['error']?.code])).toEqual([
    [1, undefined],
    [2, -32600],
    [null, -32600],
  ]);
  wire.send([]);
  expect((await wire.wait((each) => each['id'] === null))['error'].code).toBe(-32600);
  await wire.end();

  const other = openWire({ host: createTestHost() });
  await other.initialize({}, '2025-06-18');
  other.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }]);
  expect((await other.wait((each) => each['id'] === null))['error'].code).toBe(-32600);
  await other.end();
});

test('ids that cannot come back as they went are refused', async () => {
  const wire = openWire({ host: createTestHost() });
  for (const id of ['9007199254740993', '1.5', 'null', 'true', '{}', '[]']) {
    wire.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
  }
  await wire.end();
  expect(wire.messages.map((each) => [each['id'], each['error'].code])).toEqual(
    Array.from({ length: 6 }, () => [null, -32600]),
  );
});

test('params must be an object; jsonrpc must be 2.0; both are said under the id', async () => {
  const wire = openWire({ host: createTestHost() });
  wire.send({ jsonrpc: '2.0', id: 1, method: 'ping', params: [1] });
  wire.send({ jsonrpc: '1.0', id: 2, method: 'ping' });
  wire.send({ jsonrpc: '2.0', id: 3, method: 7 });
  wire.send({ jsonrpc: '2.0', id: 4, method: 'ping', params: null });
  await wire.end();
  expect(wire.messages.map((each) => [each['id'], each['error']?.code])).toEqual([
    [1, -32602],
    [2, -32600],
    [3, -32600],
    [4, undefined],
  ]);
});
