// The official SDK's clients, of both generations, at work with the built hanzo-mcp in a real repository.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROGRAM, type Running, startProgram } from './program.ts';

const INFO = { name: 'conformance-client', version: '1.0.0' };

/** What the tests need of either SDK's client. */
interface Connection {
  tools(): Promise<string[]>;
  /** the envelope, and the text blocks after it */
  call(name: string, args: Record<string, unknown>): Promise<{ envelope: Envelope; bodies: string[] }>;
  revision(): string | undefined;
  close(): Promise<void>;
}

interface Envelope {
  ok: boolean;
  data: Record<string, unknown>;
  error: unknown;
}

let repository: string;
let home: string;
let server: Running;

beforeAll(async () => {
  repository = await mkdtemp(path.join(tmpdir(), 'clients-'));
  home = await mkdtemp(path.join(tmpdir(), 'clients-home-'));
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: repository });
  git('init', '--quiet', '--initial-branch=main');
  await writeFile(path.join(repository, 'greeting.txt'), 'Hello, world.\n');
  git('add', 'greeting.txt');
  git('commit', '--quiet', '--message=A greeting');
  server = await startProgram([], repository);
});

afterAll(async () => {
  await server?.close();
  for (const folder of [repository, home]) if (folder) await rm(folder, { recursive: true, force: true });
});

const stdio = (): { command: string; args: string[]; cwd: string; env: Record<string, string>; stderr: 'ignore' } => ({
  command: process.execPath,
  args: [PROGRAM, 'serve'],
  cwd: repository,
  env: { PATH: process.env.PATH ?? '', HANZO_CONFIG_HOME: home },
  stderr: 'ignore',
});

async function legacy(transport: LegacyStdio | LegacyHttp): Promise<Connection> {
  let revision: string | undefined;
  const told = transport as LegacyStdio & { setProtocolVersion?(version: string): void };
  const inner = told.setProtocolVersion?.bind(told);
  // The v1 client keeps the negotiated revision to itself and tells only its transport.
  told.setProtocolVersion = (version): void => {
    revision = version;
    inner?.(version);
  };
  const client = new LegacyClient(INFO, { capabilities: {} });
  await client.connect(transport);
  return connection(client, () => revision);
}

async function modern(transport: ModernStdio | ModernHttp): Promise<Connection> {
  const client = new ModernClient(INFO, { capabilities: {}, versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return connection(client, () => client.getNegotiatedProtocolVersion());
}

function connection(client: LegacyClient | ModernClient, revision: () => string | undefined): Connection {
  return {
    revision,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args });
      const texts = (result.content as { type: string; text?: string }[]).map(({ text = '' }) => text);
      const [first = '', ...bodies] = texts;
      return { envelope: JSON.parse(first) as Envelope, bodies };
    },
    close: () => client.close(),
  };
}

describe.each<[string, string, () => Promise<Connection>]>([
  ['the v1 client over stdio', '2025-11-25', () => legacy(new LegacyStdio(stdio()))],
  ['the v1 client over HTTP', '2025-11-25', () => legacy(new LegacyHttp(new URL(server.url)))],
  ['the v2 client over stdio', '2026-07-28', () => modern(new ModernStdio(stdio()))],
  ['the v2 client over HTTP', '2026-07-28', () => modern(new ModernHttp(new URL(server.url)))],
])('%s', (_name, revision, connect) => {
  let client: Connection;
  beforeAll(async () => {
    client = await connect();
    await writeFile(path.join(repository, 'greeting.txt'), 'Hello, world.\n');
  });
  afterAll(() => client?.close());

  test(`speaks ${revision} and lists the tools`, async () => {
    expect(client.revision()).toBe(revision);
    expect(await client.tools()).toEqual(expect.arrayContaining(['fs', 'exec', 'git']));
  });

  test('reads and edits a file, runs a command on it, and sees the change in git', async () => {
    const uri = path.join(repository, 'greeting.txt');
    const read = await client.call('fs', { action: 'read', uri });
    expect(read.envelope).toMatchObject({ ok: true });
    expect(read.bodies[0]).toContain('Hello, world.');

    const edit = {
      action: 'apply_patch',
      uri,
      old_text: 'world',
      new_text: 'door',
      base_hash: read.envelope.data.hash,
    };
    expect((await client.call('fs', edit)).envelope).toMatchObject({ ok: true });
    expect(await readFile(uri, 'utf8')).toBe('Hello, door.\n');

    const run = await client.call('exec', { action: 'exec', command: 'cat greeting.txt', cwd: repository });
    expect(run.envelope).toMatchObject({ ok: true, data: { exit_code: 0 } });
    expect(run.bodies.join('')).toContain('Hello, door.');

    const status = await client.call('git', { action: 'status', path: repository });
    expect(status.envelope).toMatchObject({ ok: true, data: { branch: 'main' } });
    expect(JSON.stringify(status.envelope.data)).toContain('greeting.txt');
  });

  test('is told what was wrong with a bad call', async () => {
    const missing = await client.call('fs', { action: 'read', uri: path.join(repository, 'greting.txt') });
    expect(missing.envelope).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });
});
