// What has misled clients of this interface before (contract, tool plane 9): each as a plane answers it, so that it stays as documented.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../http/log.ts';
import { createPlane, type Plane } from '../plane.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'traps-'));
let plane: Plane;
let external: Server;
let id: string;

beforeAll(async () => {
  // the least MCP server: one tool that says what it is told, and one that fails as tools do
  external = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const {
        id: asked,
        method,
        params,
      } = JSON.parse(text) as { id: unknown; method: string; params?: { name?: string } };
      const tools = ['echo', 'breaks'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
      const result =
        method === 'tools/list'
          ? { tools }
          : {
              content: [{ type: 'text', text: params?.name }],
              ...(params?.name === 'breaks' ? { isError: true } : {}),
            };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id: asked, result }));
    });
  });
  await new Promise<void>((resolve) => void external.listen(0, '127.0.0.1', resolve));
  const { port } = external.address() as AddressInfo;
  plane = await createPlane({
    config: readConfig(['--data', folder, '--port', '0', '--grace', '1', '--allow-private', `127.0.0.1:${port}`], {})
      .config,
    version: '0',
    logger: createLogger({ level: 'error', write: () => undefined }),
  });
  const server = await ask('POST', '/v1/tool/mcp/servers', { name: 'Notes', url: `http://127.0.0.1:${port}/` });
  id = server.body['id'] as string;
  const skill = { name: 'triage', description: 'Sorts what comes in.', content: '# Triage\n\nRead it first.' };
  expect((await ask('POST', '/v1/tool/skills', skill)).status).toBe(201);
});
afterAll(async () => {
  await plane.close();
  external.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(
  method: string,
  at: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${plane.url}${at}`, {
    method,
    headers: {
      authorization: `Bearer ${plane.firstKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

const namesIn = async (at: string): Promise<string[]> =>
  ((await ask('GET', at)).body['tools'] as { name: string }[]).map(({ name }) => name);
const enabled = async (): Promise<unknown> => (await ask('GET', '/v1/tool/activation')).body['enabled'];

test('the first trap: /v1/tool/plugins is what this deployment has mounted, whatever an organization has made', async () => {
  const { plugins } = (await ask('GET', '/v1/tool/plugins')).body as { plugins: Record<string, unknown>[] };
  expect(plugins.map(({ name }) => name)).toContain('tool');
  for (const each of plugins) expect(each).toMatchObject({ enabled: true, prefixes: expect.any(Array) as unknown });
});

test('the second trap: /v1/mcp is the agents’ door; an organization’s servers and their tools are elsewhere', async () => {
  const listed = await ask('POST', '/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const door = (listed.body['result'] as { tools: { name: string }[] }).tools.map(({ name }) => name);
  expect(door).toContain('describe');
  expect(door).not.toContain(`${id}_echo`);
  const { servers } = (await ask('GET', '/v1/tool/mcp/servers')).body as { servers: { id: string }[] };
  expect(servers.map((each) => each.id)).toEqual([id]);
  expect(await namesIn('/v1/tool?source=mcp')).toEqual([`${id}_breaks`, `${id}_echo`]);
});

test('activation takes activate and deactivate, and answers enabled: sent back, that changes nothing and is 200 all the same', async () => {
  await ask('PUT', '/v1/tool/activation', { activate: [`${id}_echo`] });
  const { status, body } = await ask('PUT', '/v1/tool/activation', { enabled: [] });
  expect([status, body['enabled']]).toEqual([200, [`${id}_echo`]]);
});

test('a second activation adds to the first; it does not replace it', async () => {
  await ask('PUT', '/v1/tool/activation', { activate: [`${id}_echo`] });
  await ask('PUT', '/v1/tool/activation', { activate: ['skill_triage'] });
  expect(await enabled()).toEqual([`${id}_echo`, 'skill_triage'].sort());
});

test('only the literal true filters; every other spelling is passed over', async () => {
  const all = await namesIn('/v1/tool');
  for (const spelling of ['1', 'TRUE', 'yes', '', 'false'])
    expect(await namesIn(`/v1/tool?activated=${spelling}`)).toEqual(all);
  expect((await namesIn('/v1/tool?activated=true')).length).toBeLessThan(all.length);
});

test('the path is /v1/tool; /v1/tools is nothing, and says so', async () => {
  expect((await ask('GET', '/v1/tools')).status).toBe(404);
});

test('a skill is triage where skills are, and skill_triage where tools are', async () => {
  const skills = (await ask('GET', '/v1/tool/skills/authored')).body as { skills: { name: string }[] };
  expect(skills.skills.map(({ name }) => name)).toEqual(['triage']);
  expect(await namesIn('/v1/tool?source=skill')).toEqual(['skill_triage']);
  const carried = async (): Promise<string[]> =>
    ((await ask('GET', '/v1/tool/kit')).body as { skills: { name: string }[] }).skills.map(({ name }) => name);
  await ask('PUT', '/v1/tool/activation', { activate: ['triage'], deactivate: ['skill_triage'] });
  expect(await carried()).toEqual([]);
  await ask('PUT', '/v1/tool/activation', { activate: ['skill_triage'], deactivate: ['triage'] });
  expect(await carried()).toEqual(['triage']);
});

test('a server’s tools have its id before them on the plane, and not in a kit', async () => {
  await ask('PUT', '/v1/tool/activation', { activate: [`${id}_echo`] });
  const kit = (await ask('GET', '/v1/tool/kit')).body as { servers: { name: string; tools: string[] }[] };
  expect(kit.servers.map(({ name, tools }) => [name, tools])).toEqual([[id, ['echo']]]);
});

test('deleting a skill that is not there is 200; a server, 404', async () => {
  expect((await ask('DELETE', '/v1/tool/skills/nobody')).status).toBe(200);
  expect((await ask('DELETE', '/v1/tool/mcp/servers/nobody')).status).toBe(404);
});

test('a source that does not answer takes its tools out of the list, which stays 200 and names it', async () => {
  const gone = await ask('POST', '/v1/tool/mcp/servers', { name: 'Gone', url: 'https://gone.invalid/mcp' });
  const { status, body } = await ask('GET', '/v1/tool?source=mcp');
  expect(status).toBe(200);
  expect((body['tools'] as { name: string }[]).map(({ name }) => name)).toEqual([`${id}_breaks`, `${id}_echo`]);
  const { servers } = (await ask('GET', '/v1/tool/mcp/servers')).body as { servers: { id: string; status: string }[] };
  expect(servers.find((each) => each.id === gone.body['id'])?.status).not.toBe('ok');
  expect((await ask('DELETE', `/v1/tool/mcp/servers/${String(gone.body['id'])}`)).status).toBe(204);
});

test('a tool’s isError comes through the door as it was: called by its own name, and through the operation that calls tools', async () => {
  await ask('PUT', '/v1/tool/activation', { activate: [`${id}_breaks`] });
  const own = { name: `${id}_breaks`, arguments: {} };
  const through = { name: 'tool', arguments: { op: 'post_tool_call', input: own } };
  for (const params of [own, through]) {
    const { body } = await ask('POST', '/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(body['result']).toMatchObject({ isError: true, content: [{ type: 'text', text: 'breaks' }] });
  }
});
