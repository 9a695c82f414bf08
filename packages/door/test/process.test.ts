// The stdio transport as a program: what only a process of its own can show.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { type Program, SERVER_COMMAND, startServer } from './program.ts';

const started: Program[] = [];
const start = (): Program => {
  const program = startServer();
  started.push(program);
  return program;
};
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
});

test('loading the door loads no HTTP, no cryptography and no validator', async () => {
  const entry = JSON.stringify(new URL('../src/index.ts', import.meta.url).href);
  const script = `await import(${entry}); console.log(JSON.stringify(process.moduleLoadList))`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...SERVER_COMMAND.slice(0, -1),
    '--input-type=module',
    '--eval',
    script,
  ]);
  const loaded = (JSON.parse(stdout) as string[]).filter((name) =>
    /NativeModule (_?http|https|crypto|tls|zlib)/.test(name),
  );
  expect(loaded).toEqual([]);
});

test('stray writes to standard output end up on standard error', async () => {
  const server = start();
  const answer = await server.ask(1, 'tools/call', { name: 'stray' });
  expect(answer['result'].content[0].text).toBe('quiet');
  server.child.stdin.end();
  expect(await server.exit).toBe(0);
  expect(server.lines).toHaveLength(1);
  expect(server.rest()).toBe('');
  expect(server.stderr()).toBe('a stray line\nanother stray line\nended, aborted: \n');
});

test('a pipe of requests is answered in full before the program ends', async () => {
  const server = start();
  for (let id = 1; id <= 200; id++) {
    server.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'later', arguments: { ms: 20 } } });
  }
  server.child.stdin.end();
  expect(await server.exit).toBe(0);
  expect(server.lines).toHaveLength(200);
});

test('a client that stops reading ends the program: calls are aborted, the exit is clean', async () => {
  const server = start();
  await server.ask(1, 'ping');
  server.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wait' } });
  await server.ask(3, 'ping');
  server.child.stdout.destroy();
  server.send({ jsonrpc: '2.0', id: 4, method: 'ping' });
  expect(await server.exit).toBe(0);
  expect(server.stderr()).toBe('ended, aborted: wait\n');
});

test('SIGTERM aborts what is under way and ends cleanly', async () => {
  const server = start();
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
  await server.ask(2, 'ping');
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);
  expect(server.stderr()).toBe('ended, aborted: wait\n');
});

test("the server answers while a tool's child writes 100 MB to its standard error", async () => {
  const server = start();
  await server.ask(1, 'ping');
  const flood = server.ask(2, 'tools/call', { name: 'flood' });
  for (let id = 3; id < 20; id++) expect((await server.ask(id, 'ping'))['result']).toEqual({});
  expect((await flood)['result'].content[0].text).toBe(String(100 * 1024 * 1024));
});

test('a client may write thousands of requests before it reads a single answer', async () => {
  const server = start();
  server.child.stdout.pause();
  const big = 'x'.repeat(10_000);
  const line = (id: number): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { big } } })}\n`;
  // 20 MB of answers: more than the pipe and more than the server wants to hold.
  for (let id = 0; id < 2000; id++) server.child.stdin.write(line(id));
  server.child.stdin.end();
  await new Promise((resolve) => setTimeout(resolve, 200));
  server.child.stdout.resume();
  expect(await server.exit).toBe(0);
  expect(server.lines).toHaveLength(2000);
});
