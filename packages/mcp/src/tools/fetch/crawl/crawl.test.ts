// crawl: a small site on loopback, saved page by page.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, bench } from '../testkit.ts';
import { createNames } from './names.ts';
import { parseRobots } from './robots.ts';

let web: Bench;
beforeEach(() => void (web = bench()));
afterEach(() => web.close());

const page = (...links: string[]): string => links.map((each) => `<a href="${each}">x</a>`).join('');

async function site(
  pages: Record<string, string | { status?: number; type?: string; location?: string; body?: string }>,
): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const { origin } = await web.serve((request, response) => {
    asked.push(request.url ?? '');
    const found = new Map(Object.entries(pages)).get(request.url ?? '');
    if (found === undefined) return response.writeHead(404).end();
    const {
      status = 200,
      type = 'text/html',
      location,
      body = '',
    } = typeof found === 'string' ? { body: found } : found;
    return response.writeHead(status, { 'content-type': type, ...(location ? { location } : {}) }).end(body);
  });
  return { origin, asked };
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('crawl', () => {
  it('goes breadth first, stays on the host, and names files by path and query', async () => {
    const { origin, asked } = await site({
      '/': page('/b', 'c?x=1', 'c?x=2', 'http://other.test/', '#top', 'mailto:a@b', '/f.txt'),
      '/b': page('/b/deep', '/'),
      '/c?x=1': 'one',
      '/c?x=2': 'two',
      '/f.txt': { type: 'text/plain', body: 'plain' },
      '/b/deep': page('/too-deep'),
      '/too-deep': '',
    });
    const answer = await web.call('crawl', { url: origin, output: web.at('site') });
    expect(answer.data).toMatchObject({ count: 6, depth: 2, skipped: { 'other host': 1 } });
    const files = answer
      .body('pages')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(files.map(([, url]) => url?.slice(origin.length))).toEqual([
      '/',
      '/b',
      '/c?x=1',
      '/c?x=2',
      '/f.txt',
      '/b/deep',
    ]);
    expect(files.map(([file]) => file)).toEqual([
      'index.html',
      'b/index.html',
      expect.stringMatching(/^c\/index~[0-9a-f]{8}\.html$/),
      expect.stringMatching(/^c\/index~[0-9a-f]{8}\.html$/),
      'f.txt',
      'b/deep/index.html',
    ]);
    expect(readFileSync(web.at('site', files[2]?.[0] ?? ''), 'utf8')).toBe('one');
    expect(readFileSync(web.at('site', files[3]?.[0] ?? ''), 'utf8')).toBe('two');
    expect(asked[0]).toBe('/robots.txt');
    expect(asked).toHaveLength(7);
  });

  it('obeys robots.txt, for links and for the first page', async () => {
    const { origin, asked } = await site({
      '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /private\nAllow: /private/ok\n' },
      '/': page('/private/x', '/private/ok', '/a'),
      '/private/ok': '',
      '/a': { status: 302, location: '/private/y' },
      '/private/y': '',
    });
    const answer = await web.call('crawl', { url: origin, output: web.at('site') });
    expect(answer.data).toMatchObject({ count: 2, skipped: { 'robots.txt': 2 } });
    expect(asked).not.toContain('/private/x');
    const refused = await web.call('crawl', { url: `${origin}/private/x`, output: web.at('other') });
    expect(refused.error.code).toBe('PERMISSION_DENIED');
  });

  it('a server in trouble over robots.txt allows nothing', async () => {
    const { origin, asked } = await site({ '/robots.txt': { status: 503 }, '/': 'x' });
    expect((await web.call('crawl', { url: origin, output: web.at('site') })).error.code).toBe('PERMISSION_DENIED');
    expect(asked).toEqual(['/robots.txt']);
  });

  it('stops at the limit and says what is left', async () => {
    const { origin } = await site({ '/': page('/1', '/2', '/3'), '/1': '', '/2': '', '/3': '' });
    const answer = await web.call('crawl', { url: origin, output: web.at('site'), limit: 2 });
    expect(answer.data.count).toBe(2);
    expect(answer.data.more).toContain('2 known addresses');
  });

  it('a page that fails is a page less; the first one that fails is the answer', async () => {
    const { origin } = await site({ '/': page('/gone', '/big', '/ok'), '/big': 'x'.repeat(500), '/ok': '' });
    const answer = await web.call('crawl', { url: origin, output: web.at('site'), max_bytes: 200 });
    expect(answer.data).toMatchObject({ count: 2, skipped: { failed: 2 } });
    expect(answer.data.failures[0]).toEqual({ url: `${origin}/gone`, why: 'status 404' });
    const dead = await web.call('crawl', { url: `http://127.0.0.1:${await closedPort()}/`, output: web.at('dead') });
    expect(dead.error.code).toBe('HTTP_ERROR');
    expect(existsSync(web.at('dead'))).toBe(false);
  });

  it('a redirect to another host is not saved', async () => {
    const other = await site({ '/': 'other' });
    const { origin } = await site({ '/': page('/away'), '/away': { status: 302, location: `${other.origin}/` } });
    expect((await web.call('crawl', { url: origin, output: web.at('site') })).data).toMatchObject({
      count: 1,
      skipped: { 'other host': 1 },
    });
  });

  it('writes into a new or empty directory under the roots only', async () => {
    const { origin, asked } = await site({ '/': 'x' });
    mkdirSync(web.at('full'));
    writeFileSync(web.at('full', 'index.html'), 'mine');
    expect((await web.call('crawl', { url: origin, output: web.at('full') })).error.code).toBe('CONFLICT');
    expect((await web.call('crawl', { url: origin, output: '/etc/site' })).error.code).toBe('PERMISSION_DENIED');
    symlinkSync('/etc', web.at('link'));
    expect((await web.call('crawl', { url: origin, output: web.at('link') })).error.code).toBe('PERMISSION_DENIED');
    expect(asked).toEqual([]);
    expect(readFileSync(web.at('full', 'index.html'), 'utf8')).toBe('mine');
    await web.call('crawl', { url: origin, output: web.at('full'), overwrite: true });
    expect(readFileSync(web.at('full', 'index.html'), 'utf8')).toBe('x');
  });

  it('no path of a site leaves the directory', async () => {
    const { origin } = await site({
      '/': page('/%2e%2e/%2e%2e/a', '/..%2f..%2fb', '/.git/config', '/c%00d', '/nul'),
      '/a': 'a',
      '/..%2f..%2fb': 'b',
      '/.git/config': { type: 'text/plain', body: 'c' },
      '/c%00d': 'd',
      '/nul': 'e',
    });
    const answer = await web.call('crawl', { url: origin, output: web.at('site') });
    expect(answer.data.count).toBe(6);
    expect(readdirSync(web.root)).toEqual(['site']);
    expect(readdirSync(web.at('site')).toSorted()).toEqual([
      '_..%2f..%2fb',
      '_.git',
      '_nul',
      'a',
      'c%00d',
      'index.html',
    ]);
  });

  it('a cancelled crawl ends', async () => {
    const { origin } = await site({ '/': page('/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8') });
    const answer = await web.call(
      'crawl',
      { url: origin, output: web.at('site') },
      { signal: AbortSignal.timeout(300) },
    );
    expect(answer.ok).toBe(false);
  });
});

describe('file names', () => {
  it('never give one name to two addresses', () => {
    const names = createNames();
    const of = (path: string, html = true): string => names.name(new URL(path, 'http://e.test/'), html);
    const all = [
      of('/a.pdf', false),
      of('/a.pdf/b', true),
      of('/A.PDF', false),
      of('/index.html'),
      of('/'),
      of('/x?1'),
      of('/x?2'),
      of('/x'),
      of('/x/'),
      of(`/${'l'.repeat(300)}1`),
      of(`/${'l'.repeat(300)}2`),
      of('/con.txt', false),
      of('/dot./x'),
    ];
    expect(new Set(all.map((each) => each.toLowerCase())).size).toBe(all.length);
    expect(all.every((each) => each.split('/').every((part) => part.length <= 120 && part !== '..'))).toBe(true);
    const folders = all.flatMap((each) =>
      each
        .split('/')
        .slice(0, -1)
        .map((_, i, parts) =>
          parts
            .slice(0, i + 1)
            .join('/')
            .toLowerCase(),
        ),
    );
    expect(all.filter((each) => folders.includes(each.toLowerCase()))).toEqual([]);
  });
});

function rules(text: string): (target: string) => boolean {
  return parseRobots(text, 'hanzo-mcp').allows;
}

describe('robots.txt (RFC 9309)', () => {
  it.each([
    ['nothing said', '', '/a', true],
    ['a rule for all', 'User-agent: *\nDisallow: /', '/a', false],
    [
      'its own group wins over the one for all',
      'User-agent: *\nDisallow: /\nUser-agent: Hanzo-MCP/2\nDisallow: /x',
      '/a',
      true,
    ],
    [
      'groups of one name are one',
      'User-agent: hanzo-mcp\nDisallow: /a\nUser-agent: b\nDisallow: /\nUser-agent: hanzo-mcp\nDisallow: /b',
      '/b',
      false,
    ],
    ['several names share a group', 'User-agent: x\nUser-agent: hanzo-mcp\nDisallow: /', '/a', false],
    ['the longest rule wins', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['allow wins a tie', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['an empty rule says nothing', 'User-agent: *\nDisallow:', '/a', true],
    ['a star', 'User-agent: *\nDisallow: /*.php', '/x/y.php?z', false],
    ['an end', 'User-agent: *\nDisallow: /*.php$', '/y.php?z', true],
    ['an end that fits', 'User-agent: *\nDisallow: /*.php$', '/y.php', false],
    ['comments and line ends', 'User-agent: * # all\r\nDisallow: /a # not this\r\n', '/a', false],
    ['robots.txt itself', 'User-agent: *\nDisallow: /', '/robots.txt', true],
  ])('%s', (_what, text, target, allowed) => {
    expect(rules(text)(target)).toBe(allowed);
  });

  it('a pattern of stars takes no time', () => {
    const allows = rules(`User-agent: *\nDisallow: /${'*a'.repeat(5000)}b$`);
    expect(allows(`/${'a'.repeat(10_000)}`)).toBe(true);
  });

  it('a delay is read', () => {
    expect(parseRobots('User-agent: *\nCrawl-delay: 2.5', 'hanzo-mcp').delay).toBe(2.5);
  });
});
