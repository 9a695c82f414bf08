// A registry that means harm, or is merely broken: nothing is written outside the project, nothing is endless, nothing is silent.
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ClientOptions } from '@hanzo/net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, documents, json, served } from './testkit.ts';

/** Addresses that count as public, so that a registry on loopback can be one that is out there. */
const public_ = vi.hoisted(() => ({ addresses: [] as string[] }));
vi.mock('@hanzo/net', async (original) => {
  const net = await original<typeof import('@hanzo/net')>();
  return {
    ...net,
    createClient: (options: ClientOptions) => net.createClient({ ...options, allow: public_.addresses }),
  };
});

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => {
  vi.useRealTimers();
  b.close();
});

/** A registry of these items on loopback. */
const registryOf = async (...items: Record<string, unknown>[]): Promise<{ registry: string }> => ({
  registry: `${await b.serve(served(documents(items)))}/r`,
});
const evil = (file: Record<string, unknown>): Record<string, unknown> => ({
  name: 'evil',
  type: 'registry:ui',
  files: [{ path: 'evil.tsx', type: 'registry:file', content: 'evil', ...file }],
});

describe('targets', () => {
  it.each([
    ['..', { target: '../outside.txt' }],
    ['.. below', { target: 'src/../../outside.txt' }],
    ['.. behind ~', { target: '~/../outside.txt' }],
    ['an absolute path', { target: '/tmp/ui-outside.txt' }],
    ['a drive', { target: 'C:/outside.txt' }],
    ['a backslash', { target: '..\\outside.txt' }],
    ['a NUL', { target: 'a\0b' }],
    ['hooks of the repository', { target: '.git/hooks/pre-commit' }],
    ['the same in other letters', { target: '.GIT/config' }],
    ['installed packages', { target: 'node_modules/.bin/tsc' }],
    ['a folder', { target: 'src/' }],
    ['the project itself', { target: '.' }],
    ['no target, where one is needed', {}],
    ['.. in the path', { type: 'registry:ui', path: 'ui/../../../../outside.tsx' }],
    ['a path that ends in ..', { type: 'registry:ui', path: 'a/..' }],
  ])('%s is refused', async (_name, file) => {
    const other = await registryOf(
      { name: 'good', files: [{ path: 'good.tsx', content: 'good' }] },
      { ...evil(file), registryDependencies: ['good'] },
    );
    for (const apply of [false, true]) {
      const { error } = await b.call({ action: 'install', component: 'evil', apply }, other);
      expect(error.code).toBe('PERMISSION_DENIED');
    }
    expect(existsSync(b.at('components'))).toBe(false);
    expect(existsSync(path.join(b.root, '..', 'outside.txt'))).toBe(false);
  });

  it('links in the project lead nowhere', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'ui-out-'));
    const into = b.at('components');
    mkdirSync(b.at('real'));
    const other = await registryOf(evil({ type: 'registry:component' }));
    for (const target of [outside, b.at('real')]) {
      symlinkSync(target, into);
      const { error } = await b.call({ action: 'install', component: 'evil', apply: true }, other);
      expect(error.code).toBe('PERMISSION_DENIED');
      expect(existsSync(path.join(target, 'evil.tsx'))).toBe(false);
      rmSync(into);
    }
    mkdirSync(into);
    writeFileSync(path.join(outside, 'mine'), 'mine');
    symlinkSync(path.join(outside, 'mine'), path.join(into, 'evil.tsx'));
    const { error } = await b.call({ action: 'install', component: 'evil', apply: true, overwrite: true }, other);
    expect(error).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(error.message).toMatch(/symbolic link/);
    rmSync(outside, { recursive: true });
  });

  it('aliases of the project do not lead out of it', async () => {
    for (const components of ['../outside', '@x/components', '/tmp/x', '@/../..']) {
      b.put({ 'components.json': { aliases: { components } } });
      const { error } = await b.call(
        { action: 'install', component: 'evil' },
        await registryOf(evil({ type: 'registry:component' })),
      );
      expect(error.code).toBe('INVALID_PARAMS');
      expect(error.message).toMatch(/alias components/);
    }
  });
});

describe('names', () => {
  it.each(['../secret', 'a/b', '..', '.hidden', 'a%2fb', 'x'.repeat(101), 'a..b', '@acme/../x', 'a?b', 'a#b'])(
    '%s is no item',
    async (component) => {
      b.put({
        'components.json': { registries: { '@acme': './shelf' } },
        'shelf/registry.json': { items: [] },
        'secret.json': {},
      });
      const { error } = await b.call({ action: 'get_component', component });
      expect(error.code).toBe('INVALID_PARAMS');
    },
  );

  it('an item that calls itself something else is refused', async () => {
    const known = new Map<string, unknown>([['a', { name: 'b', files: [] }]]);
    const { error } = await b.call(
      { action: 'get_component', component: 'a' },
      { registry: `${await b.serve(served(known))}/r` },
    );
    expect(error.message).toContain("calls itself 'b'");
  });

  it('names like constructor and __proto__ are names', async () => {
    const other = await registryOf({ name: 'constructor', files: [{ path: 'c.tsx', content: 'c' }] });
    expect((await b.call({ action: 'get_component', component: 'constructor' }, other)).body('text')).toBe('c');
    expect((await b.call({ action: 'get_component', component: 'toString' }, other)).error.code).toBe('NOT_FOUND');
    expect((await b.call({ action: 'get_component', component: 'a', registry: '__proto__' }, other)).error.code).toBe(
      'NOT_FOUND',
    );
  });

  it('a folder registry does not read outside itself', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'ui-out-'));
    writeFileSync(path.join(outside, 'secret.json'), '{"name":"secret","files":[]}');
    b.put({
      'components.json': { registries: { '@acme': './shelf' } },
      'shelf/registry.json': {
        items: [
          { name: 'up', files: [{ path: '../components.json' }] },
          { name: 'far', files: [{ path: '/etc/hostname' }] },
        ],
      },
    });
    symlinkSync(path.join(outside, 'secret.json'), b.at('shelf/secret.json'));
    for (const component of ['up', 'far', 'secret']) {
      expect((await b.call({ action: 'get_component', component })).error.code).toBe('PERMISSION_DENIED');
    }
    b.put({ 'components.json': { registries: { '@acme': '../elsewhere' } } });
    expect((await b.call({ action: 'list_components' })).error.message).toContain('outside the project');
    rmSync(outside, { recursive: true });
  });
});

describe('dependencies', () => {
  it('without an end are given up', async () => {
    const origin = await b.serve((request, response) => {
      const number = Number(/item(\d+)\.json/.exec(request.url ?? '')?.[1] ?? 0);
      json(response, { name: `item${number}`, registryDependencies: [`item${number + 1}`], files: [] });
    });
    const { error } = await b.call({ action: 'install', component: 'item0' }, { registry: origin });
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', component: 'item0' });
    expect(error.message).toContain('more than 100 items');
  });

  it('that are missing or bad are told with who needs them', async () => {
    const missing = await b.call(
      { action: 'install', component: 'x' },
      await registryOf({ name: 'x', registryDependencies: ['y'], files: [] }),
    );
    expect(missing.error).toMatchObject({ code: 'NOT_FOUND', needed_by: 'x' });
    const bad = await b.call(
      { action: 'install', component: 'x' },
      await registryOf({ name: 'x', registryDependencies: ['../y'], files: [] }),
    );
    expect(bad.error.code).toBe('INVALID_PARAMS');
  });

  it('a URL is followed to a configured registry only', async () => {
    const asked: string[] = [];
    const far = await b.serve(served(documents([{ name: 'y', files: [{ path: 'y.tsx', content: 'y' }] }]), asked));
    const own = await registryOf({ name: 'x', registryDependencies: [`${far}/r/y.json`], files: [] });
    const { error } = await b.call({ action: 'install', component: 'x' }, own);
    expect(error.code).toBe('PERMISSION_DENIED');
    expect(asked).toEqual([]);
    b.put({ 'components.json': { registries: { '@far': `${far}/r/{name}.json` } } });
    expect((await b.call({ action: 'install', component: 'x' }, own)).data.items).toEqual(['y', 'x']);
  });

  it('two items that want the same file with other texts are refused', async () => {
    const clash = await registryOf(
      { name: 'x', registryDependencies: ['y'], files: [{ path: 'same.tsx', content: '1' }] },
      { name: 'y', files: [{ path: 'same.tsx', content: '2' }] },
    );
    expect((await b.call({ action: 'install', component: 'x' }, clash)).error.code).toBe('CONFLICT');
  });
});

describe('answers', () => {
  const answering = async (
    answer: (url: string) => { status?: number; type?: string; body?: string; location?: string },
  ): Promise<{ registry: string }> => ({
    registry: await b.serve((request, response) => {
      const { status = 200, type = 'application/json', body = '', location } = answer(request.url ?? '');
      response.writeHead(status, { 'content-type': type, ...(location ? { location } : {}) }).end(body);
    }),
  });

  it.each([
    ['a web page', { type: 'text/html', body: '<!doctype html><title>Sign in</title>' }, 'HTTP_ERROR', /a web page/],
    ['no JSON', { body: '{"items": [' }, 'HTTP_ERROR', /not JSON/],
    ['JSON that is no index', { body: '{"items": {"a": 1}}' }, 'HTTP_ERROR', /no list of items/],
    ['null', { body: 'null' }, 'HTTP_ERROR', /no list of items/],
    ['404', { status: 404 }, 'NOT_FOUND', /no registry\.json/],
    ['403', { status: 403 }, 'HTTP_ERROR', /answered 403.*headers/],
    ['500', { status: 500 }, 'HTTP_ERROR', /answered 500/],
    ['too much', { body: `{"items": [], "x": "${'x'.repeat(9 * 1024 * 1024)}"}` }, 'HTTP_ERROR', /larger than/],
    ['a circle of redirects', { status: 302, location: '/again' }, 'HTTP_ERROR', /redirect/],
  ])('%s', async (_name, answer, code, message) => {
    const { error } = await b.call({ action: 'list_components' }, await answering(() => answer));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('entries that are no items are counted', async () => {
    const body = JSON.stringify({
      items: [{ name: 'ok' }, { name: '../x' }, 5, null, { name: 'ok' }, { name: 'y', files: 'no' }],
    });
    const answer = await b.call({ action: 'list_components' }, await answering(() => ({ body })));
    expect(answer.data).toMatchObject({ total: 1, note: '5 entries of the index are not items and were left out' });
  });

  it('deep nesting is let be', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const answer = await b.call(
      { action: 'get_component', component: 'a' },
      await answering(() => ({ body: `{"name":"a","css":${deep},"files":[]}` })),
    );
    expect(answer.data).toMatchObject({ component: 'a', css: true });
  });

  it('a private address is not asked without --allow-private', async () => {
    const own = await registryOf({ name: 'x', files: [] });
    const { error } = await b.call({ action: 'list_components' }, { ...own, allowPrivate: false });
    expect(error.code).toBe('PERMISSION_DENIED');
    expect(error.message).toContain('--allow-private');
  });

  it('a redirect to a private address is refused like the address itself', async () => {
    const asked: string[] = [];
    const inside = await b.serve(served(documents(), asked));
    for (const location of [
      `${inside}/r/registry.json`,
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/hostname',
    ]) {
      const { registry } = await answering(() => ({ status: 302, location }));
      public_.addresses = [new URL(registry).host];
      const { error } = await b.call({ action: 'list_components' }, { registry, allowPrivate: false });
      expect(error.code).toBe('PERMISSION_DENIED');
    }
    expect(asked).toEqual([]);
  });

  it('a registry does not get variables of this server by naming them', async () => {
    let sent = 0;
    const origin = await b.serve((_request, response) => {
      sent++;
      json(response, { items: [] });
    });
    process.env['UI_CANARY'] = 'canary-3141';
    try {
      for (const settings of [
        { url: `${origin}/{name}.json`, headers: { authorization: 'Bearer ${UI_CANARY}' } },
        { url: `${origin}/{name}.json`, params: { key: '${UI_CANARY}' } },
        `${origin}/\${UI_CANARY}/{name}.json`,
      ]) {
        b.put({ 'components.json': { registries: { '@thief': settings } } });
        const { error } = await b.call({ action: 'list_components' });
        expect(error).toMatchObject({ code: 'PERMISSION_DENIED', variable: 'UI_CANARY' });
        expect(JSON.stringify(error)).not.toContain('canary-3141');
        expect((await b.call({ action: 'list_components' }, { passEnv: ['UI_CANARY'] })).ok).toBe(true);
      }
      expect(sent).toBe(3);
    } finally {
      delete process.env['UI_CANARY'];
    }
  });
});

describe('time', () => {
  it('after 5 failures in a row a registry is spared for 60 s, then asked again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let sent = 0;
    let works = false;
    const registry = await b.serve((_request, response) => {
      sent++;
      json(response, works ? { items: [] } : {}, works ? 200 : 503);
    });
    const list = () => b.call({ action: 'list_components' }, { registry });
    for (let i = 0; i < 5; i++) expect((await list()).error.message).toContain('answered 503');
    expect((await list()).error).toMatchObject({ code: 'HTTP_ERROR', retry_after: 60 });
    expect(sent).toBe(5);
    vi.setSystemTime(Date.now() + 60_001);
    expect((await list()).error.message).toContain('answered 503');
    expect((await list()).error.retry_after).toBe(60);
    works = true;
    vi.setSystemTime(Date.now() + 60_001);
    expect((await list()).ok).toBe(true);
    expect(sent).toBe(7);
  });

  it('that an item is missing is no failure', async () => {
    const own = await registryOf({ name: 'x', files: [] });
    for (let i = 0; i < 7; i++) await b.call({ action: 'get_component', component: `no${i}` }, own);
    expect((await b.call({ action: 'get_component', component: 'x' }, own)).ok).toBe(true);
  });

  it('what is kept is asked for again after 15 minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const asked: string[] = [];
    const registry = `${await b.serve(served(documents(), asked))}/r`;
    const list = () => b.call({ action: 'list_components' }, { registry });
    await list();
    vi.setSystemTime(Date.now() + 15 * 60_000 - 1);
    await list();
    expect(asked).toHaveLength(1);
    vi.setSystemTime(Date.now() + 2);
    await list();
    expect(asked).toHaveLength(2);
  });
});
