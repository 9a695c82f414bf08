// Agents as tools over real HTTP on loopback, on both stores: what they are sent, what is on record, and whose secret.
import { createClient, createGuard } from '@hanzo/net';
import { UnknownTool } from '@hanzo/tool';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Identity } from '../../core/identity.ts';
import type { Store } from '../../ports/store.ts';
import { describeStores } from '../../store/testkit.ts';
import { person, recordingAudit, statusOf, testCaller, testClock, testIds } from '../../testing/caller.ts';
import { createVault, loadKeks, vaultMigrations } from '../../vault/index.ts';
import { createAgentApp } from './index.ts';
import { agentMigrations } from './migrations.ts';

const CANARY = 'canary-77aa31bb90cc4e';
const { signal } = new AbortController();

let server: Server;
let base: string;
let seen: { headers: IncomingHttpHeaders; body: string }[] = [];
let answer: (response: ServerResponse, headers: IncomingHttpHeaders) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ headers: request.headers, body });
      answer(response, request.headers);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`;
});
beforeEach(() => {
  seen = [];
  answer = (response) => void response.end('{"output":"hello"}');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const admin = (org: string): Identity => person(org, { isAdmin: true });

function appOn(store: Store, allow: string[] = ['127.0.0.1']) {
  const audit = recordingAudit();
  const clock = testClock();
  const gone: unknown[] = [];
  const keks = loadKeks({ env: { HANZO_KEK: Buffer.alloc(32, 3).toString('base64') } });
  const vault = createVault({ store, clock, ids: testIds, keks });
  const app = createAgentApp({
    store,
    vault,
    clock,
    ids: testIds,
    audit,
    net: createClient({ allow }),
    checkUrl: (url) => void createGuard({ allow }).url(url),
    gone: async (_, ...what) => void gone.push(what),
  });
  const [provider] = app.providers;
  if (provider === undefined) throw new Error('no provider');
  const call = testCaller(app.ops);
  return {
    audit,
    vault,
    gone,
    provider,
    call,
    put: (org: string, body: Record<string, unknown>) => call(admin(org), 'post_agent', { body }),
    run: (org: string, name: string, args: Record<string, unknown> = { input: 'hi' }) =>
      provider.dispatch(person(org), name, args, { signal }),
  };
}

const migrations = [...vaultMigrations, ...agentMigrations];

describeStores('agents', ({ open }) => {
  it('are told a text with their own secret, and every run is on record', async () => {
    const at = appOn(await open(migrations));
    const shown = await at.put('acme', { name: 'help', description: 'Helps', url: base, secret: CANARY });
    expect(shown).toMatchObject({ name: 'help', tool: 'agent_help', hasSecret: true });
    const run = (await at.run('acme', 'agent_help', { input: 'hi', org: 'rival' })) as { id: string };
    expect(run).toStrictEqual({ id: run.id, output: 'hello', status: 'succeeded' });
    expect(seen).toMatchObject([
      { headers: { authorization: `Bearer ${CANARY}` }, body: JSON.stringify({ id: run.id, input: 'hi' }) },
    ]);
    answer = (response) => void response.writeHead(500).end('broken');
    expect(await at.run('acme', 'agent_help')).toMatchObject({ output: 'it answered 500', status: 'failed' });
    answer = (response, { authorization }) =>
      void response.end(JSON.stringify({ output: `you sent ${authorization}` }));
    expect(await at.run('acme', 'agent_help')).toMatchObject({ output: 'you sent Bearer [credential]' });
    answer = (response) => void response.writeHead(307, { location: '/elsewhere' }).end();
    expect(await at.run('acme', 'agent_help')).toMatchObject({ status: 'failed' });
    const listed = (await at.call(person('acme'), 'get_agent_runs')) as { runs: { status: string }[] };
    expect(listed.runs.map(({ status }) => status).sort()).toStrictEqual([
      'failed',
      'failed',
      'succeeded',
      'succeeded',
    ]);
    expect(await at.call(person('rival'), 'get_agent_runs')).toStrictEqual({ runs: [] });
    const everything = JSON.stringify([shown, listed, at.audit.entries, await at.call(person('acme'), 'get_agent')]);
    expect(everything).not.toContain(CANARY);
  });

  it('are of their organization alone', async () => {
    const at = appOn(await open(migrations));
    await at.put('acme', { name: 'help', url: base });
    const names = async (org: string) =>
      (await at.provider.list({ org, project: '' }, { signal })).map(({ name }) => name);
    expect([await names('acme'), await names('rival'), await names('')]).toStrictEqual([['agent_help'], [], []]);
    await expect(at.run('rival', 'agent_help', { input: 'x', owner: 'acme' })).rejects.toThrow(UnknownTool);
    for (const name of ['agent_', 'agent_nobody', 'agent___proto__', 'help']) {
      await expect(at.run('acme', name)).rejects.toThrow(UnknownTool);
    }
    const remove = (org: string) => at.call(admin(org), 'delete_agent_by_id', { params: { id: 'help' } });
    expect(await statusOf(remove('rival'))).toBe(404);
    expect(await statusOf(remove('acme'))).toBe(200);
    expect(await names('acme')).toStrictEqual([]);
    expect(at.gone).toStrictEqual([['acme', 'agent', ['agent_help']]]);
    expect(at.audit.entries.map(({ action }) => action)).toStrictEqual(['agent.put', 'agent.delete']);
    expect(seen).toStrictEqual([]);
  });

  it('never get a secret that was given for another place', async () => {
    const at = appOn(await open(migrations));
    await at.put('acme', { name: 'help', url: base, secret: CANARY });
    await at.put('acme', { name: 'help', url: `${base}/2` });
    expect(await at.vault.list('acme', '')).toStrictEqual([]);
    await at.run('acme', 'agent_help');
    expect(seen[0]?.headers.authorization).toBe(undefined);
    await at.put('acme', { name: 'help', url: base, secret: CANARY });
    await at.vault.delete('acme', 'orgs/acme/agents/help');
    expect(await at.run('acme', 'agent_help')).toMatchObject({
      status: 'failed',
      output: 'its secret is gone; register it again',
    });
    expect(seen).toHaveLength(1);
  });

  it('are refused where they cannot be called', async () => {
    const at = appOn(await open(migrations), []);
    for (const more of [
      { url: base },
      { url: 'https://169.254.169.254/' },
      { url: 'ftp://a.example' },
      { url: 'http://a.example', secret: 'x' },
      { url: 'https://a.example', secret: 'a\r\nb' },
      { url: 'https://a.example', name: 'A' },
    ]) {
      expect([more, await statusOf(at.put('acme', { name: 'help', ...more }))]).toStrictEqual([more, 400]);
    }
    const body = { name: 'help', url: 'https://a.example' };
    expect(await statusOf(at.call(person('acme'), 'post_agent', { body }))).toBe(403);
    await at.put('acme', body);
    for (const input of [undefined, '', ' ', 1, {}]) {
      expect(await statusOf(at.run('acme', 'agent_help', { input }))).toBe(400);
    }
  });
});
