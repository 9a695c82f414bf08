// Every package is publishable: its tarball, installed alone into an empty folder, works there.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hanzo-pack-')));
  npm(ROOT, 'pack', '--workspaces', '--silent', '--pack-destination', folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

/** An empty folder with one tarball installed. */
function installed(name: string): string {
  const tarball = readdirSync(folder).find((file) => file.startsWith(`hanzo-${name}-`));
  expect(tarball, `a tarball of ${name}`).toBeDefined();
  const target = path.join(folder, name);
  mkdirSync(target);
  writeFileSync(path.join(target, 'package.json'), '{"private":true,"type":"module"}');
  npm(target, 'install', '--prefer-offline', path.join(folder, tarball as string));
  return target;
}

/** What a module that uses the package prints. */
function runModule(cwd: string, source: string): string {
  writeFileSync(path.join(cwd, 'use.js'), source);
  return execFileSync(process.execPath, ['use.js'], { cwd, encoding: 'utf8' }).trim();
}

test('@hanzo/tool defines and calls a tool', () => {
  const cwd = installed('tool');
  const printed = runModule(
    cwd,
    `import { action, defineTool } from '@hanzo/tool';
     import { z } from 'zod';
     const tool = defineTool({ name: 'add', title: 'Add', summary: 'Adds.', actions: {
       sum: action({ summary: 'a + b', input: z.object({ a: z.number(), b: z.number() }), effect: 'read',
         run: (_ctx, { a, b }) => ({ data: { sum: a + b } }) }) } });
     const result = await tool.call({ action: 'sum', a: 2, b: 3 }, { context: {}, env: {} });
     console.log(JSON.parse(result.content[0].text).data.sum);`,
  );
  expect(printed).toBe('5');
}, 120_000);

test('@hanzo/net refuses a private address', () => {
  const cwd = installed('net');
  const printed = runModule(
    cwd,
    `import { createClient } from '@hanzo/net';
     const client = createClient();
     await client.request('http://127.0.0.1:1/').then(() => console.log('through'), (error) => console.log(error.name, error.code));
     process.exit();`,
  );
  expect(printed).toBe('NetError blocked');
}, 120_000);

test('@hanzo/door serves a host over HTTP', () => {
  const cwd = installed('door');
  const printed = runModule(
    cwd,
    `import { serveHttp } from '@hanzo/door';
     const host = { info: { name: 'x', version: '1' },
       list: async () => [{ name: 'hi', description: 'Says hi', inputSchema: { type: 'object' } }],
       call: async () => ({ content: [{ type: 'text', text: 'hi' }] }) };
     const door = await serveHttp({ host: async () => host, hostname: '127.0.0.1', port: 0, token: null });
     const answer = await fetch(door.url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' },
       body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hi' } }) });
     console.log((await answer.json()).result.content[0].text);
     await door.close();`,
  );
  expect(printed).toBe('hi');
}, 120_000);

test('npx hanzo-mcp serve answers a client', async () => {
  const cwd = installed('mcp');
  const child = spawn('npx', ['--no-install', 'hanzo-mcp', 'serve'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  // the grammars travel in the tarball
  child.stdin.write(
    `${JSON.stringify({
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: { name: 'code', arguments: { action: 'outline', text: 'fn pack() {}', language: 'rust' } },
    })}\n`,
  );
  child.stdin.end(
    `${JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'fs', arguments: { action: 'read', uri: path.join(cwd, 'package.json') } },
    })}\n`,
  );
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  const answers = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: Record<string, { name?: string; text?: string }[]> });
  expect(answers.find(({ id }) => id === 1)?.result['tools']?.[0]?.name).toBe('fs');
  expect(answers.find(({ id }) => id === 2)?.result['content']?.[1]?.text).toContain('"private":true');
  expect(answers.find(({ id }) => id === 3)?.result['content']?.[1]?.text).toBe('1 fn pack()\n');
  expect(await exited).toBe(0);
}, 120_000);
