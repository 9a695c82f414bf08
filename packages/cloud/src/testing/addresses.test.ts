// The address attacks of the dial guard (packages/net/test/vectors.ts) at every place of a whole plane that takes an address: where one
// is registered, and where one is dialled. Nothing reaches the victim that listens on every address of this machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOOPBACK_HOSTS, SPECIAL_HOSTS, TRICK_URLS } from '../../../net/test/vectors.ts';
import { startWorld, type World } from '../../../net/test/world.ts';
import { readConfig } from '../config.ts';
import { createLogger } from '../http/log.ts';
import { createPlane, type Plane } from '../plane.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'addresses-'));
let world: World;
let plane: Plane;

beforeAll(async () => {
  world = await startWorld((_request, response) => void response.end('public'));
  plane = await createPlane({
    config: readConfig(['--data', folder, '--port', '0', '--grace', '1'], {}).config,
    version: '0',
    logger: createLogger({ level: 'error', write: () => undefined }),
  });
});
afterAll(async () => {
  await plane.close();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(method: string, at: string, body?: unknown): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${plane.url}${at}`, {
    method,
    headers: { authorization: `Bearer ${plane.firstKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Every attack, as an address at which the victim would be. */
const urls = (): string[] => [
  ...[...LOOPBACK_HOSTS, ...SPECIAL_HOSTS].map((host) => world.fill(`http://${host}:{V}/`)),
  ...TRICK_URLS.map((url) => world.fill(url)),
];

const PLACES = {
  server: (n: number, url: string) => ask('POST', '/v1/tool/mcp/servers', { name: `Server ${n}`, url }),
  agent: (n: number, url: string) => ask('POST', '/v1/agent', { name: `agent${n}`, description: 'An agent.', url }),
  connector: (n: number, url: string) =>
    ask('POST', '/v1/auto/connectors', {
      name: `connector${n}`,
      displayName: 'A connector',
      description: '',
      baseUrl: url,
      actions: [{ name: 'get', path: '/', method: 'GET' }],
    }),
};

test.each(Object.entries(PLACES))(
  'registered as a %s: refused, or a name that is checked when it is dialled',
  async (kind, register) => {
    const tried = urls();
    expect(tried.length).toBeGreaterThanOrEqual(120);
    const taken: string[] = [];
    for (const [n, url] of tried.entries()) {
      const { status, text } = await register(n, url);
      expect([url, status < 300 || [400, 409, 422].includes(status), text]).toEqual([url, true, text]);
      if (status < 300) taken.push(url);
    }
    // what is taken names a host whose address is not known before it is asked for
    for (const url of taken) expect([kind, url, new URL(url).hostname]).toEqual([kind, url, 'public.test']);
    expect(tried.length - taken.length).toBeGreaterThanOrEqual(120);
    // what was taken is dialled now
    expect((await ask('GET', '/v1/tool')).status).toBe(200);
    expect(world.victimHits()).toBe(0);
  },
  120_000,
);

test('dialled by a tool: every one is refused, and the victim hears nothing', async () => {
  expect((await ask('PUT', '/v1/tool/activation', { activate: ['core_http_request'] })).status).toBe(200);
  const tried = urls();
  expect(tried.length).toBeGreaterThanOrEqual(120);
  for (const url of tried) {
    const { status, text } = await ask('POST', '/v1/tool/call', { name: 'core_http_request', arguments: { url } });
    expect([url, status, text]).toEqual([
      url,
      expect.toSatisfy((code) => [400, 422, 424].includes(code as number)),
      text,
    ]);
  }
  expect(world.victimHits()).toBe(0);
}, 240_000);
