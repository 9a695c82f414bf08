// `npm run demo`: a scripted client works over stdio in a fresh clone of a real repository (the sources of the fast-uri package).
// It finds, reads, edits, runs the package's tests, sees a failure, mends it, and commits. Every call and its cost is printed.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const MODULES = path.join(ROOT, 'node_modules');

interface Block {
  type: string;
  text?: string;
}
interface Answer {
  envelope: { ok: boolean; data: Record<string, unknown>; error: { code: string; message: string } | null };
  bodies: string[];
}

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hanzo-demo-')));
const origin = path.join(folder, 'origin');
const clone = path.join(folder, 'clone');
const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const spent = { calls: 0, sent: 0, received: 0 };

try {
  makeRepository();
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(ROOT, 'packages', 'mcp', 'bin', 'hanzo-mcp.js'), '--project', clone],
      env: { ...definedEnvironment(), NODE_PATH: MODULES },
    }),
  );
  const { tools } = await client.listTools();
  const listed = encode(JSON.stringify(tools)).length;
  console.log(`connected; ${tools.length} tools listed for ${listed} tokens\n`);
  await work();
  console.log(
    `\n${spent.calls} calls: ${spent.sent} tokens sent, ${spent.received} received; ` +
      `with the list ${spent.sent + spent.received + listed} in all`,
  );
} finally {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Adds `origin(uri)` to the package, wrongly at first. */
async function work(): Promise<void> {
  const index = path.join(clone, 'index.js');
  const found = await call('fs', { action: 'search_text', uri: clone, pattern: '^const fastUri = ', glob: '*.js' });
  expect(found.envelope.data['total'] === 1, 'one place defines what the package exports');

  const read = await call('fs', { action: 'read', uri: index, offset: 698, limit: 14 });
  const added = await call('fs', {
    action: 'apply_patch',
    uri: index,
    base_hash: read.envelope.data['hash'],
    old_text: 'const fastUri = {\n  SCHEMES,',
    new_text: [
      'function origin (uri) {',
      '  const { scheme, host, port } = parse(uri)',
      "  return `${scheme}://${host}${port === undefined ? '' : `:${port}`}`",
      '}',
      '',
      'const fastUri = {',
      '  SCHEMES,',
      '  origin,',
    ].join('\n'),
  });
  await call('fs', {
    action: 'write',
    uri: path.join(clone, 'test', 'origin.test.js'),
    content: [
      "'use strict'",
      '',
      "const test = require('tape')",
      "const fastURI = require('..')",
      '',
      "test('origin', (t) => {",
      "  t.equal(fastURI.origin('HTTP://EXAMPLE.com:8080/a?b'), 'http://example.com:8080')",
      "  t.equal(fastURI.origin('https://example.com:443/'), 'https://example.com')",
      "  t.equal(fastURI.origin('http://[::1]:3000/x'), 'http://[::1]:3000')",
      '  t.end()',
      '})',
      '',
    ].join('\n'),
  });

  const failing = await call('exec', { action: 'exec', command: 'node test/origin.test.js', cwd: clone }, false);
  expect(failing.envelope.error?.code === 'EXIT', 'the first attempt fails its test');

  await call('fs', {
    action: 'apply_patch',
    uri: index,
    base_hash: added.envelope.data['hash'],
    old_text: [
      '  const { scheme, host, port } = parse(uri)',
      "  return `${scheme}://${host}${port === undefined ? '' : `:${port}`}`",
    ].join('\n'),
    new_text: [
      '  const { scheme, host, port } = parse(normalize(uri))',
      "  const name = host.includes(':') ? `[${host}]` : host",
      "  return `${scheme}://${name}${port === undefined ? '' : `:${port}`}`",
    ].join('\n'),
  });
  const suite = `${path.join(MODULES, '.bin', 'tape')} 'test/*.test.js' | tail -4`;
  const passing = await call('exec', { action: 'exec', command: `set -o pipefail; ${suite}`, cwd: clone });
  expect(/# ok/.test(passing.bodies.join('\n')), 'the whole suite passes');

  const status = await call('git', { action: 'status', path: clone });
  expect(status.envelope.data['clean'] === false, 'there is something to commit');
  await call('git', { action: 'diff', path: clone });
  await call('git', {
    action: 'commit',
    path: clone,
    files: ['index.js', 'test/origin.test.js'],
    message: 'Add origin(): scheme, host and port of a URI in normal form',
  });
  const after = await call('git', { action: 'status', path: clone });
  expect(after.envelope.data['clean'] === true, 'everything is committed');
}

/** Calls a tool, prints the call, the answer's head and both costs; `wanted` is what `ok` has to be. */
async function call(name: string, args: Record<string, unknown>, wanted = true): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const texts = (result.content as Block[]).map((block) => block.text ?? '');
  const envelope = JSON.parse(texts[0] ?? '{}') as Answer['envelope'];
  const cost = {
    sent: encode(JSON.stringify({ name, arguments: args })).length,
    received: encode(texts.join('\n')).length,
  };
  spent.calls++;
  spent.sent += cost.sent;
  spent.received += cost.received;
  const { action, ...rest } = args;
  console.log(`> ${name} ${String(action)} ${shorten(JSON.stringify(rest).replaceAll(clone, '.'), 110)}`);
  const shown = texts.slice(1).join('\n').trimEnd() || JSON.stringify(envelope.error ?? envelope.data);
  for (const line of shown.split('\n').slice(0, 6)) console.log(`    ${shorten(line.replaceAll(clone, '.'), 120)}`);
  console.log(`  ${envelope.ok ? 'ok' : `error ${envelope.error?.code}`}, ${cost.sent} + ${cost.received} tokens`);
  expect(envelope.ok === wanted, `${name} ${String(action)}: ${envelope.error?.message ?? 'succeeded unexpectedly'}`);
  return { envelope, bodies: texts.slice(1) };
}

/** A repository with the package's files as its first commit, and a clone of it to work in. */
function makeRepository(): void {
  cpSync(path.join(MODULES, 'fast-uri'), origin, { recursive: true });
  git(origin, 'init', '--quiet', '--initial-branch=main');
  git(origin, 'add', '--all');
  git(origin, ...author(), 'commit', '--quiet', '--message=Import');
  git(folder, 'clone', '--quiet', origin, clone);
  git(clone, 'config', 'user.name', 'Demo');
  git(clone, 'config', 'user.email', 'demo@example.com');
}

function author(): string[] {
  return ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com'];
}

function git(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function expect(truth: boolean, what: string): void {
  if (!truth) throw new Error(`demo: ${what}: not so`);
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
