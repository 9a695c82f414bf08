// search: asked of a plane on loopback.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, bench } from './testkit.ts';

const NAMES = [
  'HANZO_API_KEY',
  'API_KEY',
  'API_TOKEN',
  'HANZO_TOKEN',
  'HANZO_API_URL',
  'API_URL',
  'HANZO_API_BASE',
  'HANZO_BASE_URL',
];
const before = new Map(NAMES.map((name) => [name, process.env[name]]));
let web: Bench;
beforeEach(() => {
  // The guard is on: the plane is reached because the operator named it.
  web = bench({ allowPrivate: false });
  for (const name of NAMES) delete process.env[name];
});
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  web.close();
});

describe('search', () => {
  it('without a key says which variable holds it', async () => {
    const { error } = await web.call('search', { query: 'x' });
    expect(error).toMatchObject({ code: 'NO_CREDENTIAL', variable: 'HANZO_API_KEY' });
    expect(error.message).toContain('HANZO_API_KEY');
  });

  it('asks the plane with the key and gives its results', async () => {
    const bodies: string[] = [];
    const { origin, requests } = await web.serve(async (request, response) => {
      for await (const chunk of request) bodies.push(String(chunk));
      const results = [
        { url: 'https://a.test/', title: 'A', content: 'first\n  one', engine: 'e' },
        { url: 'https://b.test/', title: 'B', content: 'x'.repeat(1000) },
        { title: 'no address' },
      ];
      response.end(
        JSON.stringify({
          query: 'q',
          number_of_results: 2,
          results,
          engines: [{ name: 'e', outcome: 'answered', results: 2 }],
        }),
      );
    });
    process.env['API_TOKEN'] = 'sk-1';
    process.env['API_URL'] = `${origin}/`;
    const answer = await web.call('search', { query: 'how to', limit: 1 });
    expect(answer.data).toEqual({
      query: 'how to',
      results: [{ url: 'https://a.test/', title: 'A', snippet: 'first one' }],
      count: 1,
      total: 2,
      engines: [{ name: 'e', outcome: 'answered', results: 2 }],
    });
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/v1/websearch' });
    expect(requests[0]?.headers.authorization).toBe('Bearer sk-1');
    expect(bodies).toEqual(['{"q":"how to"}']);
    expect((await web.call('search', { q: 'all' })).data.results[1].snippet).toBe(`${'x'.repeat(400)}…`);
  });

  it('an empty list is an answer when engines were asked', async () => {
    const { origin } = await web.serve((_, response) =>
      response.end('{"results":[],"engines":[{"name":"e","outcome":"blind"}]}'),
    );
    process.env['HANZO_API_KEY'] = 'k';
    process.env['HANZO_API_URL'] = origin;
    expect((await web.call('search', { query: 'x' })).data).toMatchObject({
      count: 0,
      total: 0,
      engines: [{ name: 'e' }],
    });
  });

  it.each([
    ['a refusal', 401, 'no  such\nkey'],
    ['something unreadable', 200, '<html>'],
    ['no list', 200, '{"results":{}}'],
    ['a redirect', 302, ''],
  ])('%s is SEARCH_FAILED', async (_what, status, body) => {
    const { origin } = await web.serve((_, response) =>
      response.writeHead(status, { location: 'https://elsewhere.test/' }).end(body),
    );
    process.env['HANZO_API_KEY'] = 'hush';
    process.env['HANZO_API_URL'] = origin;
    const { error } = await web.call('search', { query: 'x' });
    expect(error.code).toBe('SEARCH_FAILED');
    if (status === 401) expect(error).toMatchObject({ status: 401, message: expect.stringContaining('no such key') });
    expect(JSON.stringify(error)).not.toContain('hush');
  });

  it('a plane that is not there is SEARCH_FAILED', async () => {
    process.env['HANZO_API_KEY'] = 'k';
    process.env['HANZO_API_URL'] = 'http://127.0.0.1:1';
    expect((await web.call('search', { query: 'x' })).error.code).toBe('SEARCH_FAILED');
  });

  it.each([[{ limit: 0 }], [{ limit: 1001 }], [{ query: '' }], [{ query: 5 }]])('%j is refused', async (args) => {
    expect((await web.call('search', { query: 'x', ...args })).error.code).toBe('INVALID_PARAMS');
  });
});
