// `hanzo __mcp`: the handshake does not wait for the server, everything else is the server's own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';

const CLI = new URL('../src/cli.ts', import.meta.url).pathname;
const SERVER = new URL('server.mjs', import.meta.url).pathname;
const EVERYTHING = new URL(
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  import.meta.url,
).pathname;

let home: string;
let gate: string;
const open: ChildProcess[] = [];
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'hanzo-launcher-'));
  gate = path.join(home, 'gate');
});
afterEach(async () => {
  for (const child of open.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  }
  rmSync(home, { recursive: true, force: true });
});

interface Line {
  readonly text: string;
  readonly message: Record<string, unknown>;
}

interface Client {
  readonly child: ChildProcess;
  readonly err: () => string;
  send(message: object | string): void;
  /** the next message of the server's side */
  next(): Promise<Record<string, unknown>>;
  nextLine(): Promise<Line>;
  ended(): Promise<number | null>;
}

function launch(
  env: Readonly<Record<string, string>> = {},
  command: readonly string[] = [process.execPath, SERVER],
): Client {
  const child = spawn(process.execPath, ['--conditions=hanzo-source', CLI, '__mcp', '--', ...command], {
    env: { PATH: process.env['PATH'], HOME: home, ...env },
  });
  open.push(child);
  let err = '';
  if (env['UNREAD'] === undefined) child.stderr.on('data', (chunk) => (err += chunk));
  const lines: string[] = [];
  const wanted: ((text: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (text) => {
    const take = wanted.shift();
    if (take) take(text);
    else lines.push(text);
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const nextLine = async (): Promise<Line> => {
    const text = lines.shift() ?? (await new Promise<string>((resolve) => wanted.push(resolve)));
    return { text, message: JSON.parse(text) as Record<string, unknown> };
  };
  return {
    child,
    err: () => err,
    send: (message) =>
      void child.stdin.write(
        `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
      ),
    nextLine,
    next: async () => (await nextLine()).message,
    ended: () => ended,
  };
}

const HELLO = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const READY = { method: 'notifications/initialized' };
const names = ({ result }: Record<string, unknown>): string[] =>
  (result as { tools: { name: string }[] }).tools.map(({ name }) => name);

/** Whether a process runs; one that is dead and not yet collected by its parent does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** A session that ends, so that something is remembered: the handshake and the whole listing. */
async function before(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const client = launch({ TOOLS: 'one', ...env });
  client.send(HELLO);
  await client.next();
  client.send(READY);
  client.send({ id: 1, method: 'tools/list' });
  expect(names(await client.next())).toEqual(['one']);
  client.child.stdin?.end();
  expect(await client.ended()).toBe(0);
}

test('a server that starts within the grace speaks for itself', async () => {
  const client = launch({ HANZO_MCP_GRACE: '60000' });
  client.send(HELLO);
  expect(await client.next()).toMatchObject({
    id: 0,
    result: { serverInfo: { name: 'odd' }, capabilities: { resources: {} } },
  });
});

test('messages pass byte for byte: numbers of any size, ids of any kind, requests of the server', async () => {
  const client = launch();
  client.send(HELLO);
  await client.next();
  client.send(READY);
  const call =
    '{"jsonrpc":"2.0", "id":"a b","method":"tools/call","params":{"name":"verbatim","n":98765432109876543210}}';
  client.send(call);
  const { text, message } = await client.nextLine();
  expect(text).toContain('"big":12345678901234567890');
  expect(message).toMatchObject({ id: 'a b', result: { line: call } });
  client.send({ id: 5, method: 'tools/call', params: { name: 'ask' } });
  expect(await client.next()).toMatchObject({ id: 1, method: 'roots/list' });
  client.send('{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}');
  expect(await client.next()).toMatchObject({ method: 'notifications/told', params: { id: 1 } });
});

test('a first handshake does not wait for a slow server, nor does a ping; calls do', async () => {
  const client = launch({ GATE: gate });
  client.send(HELLO);
  expect(await client.next()).toMatchObject({
    id: 0,
    result: { protocolVersion: '2025-06-18', capabilities: { tools: { listChanged: true } } },
  });
  client.send(READY);
  client.send({ id: 1, method: 'tools/call', params: { name: 'anything' } });
  client.send({ id: 2, method: 'ping' });
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  writeFileSync(gate, '');
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});

test('a later handshake and listing come from memory at once', async () => {
  await before();
  const client = launch({ GATE: gate, TOOLS: 'one' });
  client.send(HELLO);
  expect(await client.next()).toMatchObject({
    id: 0,
    result: {
      serverInfo: { name: 'odd', version: '7' },
      capabilities: { tools: { listChanged: true }, resources: {} },
    },
  });
  client.send(READY);
  client.send({ id: 1, method: 'tools/list' });
  expect(names(await client.next())).toEqual(['one']);
  writeFileSync(gate, '');
  // the server's own answer was the same, so there is nothing to say of it
  client.send({ id: 2, method: 'tools/call', params: { name: 'x' } });
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
});

test('when the listing was another one the client is told, and gets the new one', async () => {
  await before();
  const client = launch({ GATE: gate, TOOLS: 'two,three' });
  client.send(HELLO);
  await client.next();
  client.send(READY);
  client.send({ id: 1, method: 'tools/list' });
  expect(names(await client.next())).toEqual(['one']);
  writeFileSync(gate, '');
  expect(await client.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  client.send({ id: 2, method: 'tools/list' });
  expect(names(await client.next())).toEqual(['two']);
  client.child.stdin?.end();
  await client.ended();
  const again = launch({ GATE: path.join(home, 'never') });
  again.send(HELLO);
  await again.next();
  again.send({ id: 1, method: 'tools/list' });
  expect(names(await again.next())).toEqual(['two', 'three']);
});

test('a call that was taken back while the server started never reaches it', async () => {
  await before();
  const client = launch({ GATE: gate, TOOLS: 'one' });
  client.send(HELLO);
  await client.next();
  client.send(READY);
  client.send({ id: 1, method: 'tools/call', params: { name: 'verbatim' } });
  client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  client.send({ id: 2, method: 'tools/call', params: { name: 'x' } });
  writeFileSync(gate, '');
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
});

test('what a server prints beside its messages goes to standard error', async () => {
  const client = launch({ NOISE: '1' });
  client.send(HELLO);
  expect(await client.next()).toMatchObject({ id: 0 });
  client.child.stdin?.end();
  await client.ended();
  expect(client.err()).toContain('starting up...');
});

test('a server that talks to nobody is not stopped by it', async () => {
  const client = launch({ TALK: String(8_000_000), UNREAD: '1', HANZO_MCP_GRACE: '60000' });
  client.send(HELLO);
  expect(await client.next()).toMatchObject({ id: 0, result: { serverInfo: { name: 'odd' } } });
});

test('the end of the client ends the server and what it started', async () => {
  const client = launch();
  client.send(HELLO);
  await client.next();
  client.send({ id: 1, method: 'tools/call', params: { name: 'family' } });
  const { pid } = (await client.next())['result'] as { pid: number };
  expect(isAlive(pid)).toBe(true);
  client.child.stdin?.end();
  expect(await client.ended()).toBe(0);
  // the kernel carries a signal out when it comes to it
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
});

test('when the server dies what was asked is answered, and the exit code is its own', async () => {
  const client = launch();
  client.send(HELLO);
  await client.next();
  client.send({ id: 1, method: 'tools/call', params: { name: 'die' } });
  expect(await client.next()).toMatchObject({ id: 1, error: { code: -32_603, message: 'node ended with code 3' } });
  expect(await client.ended()).toBe(3);
});

test('a server that is not there is said by name', async () => {
  const client = launch({}, ['/nowhere/at-all']);
  client.send(HELLO);
  expect(await client.next()).toMatchObject({ id: 0, error: { message: 'at-all cannot be started: ENOENT' } });
  expect(await client.ended()).toBe(1);
});

test('without a server it says what it is for', async () => {
  const client = launch({}, []);
  expect(await client.ended()).toBe(2);
  expect(client.err()).toContain('hanzo __mcp -- SERVER');
});

test('a real server works behind it as it does alone', async () => {
  const ask = async (client: Client): Promise<unknown[]> => {
    client.send(HELLO);
    const answers: unknown[] = [];
    const answerTo = async (id: number): Promise<unknown> => {
      for (;;) {
        const message = await client.next();
        if (message['id'] === id) return message;
      }
    };
    answers.push(await answerTo(0));
    client.send(READY);
    client.send({ id: 1, method: 'tools/list' });
    answers.push(names((await answerTo(1)) as Record<string, unknown>));
    client.send({ id: 2, method: 'tools/call', params: { name: 'echo', arguments: { message: 'hi' } } });
    answers.push(await answerTo(2));
    client.child.stdin?.end();
    await client.ended();
    return answers;
  };
  // twice: so that both have something remembered, or both have not
  await ask(launch({}, [process.execPath, EVERYTHING]));
  const [hello, tools, echo] = await ask(launch({}, [process.execPath, EVERYTHING]));
  expect(hello).toMatchObject({
    id: 0,
    result: { protocolVersion: '2025-06-18', serverInfo: { name: 'mcp-servers/everything' } },
  });
  expect(tools).toContain('echo');
  expect(echo).toMatchObject({ id: 2, result: { content: [{ type: 'text', text: 'Echo: hi' }] } });
});
