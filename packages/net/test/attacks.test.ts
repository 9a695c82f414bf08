// Address attacks against real servers on the loopback interface: nothing may reach a victim, positive controls must pass.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient, NetError, type NetClient, type RequestOptions } from '../src/index.ts';
import {
  HEADER_ATTACKS,
  LOOPBACK_HOSTS,
  METHOD_ATTACKS,
  RESOLVER_ANSWERS,
  SPECIAL_HOSTS,
  TRICK_LOCATIONS,
  TRICK_URLS,
} from './vectors.ts';
import { startWorld, type World } from './world.ts';

const STATUSES = [301, 302, 303, 307, 308] as const;
let world: World;
let client: NetClient;
let tried = 0;

beforeAll(async () => {
  world = await startWorld((request, response) => {
    const url = new URL(request.url ?? '/', 'http://public.test');
    const to = url.searchParams.get('to');
    if (url.pathname === '/close') response.setHeader('connection', 'close');
    if (to !== null) {
      // Header values are bytes: what is not ASCII goes out as UTF-8.
      response.writeHead(Number(url.searchParams.get('status') ?? 302), {
        location: Buffer.from(to).toString('latin1'),
      });
    }
    response.end('public');
  });
  for (const [name, answers] of RESOLVER_ANSWERS) world.names.set(name, answers);
  client = createClient({ resolver: world.resolver, allow: [`127.0.0.1:${world.port}`], timeoutMs: 20_000 });
});

afterAll(async () => {
  await client.close();
  await world.close();
});

beforeEach(() => world.reset());

async function attack(url: string, options: RequestOptions = {}, using = client): Promise<NetError> {
  tried++;
  try {
    const answer = await using.request(url, options);
    const text = Buffer.from(await answer.body.bytes()).toString();
    throw new Error(`${JSON.stringify(url)} got through to ${answer.url}: ${answer.status} ${text}`);
  } catch (error) {
    expect(error, String(error)).toBeInstanceOf(NetError);
    return error as NetError;
  }
}

async function ask(url: string, options: RequestOptions = {}, using = client): Promise<string> {
  const answer = await using.request(url, options);
  return Buffer.from(await answer.body.bytes()).toString();
}

/** Control characters of a Location do not survive as header bytes in Node's server, nor would they be sent. */
function redirecting(location: string, status: number): string {
  return `${world.origin}/?status=${status}&to=${encodeURIComponent(world.fill(location))}`;
}

describe('no address attack opens a connection', () => {
  it.each(LOOPBACK_HOSTS)('loopback as %s', async (host) => {
    const error = await attack(world.fill(`http://${host}:{V}/`));
    expect(['blocked', 'invalid', 'dns']).toContain(error.code);
    expect(world.dials()).toBe(0);
  });

  it.each(SPECIAL_HOSTS)('special network %s', async (host) => {
    const error = await attack(`http://${host}/latest/meta-data/`);
    expect(error.code).toBe('blocked');
    expect(world.dials()).toBe(0);
    expect(world.asked).toEqual([]);
  });

  it.each(TRICK_URLS)('trick URL %j', async (url) => {
    const error = await attack(world.fill(url));
    expect(['blocked', 'invalid', 'dns']).toContain(error.code);
    expect(world.dials()).toBe(0);
  });

  it.each(RESOLVER_ANSWERS)('%s resolves to %j', async (name) => {
    const error = await attack(world.fill(`http://${name}:{V}/`));
    expect(error.code).toBe(name === 'empty.attack.test' ? 'dns' : 'blocked');
    expect(world.asked).toEqual([name]);
    expect(world.dials()).toBe(0);
  });
});

describe('no redirect leads to a victim', () => {
  it.each(LOOPBACK_HOSTS.map((host, i) => [host, STATUSES[i % STATUSES.length] as number] as const))(
    'to http://%s by %i',
    async (host, status) => {
      const error = await attack(redirecting(`http://${host}:{V}/`, status));
      expect(['blocked', 'redirect', 'dns']).toContain(error.code);
      expect(world.requests).toHaveLength(1);
    },
  );

  it.each(SPECIAL_HOSTS.map((host, i) => [host, STATUSES[i % STATUSES.length] as number] as const))(
    'to http://%s by %i',
    async (host, status) => {
      expect((await attack(redirecting(`http://${host}/`, status))).code).toBe('blocked');
    },
  );

  it.each(TRICK_LOCATIONS.filter((each) => !each.includes('\t')))('Location %j', async (location) => {
    const error = await attack(redirecting(location, 302));
    expect(['blocked', 'redirect']).toContain(error.code);
  });

  it('through a chain of public hops', async () => {
    const last = redirecting('http://127.0.0.1:{V}/', 307);
    const error = await attack(redirecting(redirecting(last, 302), 301));
    expect(error).toMatchObject({ code: 'blocked', details: { kind: 'loopback' } });
    expect(world.requests).toHaveLength(3);
  });

  it('to a name that is rebound between two hops', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['::1']];
    world.names.set('rebound.test', () => answers.shift() ?? ['::1']);
    const target = `http://rebound.test:${world.port}/`;
    const error = await attack(`http://rebound.test:${world.port}/close?to=${encodeURIComponent(target)}`);
    expect(error.code).toBe('blocked');
    expect(world.requests).toHaveLength(1);
  });
});

describe('DNS rebinding', () => {
  it.each(Array.from({ length: 20 }, (_, i) => i))('round %i: the second answer is not reached', async (round) => {
    const second = round % 2 === 0 ? '::1' : '127.0.0.2';
    let lookups = 0;
    const name = `rebind-${round}.test`;
    world.names.set(name, () => (lookups++ === 0 ? ['127.0.0.1'] : [second]));
    expect(await ask(`http://${name}:${world.port}/close`)).toBe('public');
    expect(lookups).toBe(1);
    expect((await attack(`http://${name}:${world.port}/`)).code).toBe('blocked');
    expect(lookups).toBe(2);
  });

  it('a kept connection serves its name without asking again, and a new one is checked anew', async () => {
    let lookups = 0;
    world.names.set('kept.test', () => (lookups++ === 0 ? ['127.0.0.1'] : ['::1']));
    const single = createClient({ resolver: world.resolver, allow: [`127.0.0.1:${world.port}`], connections: 1 });
    const url = `http://kept.test:${world.port}/`;
    for (let i = 0; i < 5; i++) expect(await ask(url, {}, single)).toBe('public');
    expect(lookups).toBe(1);
    expect(await ask(`${url}close`, {}, single)).toBe('public');
    expect((await attack(url, {}, single)).code).toBe('blocked');
    await single.close();
  });

  it('a kept connection is never lent to another spelling or port', async () => {
    expect(await ask(`${world.origin}/`)).toBe('public');
    world.names.set('public.test.', ['::1']);
    expect((await attack(`http://public.test.:${world.port}/`)).code).toBe('blocked');
    world.names.delete('public.test.');
    expect((await attack(`http://public.test:${world.victimPort}/`)).code).toBe('blocked');
    expect((await attack(`https://public.test:${world.victimPort}/`)).code).toBe('blocked');
  });
});

describe('nothing but one request goes onto the wire', () => {
  it.each(HEADER_ATTACKS)('headers %j', async (headers) => {
    expect((await attack(`${world.origin}/`, { headers })).code).toBe('invalid');
    expect(world.dials()).toBe(0);
    expect(world.requests).toEqual([]);
  });

  it.each(METHOD_ATTACKS)('method %j', async (method) => {
    expect((await attack(`${world.origin}/`, { method })).code).toBe('invalid');
    expect(world.requests).toEqual([]);
  });

  it('an encoded line end in a path stays encoded', async () => {
    expect(await ask(`${world.origin}/%0d%0ax-injected:%20y?a b%0d%0a`)).toBe('public');
    expect(world.requests[0]?.url).toBe('/%0d%0ax-injected:%20y?a%20b%0d%0a');
    expect(world.requests[0]?.headers['x-injected']).toBeUndefined();
  });
});

describe('ports', () => {
  it.each([22, 25, 53, 110, 143, 445, 3306, 5432, 6379, 11_211, 27_017])('port %i is not HTTP', async (port) => {
    const open = createClient({ resolver: world.resolver, allow: ['127.0.0.1'] });
    expect(await attack(`http://public.test:${port}/`, {}, open)).toMatchObject({ code: 'blocked', details: { port } });
    expect(world.asked).toEqual([]);
    await open.close();
  });

  it('an allow-list of ports holds for the first request and for redirects', async () => {
    const narrow = createClient({ resolver: world.resolver, allow: ['127.0.0.1'], ports: [world.port] });
    expect(await ask(`${world.origin}/`, {}, narrow)).toBe('public');
    expect((await attack(`http://public.test:${world.victimPort}/`, {}, narrow)).code).toBe('blocked');
    expect((await attack(redirecting('http://public.test:{V}/', 302), {}, narrow)).code).toBe('blocked');
    await narrow.close();
  });
});

describe('the environment changes nothing', () => {
  it('a proxy variable is not obeyed', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names)
      process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : world.fill('http://127.0.0.1:{V}');
    try {
      const fresh = createClient({ resolver: world.resolver, allow: [`127.0.0.1:${world.port}`] });
      expect(await ask(`${world.origin}/`, {}, fresh)).toBe('public');
      await fresh.close();
    } finally {
      names.forEach((name, i) => {
        if (before[i] === undefined) delete process.env[name];
        else process.env[name] = before[i];
      });
    }
  });
});

describe('positive controls pass', () => {
  it.each([
    ['a public name', 'http://public.test:{P}/'],
    ['upper case', 'HTTP://PUBLIC.TEST:{P}/'],
    ['a trailing dot', 'http://public.test.:{P}/'],
    ['a sub-domain', 'http://a.b.public.test:{P}/'],
    ['an excepted literal', 'http://127.0.0.1:{P}/'],
    ['the same literal in another spelling', 'http://0x7f.1:{P}/'],
    ['an at sign in the path', 'http://public.test:{P}/@127.0.0.1/'],
    ['an at sign in the query', 'http://public.test:{P}?@127.0.0.1:{V}/'],
    ['an at sign in the fragment', 'http://public.test:{P}#@127.0.0.1:{V}/'],
    ['a backslash in the query', 'http://public.test:{P}/?q=a\\b'],
    ['an address in the query', 'http://public.test:{P}/?u=http://127.0.0.1:{V}/'],
  ])('%s', async (_what, url) => {
    expect(await ask(world.fill(url))).toBe('public');
  });

  it('an international name', async () => {
    world.names.set('xn--bcher-kva.test', ['127.0.0.1']);
    expect(await ask(`http://bücher.test:${world.port}/`)).toBe('public');
  });

  it('redirects between public names, relative and absolute', async () => {
    expect(await ask(redirecting('/next', 301))).toBe('public');
    const answer = await client.request(redirecting('http://other.public.test:{P}/x', 302));
    await answer.body.bytes();
    expect(answer.url).toBe(`http://other.public.test:${world.port}/x`);
    expect(answer.redirects).toHaveLength(1);
  });

  it('everything is open with allowPrivate', async () => {
    const open = createClient({ resolver: world.resolver, allowPrivate: true });
    expect(await ask(`http://127.0.0.1:${world.port}/`, {}, open)).toBe('public');
    await open.close();
  });
});

it('at least 120 attacks were tried and none reached a victim', () => {
  expect(tried).toBeGreaterThanOrEqual(120);
  expect(world.victimHits()).toBe(0);
});
