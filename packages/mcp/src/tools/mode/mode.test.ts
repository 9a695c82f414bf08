// Modes of a real server: over stdio, over HTTP with two sessions, and for clients that keep none.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHttpDoor } from '@hanzo/door';
import type { CallContext, Caller } from '@hanzo/tool';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../config.ts';
import { createLocalHost, type LocalHost } from '../../host.ts';
import { createModes } from '../../lib/modes/current.ts';
import { modeOf } from '../../lib/modes/modes.ts';
import { createSurface } from '../../surface.ts';

const TOOLS = ['fs', 'exec', 'code', 'git', 'think', 'mode'];
const folder = mkdtempSync(path.join(tmpdir(), 'mode-'));
const open: LocalHost[] = [];
afterEach(async () => {
  for (const host of open.splice(0)) await host.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context: CallContext = {
  signal: new AbortController().signal,
  progress: () => undefined,
  log: () => undefined,
  clientCapabilities: {},
  ask: () => Promise.reject(new Error('nobody to ask')),
};

function server(tools = TOOLS) {
  const config = defaultConfig({ cwd: folder, dataDir: path.join(folder, 'data'), tools });
  const surface = createSurface(tools, config.dataDir);
  const modes = createModes();
  const prepared = {
    info: { name: 'test', version: '0' },
    capabilities: { tools: { listChanged: true } },
    tools: ({ connection }: Caller) =>
      JSON.stringify(
        modes
          .listed(connection, surface.listed())
          .map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
      ),
  };
  const host = createLocalHost(config, prepared, surface, modes);
  open.push(host);
  const call = async (connection: string | undefined, args: Record<string, unknown>) => {
    const caller: Caller = { id: 'local', ...(connection === undefined ? {} : { connection }) };
    const result = await host.call(caller, 'mode', args, context);
    if (!('content' in result)) throw new Error('no result');
    return JSON.parse((result.content[0] as { text: string }).text) as {
      ok: boolean;
      data: Record<string, unknown>;
      error: { code: string; message: string } | null;
    };
  };
  const names = async (connection?: string): Promise<string[]> =>
    (await host.list({ id: 'local', ...(connection === undefined ? {} : { connection }) })).map(({ name }) => name);
  const prompt = async (connection: string): Promise<string> => {
    const read = await host.resources?.read({ id: 'local', connection }, 'hanzo://system-prompt', context);
    return read && 'contents' in read ? (read.contents[0] as { text: string }).text : '';
  };
  return { host, prepared, call, names, prompt };
}

describe('a mode', () => {
  it('limits what its own connection lists and calls, and nobody else’s', async () => {
    const { host, call, names } = server();
    const { data } = await call('a', { action: 'activate', name: 'editor' });
    expect(data).toMatchObject({
      name: 'editor',
      restricts: true,
      listed: ['fs', 'code', 'git', 'think', 'mode'],
      hidden: ['exec'],
    });
    expect(await names('a')).toEqual(['fs', 'code', 'git', 'think', 'mode']);
    expect(await names('b')).toEqual(TOOLS);
    expect(await names()).toEqual(TOOLS);
    await expect(host.call({ id: 'local', connection: 'a' }, 'exec', {}, context)).rejects.toThrow(
      'Unknown tool: exec',
    );
    await expect(host.call({ id: 'local', connection: 'b' }, 'exec', {}, context)).resolves.toMatchObject({
      content: expect.anything(),
    });
  });

  it('tells only the connection whose list changed', async () => {
    const { host, call } = server();
    const heard: unknown[] = [];
    host.onChange?.((change) => heard.push(change));
    await call('a', { action: 'activate', name: 'minimal' });
    expect(heard).toEqual([{ kind: 'tools', connection: 'a' }]);
  });

  it('is kept for 2,000 connections; the one that chose longest ago has the whole list again and hears of it', () => {
    const modes = createModes();
    const minimal = modeOf('minimal');
    if (minimal === undefined) throw new Error('no such mode');
    const heard: string[] = [];
    modes.onChange((connection) => heard.push(connection));
    for (let index = 0; index <= 2000; index++) modes.set(`${index}`, { mode: minimal, restricts: true });
    expect(heard.slice(-2)).toEqual(['2000', '0']);
    expect(heard).toHaveLength(2002);
    expect(modes.listed('0', TOOLS)).toEqual(TOOLS);
    expect(modes.listed('1', TOOLS)).toEqual(['fs', 'exec', 'mode']);
  });

  it('is shown in the system prompt, with the way back', async () => {
    const { call, prompt } = server();
    expect(await prompt('a')).not.toContain('# Mode');
    await call('a', { action: 'switch', name: 'minimal' });
    const text = await prompt('a');
    expect(text).toContain(
      '# Mode\nminimal: Files and commands, nothing else.\nnot listed meanwhile: code, git, think\nback: mode activate name=developer',
    );
    expect(text).toContain('# Tools\n3: fs, exec, mode');
    expect(await prompt('b')).not.toContain('# Mode');
  });

  it('is left by activating developer', async () => {
    const { call, names } = server();
    await call('a', { action: 'activate', name: 'minimal' });
    expect((await call('a', { action: 'activate', name: 'developer' })).data).toMatchObject({
      restricts: false,
      listed: TOOLS,
    });
    expect(await names('a')).toEqual(TOOLS);
  });

  it('without restrict changes what is advised, not what is listed', async () => {
    const { call, names } = server();
    expect((await call('a', { action: 'activate', name: 'minimal', restrict: false })).data).toMatchObject({
      name: 'minimal',
      restricts: false,
    });
    expect(await names('a')).toEqual(TOOLS);
  });

  it('names tools of it that are not served, and lists none of them', async () => {
    const { call } = server();
    expect((await call('a', { action: 'show', name: 'cloud_admin' })).data).toMatchObject({
      tools: [],
      not_served: ['hanzo', 'fetch', 'memory', 'tasks'],
    });
  });

  it('cannot belong to a client that keeps no connection, and that is said', async () => {
    const { call } = server();
    const answer = await call(undefined, { action: 'activate', name: 'minimal' });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'CONFLICT', message: expect.stringContaining('Mcp-Session-Id') },
    });
  });

  it('that is not there is refused with what is meant', async () => {
    const { call } = server();
    expect(await call('a', { action: 'activate', name: 'develper' })).toMatchObject({
      error: { code: 'NOT_FOUND', message: expect.stringContaining("did you mean 'developer'?") },
    });
    expect(await call('a', { action: 'select_preset', name: '__proto__' })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
  });

  it('of a preset is its first', async () => {
    const { call } = server();
    expect((await call('a', { action: 'select_preset', name: 'cloud' })).data).toMatchObject({
      preset: 'cloud',
      modes: ['cloud_admin', 'devops'],
      name: 'cloud_admin',
    });
    expect((await call('a', { action: 'current' })).data).toMatchObject({ name: 'cloud_admin' });
  });
});

it('over HTTP two sessions have a mode each', async () => {
  const { host, prepared } = server();
  const { createServer } = await import('node:http');
  const door = createHttpDoor({ host, prepared, token: 'secret', hostname: '127.0.0.1' });
  const http = createServer((request, response) => void door.handle(request, response));
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const { port } = http.address() as { port: number };
  const post = async (body: unknown, session?: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer secret',
        'content-type': 'application/json',
        accept: 'application/json',
        ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...(body as object) }),
    });
    return {
      session: answer.headers.get('mcp-session-id') ?? '',
      body: (await answer.json()) as { result: { tools: { name: string }[] } },
    };
  };
  const begin = async (): Promise<string> =>
    (
      await post({
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '0' } },
      })
    ).session;
  const [one, two] = [await begin(), await begin()];
  await post(
    { method: 'tools/call', params: { name: 'mode', arguments: { action: 'activate', name: 'minimal' } } },
    one,
  );
  const names = async (session: string) =>
    (await post({ method: 'tools/list', params: {} }, session)).body.result.tools.map(({ name }) => name);
  expect(await names(one)).toEqual(['fs', 'exec', 'mode']);
  expect(await names(two)).toEqual(TOOLS);
  await door.close();
  http.close();
});
