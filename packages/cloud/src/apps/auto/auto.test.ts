// Connectors as tools over real HTTP on loopback, on both stores: what they send and answer, whose credential, and that none is seen.
import { createClient, createGuard } from '@hanzo/net';
import { Registry, type Principal, UnknownTool } from '@hanzo/tool';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Identity } from '../../core/identity.ts';
import type { Store } from '../../ports/store.ts';
import { describeStores } from '../../store/testkit.ts';
import { person, recordingAudit, statusOf, testCaller, testClock, testIds } from '../../testing/caller.ts';
import { createVault, loadKeks, vaultMigrations } from '../../vault/index.ts';
import { core } from './connectors/core.ts';
import { type AutoAppOptions, createAutoApp } from './index.ts';
import { autoMigrations } from './migrations.ts';
import { createConnectors } from './registry.ts';
import { type Connector, schemaOf } from './types.ts';

const CANARY = 'canary-5f1d0c9e7ab34412';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let base: string;
const seen: Seen[] = [];
let answer: (seen: Seen, response: ServerResponse) => void;

const json =
  (value: unknown, status = 200) =>
  (_: Seen, response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const each = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(each);
      answer(each, response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void seen.splice(0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const admin = (org: string): Identity => person(org, { isAdmin: true });

function appOn(store: Store, more: Partial<AutoAppOptions> = {}) {
  const audit = recordingAudit();
  const clock = testClock();
  const vault = createVault({
    store,
    clock,
    ids: testIds,
    keks: loadKeks({ env: { HANZO_KEK: Buffer.alloc(32, 3).toString('base64') } }),
  });
  const net = createClient({ allow: ['127.0.0.1'] });
  const app = createAutoApp({
    store,
    vault,
    clock,
    audit,
    net,
    version: '1.2.3',
    checkUrl: (url) => void createGuard({ allow: ['127.0.0.1'] }).url(url),
    bases: bases(),
    ...more,
  });
  const [provider] = app.providers;
  if (provider === undefined) throw new Error('no provider');
  const context = { signal: new AbortController().signal };
  return {
    app,
    audit,
    vault,
    provider,
    call: testCaller(app.ops),
    run: (who: Principal, name: string, args: Record<string, unknown> = {}, signal = context.signal) =>
      provider.dispatch(who, name, args, { signal }),
    names: async (org: string) => (await provider.list({ org, project: 'default' }, context)).map(({ name }) => name),
  };
}

function bases() {
  return {
    github: `${base}/github`,
    slack: `${base}/slack`,
    discord: `${base}/discord`,
    googleSheets: `${base}/sheets`,
    googleDrive: `${base}/drive`,
    x: `${base}/x`,
  };
}

const migrations = [...vaultMigrations, ...autoMigrations];

const SHIPPED = [
  'core_code',
  'core_delay',
  'core_http_request',
  'core_wait_for_approval',
  'discord_verify_member',
  'github_create_issue',
  'github_list_repos',
  'google_append_row',
  'google_list_files',
  'slack_send_message',
  'x_verify_follow',
];

const CRM = {
  name: 'crm',
  auth: { header: 'Authorization', prefix: 'Bearer ', secretName: 'api_key' },
  actions: [
    {
      name: 'get_contact',
      description: 'One contact',
      path: '/contacts/{id}',
      props: [
        { name: 'id', type: 'string', required: true },
        { name: 'fields', type: 'array' },
      ],
    },
    {
      name: 'add_note',
      method: 'POST',
      path: '/contacts/{id}/notes',
      props: [
        { name: 'id', type: 'string', required: true },
        { name: 'text', type: 'string' },
        { name: 'notify', type: 'boolean', in: 'query' },
      ],
    },
  ],
};
const crm = (more: Record<string, unknown> = {}) => ({ ...CRM, baseUrl: `${base}/crm/v1/`, ...more });

describe('a set of connectors', () => {
  const one = (name: string, ...actions: string[]): Connector => ({
    ...core,
    name,
    actions: actions.map((each) => ({ ...(core.actions[2] as Connector['actions'][number]), name: each })),
  });

  it('refuses a name twice, a nameless one, and two pairs that make one tool name', () => {
    expect(() => createConnectors([one('a', 'x'), one('a', 'y')])).toThrow("two connectors are called 'a'");
    expect(() => createConnectors([one('', 'x')])).toThrow('a connector must have a name');
    expect(() => createConnectors([undefined as unknown as Connector])).toThrow('a connector must have a name');
    expect(() => createConnectors([one('core', 'http_request'), one('core_http', 'request')])).toThrow(
      "the tool 'core_http_request' would be both 'http_request' of 'core' and 'request' of 'core_http'",
    );
  });

  it('finds by exact match, because both halves may hold underscores', () => {
    const set = createConnectors([one('a', 'b_c'), one('a_b', 'd')]);
    expect(set.find('a_b_c')?.connector.name).toBe('a');
    expect(set.find('a_b_d')?.connector.name).toBe('a_b');
    expect(set.find('a_b')).toBe(undefined);
    expect(set.find('__proto__')).toBe(undefined);
  });

  it('publishes props by one mapping, with `required` always there', () => {
    expect(schemaOf([])).toStrictEqual({ type: 'object', properties: {}, required: [] });
    expect(
      schemaOf([
        { name: 'n', type: 'number', required: true, description: 'how many' },
        { name: 'q', type: 'date' as never },
      ]),
    ).toStrictEqual({
      type: 'object',
      properties: { n: { type: 'number', description: 'how many' }, q: { type: 'string' } },
      required: ['n'],
    });
  });
});

describeStores('connectors', ({ open }) => {
  it('lists every action as a tool, nothing without an organization, and finds what it lists', async () => {
    const at = appOn(await open(migrations));
    expect(await at.names('acme')).toStrictEqual(SHIPPED);
    expect(await at.names('')).toStrictEqual([]);
    const context = { signal: new AbortController().signal };
    const listed = await at.provider.list({ org: 'acme', project: '' }, context);
    for (const offer of listed) {
      expect(await at.provider.find?.({ org: 'acme', project: '' }, offer.name, context)).toStrictEqual(offer);
    }
    expect(await at.provider.find?.({ org: '', project: '' }, 'core_code', context)).toBe(undefined);
    await expect(at.run(person('acme'), 'core_nothing')).rejects.toThrow(UnknownTool);
    await expect(at.run(person(''), 'core_code')).rejects.toThrow(UnknownTool);
  });

  it('shows the catalogue from the same declarations', async () => {
    const at = appOn(await open(migrations));
    const { connectorCount, connectors } = (await at.call(person('acme'), 'get_auto_connectors')) as {
      connectorCount: number;
      connectors: { name: string; auth: unknown; actions: { tool: string }[]; triggers: { name: string }[] }[];
    };
    expect(connectorCount).toBe(6);
    expect(connectors.flatMap(({ actions }) => actions.map(({ tool }) => tool)).sort()).toStrictEqual(SHIPPED);
    expect(connectors[0]?.triggers.map(({ name }) => name)).toStrictEqual(['schedule', 'manual']);
    expect(connectors.find(({ name }) => name === 'slack')?.auth).toStrictEqual({
      type: 'bot_token',
      required: true,
      secrets: [{ name: 'bot_token', description: 'bot token, xoxb-...' }],
    });
  });

  it('sends an HTTP request and answers status, headers and body', async () => {
    const at = appOn(await open(migrations));
    answer = (_, response) => void response.writeHead(404, { 'x-made': 'here' }).end('no\u00e9');
    const result = await at.run(person('acme'), 'core_http_request', {
      url: `${base}/a?b=1`,
      method: 'put',
      headers: { 'X-One': '1' },
      body: 'sent',
    });
    expect(result).toMatchObject({ status: 404, headers: { 'x-made': 'here' }, body: 'noé' });
    expect(seen).toMatchObject([{ method: 'PUT', url: '/a?b=1', body: 'sent', headers: { 'x-one': '1' } }]);
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD']) {
      await at.run(person('acme'), 'core_http_request', { url: base, method });
    }
    expect(seen.slice(1).map(({ method }) => method)).toStrictEqual(['GET', 'POST', 'PATCH', 'DELETE', 'HEAD']);
    await expect(at.run(person('acme'), 'core_http_request', { url: base, method: 'TRACE' })).rejects.toThrow(
      "'method' must be one of GET, POST, PUT, PATCH, DELETE, HEAD, not 'TRACE'",
    );
  });

  it('refuses private addresses, at first and after a redirect, and a sixth redirect', async () => {
    const at = appOn(await open(migrations), { net: createClient() });
    for (const url of [
      base,
      'http://[::ffff:127.0.0.1]/',
      'http://169.254.169.254/latest',
      'http://0x7f.1/',
      'file:///etc/passwd',
    ]) {
      await expect(at.run(person('acme'), 'core_http_request', { url })).rejects.toThrow();
    }
    expect(seen).toStrictEqual([]);
    const redirecting = appOn(await open(migrations));
    answer = (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
    await expect(redirecting.run(person('acme'), 'core_http_request', { url: base })).rejects.toThrow(/10\.0\.0\.1/);
    seen.splice(0);
    answer = ({ url }, response) => void response.writeHead(302, { location: `${url}x` }).end();
    await expect(redirecting.run(person('acme'), 'core_http_request', { url: `${base}/` })).rejects.toThrow(
      'redirects',
    );
    expect(seen).toHaveLength(6);
  });

  it('stops at 5 MiB', async () => {
    const at = appOn(await open(migrations));
    answer = (_, response) => void response.end(Buffer.alloc(5 * 1_048_576 + 1, 97));
    await expect(at.run(person('acme'), 'core_http_request', { url: base })).rejects.toThrow('5242880');
  });

  it('waits, maps data and approves', async () => {
    const at = appOn(await open(migrations));
    expect(await at.run(person('acme'), 'core_delay', { seconds: 0 })).toStrictEqual({ delayed: 0 });
    for (const seconds of [-1, 60.1]) {
      await expect(at.run(person('acme'), 'core_delay', { seconds })).rejects.toThrow('from 0 to 60');
    }
    const cut = new AbortController();
    const waiting = at.run(person('acme'), 'core_delay', { seconds: 60 }, cut.signal);
    cut.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    const input = { a: 1, b: ['x'] };
    expect(await at.run(person('acme'), 'core_code', { input })).toStrictEqual(input);
    expect(await at.run(person('acme'), 'core_wait_for_approval', { reason: ' go ' })).toStrictEqual({
      approved: true,
      reason: 'go',
    });
  });

  it('holds 32 calls of an organization at once and no more, others unhindered', async () => {
    const at = appOn(await open(migrations));
    const cut = new AbortController();
    const under = Array.from({ length: 32 }, () => at.run(person('acme'), 'core_delay', { seconds: 60 }, cut.signal));
    const ended = Promise.allSettled(under);
    await expect.poll(() => statusOf(at.run(person('acme'), 'core_code'))).toBe(429);
    await expect(at.run(person('acme'), 'core_code')).rejects.toThrow('too many concurrent');
    expect(await at.run(person('other'), 'core_code')).toStrictEqual({});
    cut.abort();
    await ended;
    expect(await at.run(person('acme'), 'core_code')).toStrictEqual({});
  });

  it('checks the declared input and drops what is not declared', async () => {
    const at = appOn(await open(migrations));
    for (const args of [{}, { seconds: '1' }, { seconds: null }, { seconds: Number.NaN }]) {
      expect(await statusOf(at.run(person('acme'), 'core_delay', args))).toBe(400);
    }
    expect(await statusOf(at.run(person('acme'), 'slack_send_message', { channel: ' ', text: 'x' }))).toBe(400);
  });
});

describeStores('credentials of connectors', ({ open }) => {
  it('are sealed, named, replaced and destroyed by admins, and never shown', async () => {
    const at = appOn(await open(migrations));
    const put = (who: Identity, id: string, body: Record<string, unknown>) =>
      at.call(who, 'put_auto_connections_by_id', { params: { id }, body });
    expect(await put(admin('acme'), 'slack', { value: CANARY })).toStrictEqual({
      connector: 'slack',
      secrets: ['bot_token'],
    });
    expect(await at.call(admin('acme'), 'get_auto_connections')).toStrictEqual({
      connections: [{ connector: 'slack', secrets: ['bot_token'] }],
    });
    expect(await at.call(admin('other'), 'get_auto_connections')).toStrictEqual({ connections: [] });
    expect(await statusOf(put(person('acme'), 'slack', { value: 'x' }))).toBe(403);
    expect(await statusOf(at.call(person('acme'), 'get_auto_connections'))).toBe(403);
    expect(await statusOf(put(admin('acme'), 'nothing', { value: 'x' }))).toBe(404);
    expect(await statusOf(put(admin('acme'), 'core', { value: 'x' }))).toBe(422);
    expect(await statusOf(put(admin('acme'), 'slack', { value: 'x', secretName: 'other' }))).toBe(422);
    for (const value of ['', ' x', 'a\r\nb: c', 'é', 'x'.repeat(8193)]) {
      expect(await statusOf(put(admin('acme'), 'slack', { value }))).toBe(400);
    }
    const drop = (who: Identity, id: string) => at.call(who, 'delete_auto_connections_by_id', { params: { id } });
    expect(await statusOf(drop(admin('other'), 'slack'))).toBe(404);
    expect(await statusOf(drop(admin('acme'), 'slack/bot_token'))).toBe(404);
    expect(await statusOf(drop(admin('acme'), 'slack'))).toBe(200);
    expect(await statusOf(drop(admin('acme'), 'slack'))).toBe(404);
    expect(await at.vault.list('acme', '')).toStrictEqual([]);
    expect(at.audit.entries.map(({ action, org }) => [action, org])).toStrictEqual([
      ['automations.connection.put', 'acme'],
      ['automations.connection.delete', 'acme'],
    ]);
    expect(JSON.stringify(at.audit.entries)).not.toContain(CANARY);
  });

  it('need a key of the plane', async () => {
    const store = await open(migrations);
    const vault = createVault({ store, clock: testClock(), ids: testIds, keks: [] });
    const at = appOn(store, { vault });
    const put = at.call(admin('acme'), 'put_auto_connections_by_id', { params: { id: 'slack' }, body: { value: 'x' } });
    expect(await statusOf(put)).toBe(503);
  });

  it('are read for the caller’s own organization, whatever the input says', async () => {
    const at = appOn(await open(migrations));
    await at.app.service.credentials.connect('acme', 'slack', 'bot_token', CANARY);
    answer = json({ ok: true, channel: 'C1' });
    const forged = { channel: 'c', text: 't', org: 'acme', owner: 'acme', orgId: 'acme', project: 'acme' };
    await expect(at.run(person('rival'), 'slack_send_message', forged)).rejects.toThrow('slack not connected');
    await expect(at.run(person('rival', { owner: 'acme' }), 'slack_send_message', forged)).rejects.toThrow(
      'slack not connected',
    );
    expect(seen).toStrictEqual([]);
    expect(await at.run(person('acme'), 'slack_send_message', forged)).toStrictEqual({ ok: true, channel: 'C1' });
    expect(seen).toMatchObject([
      {
        url: '/slack/chat.postMessage',
        body: '{"channel":"c","text":"t"}',
        headers: { authorization: `Bearer ${CANARY}` },
      },
    ]);
  });

  it('are taken out of what a service sends back, and do not follow a redirect', async () => {
    const at = appOn(await open(migrations));
    for (const [id, name] of [
      ['github', 'installation_token'],
      ['slack', 'bot_token'],
    ] as const) {
      await at.app.service.credentials.connect('acme', id, name, CANARY);
    }
    answer = (each, response) =>
      json({ ...each.headers, [`key ${CANARY}`]: Buffer.from(CANARY).toString('base64') })(each, response);
    const said = JSON.stringify(await at.run(person('acme'), 'github_list_repos'));
    expect(said).toContain('Bearer [credential]');
    expect(said).not.toContain(CANARY);
    expect(said).not.toContain(Buffer.from(CANARY).toString('base64').slice(0, 20));
    answer = json({ message: `bad token ${CANARY}` }, 401);
    await expect(at.run(person('acme'), 'github_list_repos')).rejects.toThrow(
      'github answered 401: bad token [credential]',
    );
    answer = json({ ok: false, error: CANARY });
    await expect(at.run(person('acme'), 'slack_send_message', { channel: 'c', text: 't' })).rejects.toThrow(
      'slack refused the message: [credential]',
    );
    seen.splice(0);
    answer = (_, response) => void response.writeHead(307, { location: `${base}/elsewhere` }).end();
    await expect(at.run(person('acme'), 'github_list_repos')).rejects.toThrow('redirects');
    expect(seen).toHaveLength(1);
  });
});

describeStores('shipped connectors', ({ open }) => {
  async function connected() {
    const at = appOn(await open(migrations));
    const { connectors } = at.app.service;
    for (const { name, secrets } of (await connectors('acme')).all) {
      for (const secret of secrets) await at.app.service.credentials.connect('acme', name, secret.name, CANARY);
    }
    return at;
  }

  it('github opens issues and lists repositories', async () => {
    const at = await connected();
    answer = json({ number: 7 }, 201);
    const issue = { owner: 'a', repo: 'b c', title: 'T', body: 'B' };
    expect(await at.run(person('acme'), 'github_create_issue', issue)).toStrictEqual({ number: 7 });
    answer = json({ repositories: [] });
    expect(await at.run(person('acme'), 'github_list_repos')).toStrictEqual({ repositories: [] });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: '/github/repos/a/b%20c/issues',
        body: '{"title":"T","body":"B"}',
        headers: { authorization: `Bearer ${CANARY}`, accept: 'application/vnd.github+json' },
      },
      { method: 'GET', url: '/github/installation/repositories?per_page=100' },
    ]);
    for (const owner of ['..', '.', '...']) {
      await expect(at.run(person('acme'), 'github_create_issue', { ...issue, owner })).rejects.toThrow('cannot stand');
    }
    answer = json({}, 200);
    await at.run(person('acme'), 'github_create_issue', { ...issue, owner: '../%2e%2e/x?y#z' });
    expect(seen.at(-1)?.url).toBe('/github/repos/..%2F%252e%252e%2Fx%3Fy%23z/b%20c/issues');
  });

  it('discord says who is a member, and that 404 means no', async () => {
    const at = await connected();
    const ask = () => at.run(person('acme'), 'discord_verify_member', { guildId: '1', userId: '2' });
    const said = { platform: 'discord', source: 'discord_member', dedupKey: 'discord:1:2' };
    answer = json({ user: {} });
    expect(await ask()).toStrictEqual({ verified: true, ...said });
    answer = json({ message: 'Unknown Member' }, 404);
    expect(await ask()).toStrictEqual({ verified: false, ...said });
    answer = json({ message: 'rate limited' }, 429);
    await expect(ask()).rejects.toThrow('discord answered 429: rate limited');
    answer = (_, response) => void response.end(Buffer.alloc(1_048_577, 32));
    await expect(ask()).rejects.toThrow('1048576');
    expect(seen[0]).toMatchObject({
      url: '/discord/guilds/1/members/2',
      headers: { authorization: `Bot ${CANARY}` },
    });
  });

  it('google appends rows as they are and lists files', async () => {
    const at = await connected();
    answer = json({ updates: { updatedRows: 1 } });
    const row = { spreadsheetId: 's', range: 'Sheet 1!A:B' };
    await at.run(person('acme'), 'google_append_row', { ...row, values: ['=A1', 2] });
    await at.run(person('acme'), 'google_append_row', { ...row, values: [['a'], ['b']] });
    answer = json({ files: [] });
    await at.run(person('acme'), 'google_list_files', { query: "name contains 'r'" });
    await at.run(person('acme'), 'google_list_files');
    const url =
      '/sheets/v4/spreadsheets/s/values/Sheet%201!A%3AB:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS';
    expect(seen.map((each) => [each.method, each.url, each.body])).toStrictEqual([
      ['POST', url, '{"values":[["=A1",2]]}'],
      ['POST', url, '{"values":[["a"],["b"]]}'],
      ['GET', '/drive/drive/v3/files?pageSize=100&q=name+contains+%27r%27', ''],
      ['GET', '/drive/drive/v3/files?pageSize=100', ''],
    ]);
  });

  it('x reads pages until the account is found, five at most, and says whether that was all', async () => {
    const at = await connected();
    const ask = () => at.run(person('acme'), 'x_verify_follow', { targetUser: '@Hanzo', userId: '9' });
    const said = { platform: 'x', source: 'x_follow', dedupKey: 'x:hanzo:9' };
    answer = (each, response) =>
      json(
        each.url.includes('pagination_token=p1')
          ? { data: [{ id: '1', username: 'hanzo' }], meta: {} }
          : { data: [{ id: '2', username: 'b' }], meta: { next_token: 'p1' } },
      )(each, response);
    expect(await ask()).toStrictEqual({ verified: true, ...said, complete: true });
    expect(seen.map(({ url }) => url)).toStrictEqual([
      '/x/2/users/9/following?max_results=1000',
      '/x/2/users/9/following?max_results=1000&pagination_token=p1',
    ]);
    seen.splice(0);
    answer = (each, response) => json({ meta: { next_token: `p${seen.length}` } })(each, response);
    expect(await ask()).toStrictEqual({ verified: false, ...said, complete: false });
    expect(seen).toHaveLength(5);
    answer = json({ meta: {} });
    expect(await ask()).toStrictEqual({ verified: false, ...said, complete: true });
  });
});

describeStores('an organization’s own connectors', ({ open }) => {
  const register = (at: ReturnType<typeof appOn>, org: string, body: Record<string, unknown>) =>
    at.call(admin(org), 'post_auto_connectors', { body });

  it('are tools of that organization alone, and run as declared', async () => {
    const at = appOn(await open(migrations));
    await register(at, 'acme', crm());
    expect(await at.names('acme')).toStrictEqual([...SHIPPED, 'crm_add_note', 'crm_get_contact'].sort());
    expect(await at.names('rival')).toStrictEqual(SHIPPED);
    await expect(at.run(person('rival'), 'crm_get_contact', { id: '1', org: 'acme' })).rejects.toThrow(UnknownTool);
    await expect(at.run(person('acme'), 'crm_get_contact', { id: '1' })).rejects.toThrow('crm not connected');
    const connect = { params: { id: 'crm' }, body: { value: CANARY } };
    expect(await at.call(admin('acme'), 'put_auto_connections_by_id', connect)).toStrictEqual({
      connector: 'crm',
      secrets: ['api_key'],
    });
    answer = (each, response) => json({ at: each.url, sent: each.headers.authorization })(each, response);
    expect(await at.run(person('acme'), 'crm_get_contact', { id: 'a/b?c', fields: ['x', 'y'] })).toStrictEqual({
      status: 200,
      body: { at: '/crm/v1/contacts/a%2Fb%3Fc?fields=x&fields=y', sent: 'Bearer [credential]' },
    });
    answer = (_, response) => void response.writeHead(201).end('done');
    expect(
      await at.run(person('acme'), 'crm_add_note', { id: '1', text: 'hi', notify: true, owner: 'rival' }),
    ).toStrictEqual({ status: 201, body: 'done' });
    expect(seen.at(-1)).toMatchObject({
      method: 'POST',
      url: '/crm/v1/contacts/1/notes?notify=true',
      body: '{"text":"hi"}',
      headers: { authorization: `Bearer ${CANARY}`, 'content-type': 'application/json' },
    });
    const before = seen.length;
    for (const id of ['..', '.', '....']) {
      await expect(at.run(person('acme'), 'crm_get_contact', { id })).rejects.toThrow('cannot stand in a path');
    }
    expect(await statusOf(at.run(person('acme'), 'crm_get_contact', { id: ' ' }))).toBe(400);
    expect(seen).toHaveLength(before);
  });

  it('refuse declarations that cannot be used', async () => {
    const at = appOn(await open(migrations));
    const action = CRM.actions[0];
    const paths = [
      'contacts/{id}',
      '//evil/{id}',
      '/../{id}',
      '/a/./{id}',
      '/a?b={id}',
      '/a#{id}',
      '/a\\{id}',
      '/%2e%2e/{id}',
      '/{no}',
      '/{id',
    ];
    for (const path of paths) {
      expect([path, await statusOf(register(at, 'acme', crm({ actions: [{ ...action, path }] })))]).toStrictEqual([
        path,
        400,
      ]);
    }
    for (const more of [
      { name: 'Crm' },
      { name: '__proto__' },
      { name: 'a__b' },
      { baseUrl: 'http://crm.example/' },
      { baseUrl: 'ftp://crm.example/' },
      { baseUrl: 'https://10.0.0.1/' },
      { baseUrl: 'https://crm.example/?a=1' },
      { baseUrl: 'https://user:pass@crm.example/' },
      { auth: { header: 'Host', secretName: 'k' } },
      { auth: { header: 'X Y', secretName: 'k' } },
      { auth: { header: 'X-Key', secretName: '../k' } },
      { auth: { header: 'X-Key', secretName: 'k', prefix: 'a\r\nb' } },
      { actions: [] },
      { actions: [action, action] },
      { actions: [{ ...action, props: [{ name: 'id', type: 'string' }] }] },
      { actions: [{ ...action, props: [...(action?.props ?? []), { name: 'id', type: 'string' }] }] },
    ]) {
      expect([more, await statusOf(register(at, 'acme', crm(more)))]).toStrictEqual([more, 400]);
    }
    expect(await statusOf(at.call(person('acme'), 'post_auto_connectors', { body: crm() }))).toBe(403);
    expect(await at.names('acme')).toStrictEqual(SHIPPED);
  });

  it('never take a name that is taken', async () => {
    const at = appOn(await open(migrations));
    const [action] = CRM.actions;
    expect(await statusOf(register(at, 'acme', crm({ name: 'github' })))).toBe(409);
    const clashing = crm({ name: 'core_http', actions: [{ ...action, name: 'request' }] });
    expect(await statusOf(register(at, 'acme', clashing))).toBe(409);
    await register(at, 'acme', crm({ name: 'a', actions: [{ ...action, name: 'b_c' }] }));
    const second = crm({ name: 'a_b', actions: [{ ...action, name: 'c' }] });
    expect(await statusOf(register(at, 'acme', second))).toBe(409);
    await register(at, 'rival', second);
    expect(await at.names('rival')).toContain('a_b_c');
  });

  it('lose their credential when they go elsewhere or away, and tell which tools are gone', async () => {
    const gone: [string, string, readonly string[]][] = [];
    const at = appOn(await open(migrations), {
      gone: async (_, org, source, names) => void gone.push([org, source, names]),
    });
    const tools = ['crm_get_contact', 'crm_add_note'];
    await register(at, 'acme', crm());
    await at.app.service.credentials.connect('acme', 'crm', 'api_key', CANARY);
    await register(at, 'acme', crm());
    expect(await at.app.service.credentials.list('acme')).toHaveLength(1);
    expect(gone).toStrictEqual([]);
    await register(at, 'acme', crm({ baseUrl: 'https://elsewhere.example' }));
    expect(await at.app.service.credentials.list('acme')).toStrictEqual([]);
    expect(gone).toStrictEqual([['acme', 'connector', tools]]);
    await at.app.service.credentials.connect('acme', 'crm', 'api_key', CANARY);
    const remove = (org: string) => at.call(admin(org), 'delete_auto_connectors_by_id', { params: { id: 'crm' } });
    expect(await statusOf(remove('rival'))).toBe(404);
    expect(await statusOf(remove('acme'))).toBe(200);
    expect(await statusOf(remove('acme'))).toBe(404);
    expect(await at.vault.list('acme', '')).toStrictEqual([]);
    expect(await at.names('acme')).toStrictEqual(SHIPPED);
    expect(gone).toHaveLength(2);
    expect(at.audit.entries.map(({ action, outcome }) => `${action} ${outcome.result}`)).toStrictEqual([
      'automations.connector.put created',
      'automations.connector.put replaced',
      'automations.connector.put replaced',
      'automations.connector.delete deleted',
    ]);
  });

  it('are off until they are switched on', async () => {
    const at = appOn(await open(migrations));
    const registry = new Registry().register(at.provider);
    const { tools } = await registry.list({ org: 'acme', project: '' });
    expect(tools.map(({ name, source, activated }) => [name, source, activated])).toStrictEqual(
      SHIPPED.map((name) => [name, 'connector', false]),
    );
  });
});
