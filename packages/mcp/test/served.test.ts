// The local server over stdio, as a client sees it: the resource it has, and tools switched on and off.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_TOOLS } from '../src/surface.ts';
import { type Answer, serveStdio, type Stdio } from './program.ts';

let home: string;
let server: Stdio;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'served-'));
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const serve = async (...args: string[]): Promise<void> => {
  server = await serveStdio(args, { HANZO_CONFIG_HOME: home });
};
const listed = async (): Promise<string[]> => {
  const { result } = await server.request('tools/list');
  return (result?.tools ?? []).map(({ name }) => name);
};
const call = (name: string, args: object): Promise<Answer> => server.request('tools/call', { name, arguments: args });
const envelope = ({ result }: Answer): unknown => JSON.parse(result?.content?.[0]?.text ?? 'null');
const switchTool = async (tool_action: string, name: string): Promise<unknown> =>
  envelope(await call('system', { action: 'tool', tool_action, name }));
const prompt = async (): Promise<string> => {
  const { result } = await server.request('resources/read', { uri: 'hanzo://system-prompt' });
  const [contents] = result?.contents ?? [];
  expect(contents).toMatchObject({ uri: 'hanzo://system-prompt', mimeType: 'text/plain' });
  return contents?.text ?? '';
};

describe('hanzo://system-prompt', () => {
  it('is the first resource, and tells of this machine and project', async () => {
    writeFileSync(path.join(home, 'package.json'), '{"name":"sample","dependencies":{"hono":"1"}}');
    await serve('--project', home);
    const { result } = await server.request('resources/list');
    expect(result?.resources?.[0]).toMatchObject({ uri: 'hanzo://system-prompt', mimeType: 'text/plain' });
    const text = await prompt();
    expect(text.length).toBeGreaterThanOrEqual(32);
    for (const title of ['Time', 'Environment', 'Git', 'Project', 'Tools', 'Guidelines'])
      expect(text).toContain(`# ${title}\n`);
    for (const fact of [`working directory: ${home}`, 'files: package.json\n', 'package: sample', 'framework: hono'])
      expect(text).toContain(fact);
    expect(text).toContain(`${DEFAULT_TOOLS.length}: ${DEFAULT_TOOLS.join(', ')}`);
    expect(text).toContain('fs apply_patch');
    expect(text).toContain('exec wait');
  });

  it('advises on tools that are served, and on no others', async () => {
    await serve('--tools', 'git,npx');
    const text = await prompt();
    expect(text).toContain('2: git, npx');
    expect(text).toContain('Call `help` on a tool');
    expect(text).not.toMatch(/apply_patch|exec wait/);
  });

  it('is the only one: another name is an error', async () => {
    await serve();
    const { error, result } = await server.request('resources/read', { uri: 'hanzo://other' });
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code: -32002, message: expect.stringContaining('hanzo://other') });
  });
});

describe('switching a tool off', () => {
  const UNKNOWN = { content: [{ type: 'text', text: 'Unknown tool: jq' }], isError: true };

  it('takes it from the list, tells the client, makes calls to it unknown, and lasts until it is switched on', async () => {
    await serve('--tools', 'fs,jq,system');
    expect(await listed()).toEqual(['fs', 'jq', 'system']);
    expect(await switchTool('disable', 'jq')).toMatchObject({ ok: true, data: { enabled: false, persisted: true } });
    await server.notification('notifications/tools/list_changed');
    expect(await listed()).toEqual(['fs', 'system']);
    expect((await call('jq', { filter: '.', input: '1' })).result).toEqual(UNKNOWN);

    expect(await server.close()).toBe(0);
    await serve('--tools', 'fs,jq,system');
    expect(await listed()).toEqual(['fs', 'system']);
    expect((await call('jq', { filter: '.', input: '1' })).result).toEqual(UNKNOWN);
    expect(await switchTool('enable', 'jq')).toMatchObject({ ok: true, data: { enabled: true } });
    await server.notification('notifications/tools/list_changed');
    expect(await listed()).toEqual(['fs', 'jq', 'system']);
    expect(envelope(await call('jq', { filter: '.', input: '1' }))).toMatchObject({ ok: true });
  });

  it('works beside a file that cannot be read, leaves it alone, and says that the choice is not kept', async () => {
    const file = path.join(home, 'mcp', 'tool_states.json');
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{bad');
    await serve('--tools', 'fs,jq,system');
    expect(await switchTool('disable', 'jq')).toMatchObject({
      ok: true,
      data: { enabled: false, persisted: false, note: expect.stringContaining('tool_states.json is not JSON') },
    });
    expect(await listed()).toEqual(['fs', 'system']);
    expect(readFileSync(file, 'utf8')).toBe('{bad');
  });
});
