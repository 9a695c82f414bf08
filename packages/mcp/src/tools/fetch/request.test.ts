// request, the methods by name, head, and the guard as a caller meets it.
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, bench } from './testkit.ts';

let web: Bench;
beforeEach(() => void (web = bench()));
afterEach(() => web.close());

async function echo(): Promise<string> {
  const { origin } = await web.serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ method: request.method, body, headers: request.headers }));
  });
  return origin;
}

describe('methods', () => {
  it.each([
    ['get', 'GET'],
    ['post', 'POST'],
    ['put', 'PUT'],
    ['patch', 'PATCH'],
    ['delete', 'DELETE'],
  ])('%s sends %s', async (action, method) => {
    const answer = await web.call(action, { url: await echo(), ...(action === 'get' ? {} : { body: 'x' }) });
    expect(answer.ok).toBe(true);
    expect(JSON.parse(answer.body('body'))).toMatchObject({ method, body: action === 'get' ? '' : 'x' });
  });

  it('request takes the method, curl is another name for it', async () => {
    const answer = await web.call('curl', { url: await echo(), method: 'OPTIONS' });
    expect(JSON.parse(answer.body('body')).method).toBe('OPTIONS');
  });

  it('a body gets a type: JSON if it is that, else plain text, and the caller’s own is left alone', async () => {
    const url = await echo();
    const typeOf = async (args: Record<string, unknown>): Promise<string> =>
      JSON.parse((await web.call('post', { url, ...args })).body('body')).headers['content-type'];
    expect(await typeOf({ body: '{"a":1}' })).toBe('application/json');
    expect(await typeOf({ body: 'a=1' })).toBe('text/plain;charset=UTF-8');
    expect(await typeOf({ body: '{"a":1}', headers: { 'Content-Type': 'text/x' } })).toBe('text/x');
  });

  it('says who asks', async () => {
    expect(JSON.parse((await web.call('get', { url: await echo() })).body('body')).headers['user-agent']).toBe(
      'hanzo-mcp/1.2.3',
    );
  });
});

describe('the answer', () => {
  it('is status, type, size and the body beside the envelope, JSON as it is', async () => {
    const { origin } = await web.serve((_, response) =>
      response.setHeader('content-type', 'application/json').end('{ "a" : 1 }\n'),
    );
    const answer = await web.call('get', { url: `${origin}/x` });
    expect(answer.data).toEqual({ status: 200, mime: 'application/json', size: 12, body: { block: 1 } });
    expect(answer.content[1]).toEqual({ type: 'text', text: '{ "a" : 1 }\n' });
  });

  it('any status is data', async () => {
    const { origin } = await web.serve((_, response) =>
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no such thing'),
    );
    const answer = await web.call('get', { url: origin });
    expect(answer.ok).toBe(true);
    expect(answer.data).toMatchObject({ status: 404, status_text: 'Not Found' });
    expect(answer.body('body')).toBe('no such thing');
  });

  it('an empty body is an empty text', async () => {
    const { origin } = await web.serve((_, response) => response.writeHead(204).end());
    expect((await web.call('delete', { url: origin })).data).toMatchObject({ status: 204, size: 0, body: '' });
  });

  it('a few headers are shown, all of them when asked for, cookies as a list', async () => {
    const { origin } = await web.serve((_, response) =>
      response
        .writeHead(200, { etag: '"1"', 'x-other': 'o', 'set-cookie': ['a=1', 'b=2'], __proto__: undefined })
        .end(),
    );
    expect((await web.call('get', { url: origin })).data.headers).toEqual({ etag: '"1"' });
    expect((await web.call('get', { url: origin, all_headers: true })).data.headers).toMatchObject({
      etag: '"1"',
      'x-other': 'o',
      'set-cookie': ['a=1', 'b=2'],
    });
  });

  it('however many headers there are, they and the body share one answer, and what is left out is counted', async () => {
    const body = 'x'.repeat(9000);
    const { origin } = await web.serve((_, response) => {
      for (let i = 0; i < 60; i++) response.setHeader(`x-field-${i}`, 'v'.repeat(200));
      response.setHeader('etag', '"1"').end(body);
    });
    const pages: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const args = { url: origin, all_headers: true, ...(cursor === undefined ? {} : { cursor }) };
      const answer = await web.call('get', args, { maxOutput: 4096 });
      const { headers, headers_left_out: out } = answer.data;
      expect(headers.etag).toBe('"1"');
      expect(Object.keys(headers).length).toBeGreaterThan(5);
      expect(out).toBeGreaterThan(30);
      const page = answer.body('body');
      // Headers up to 2000 bytes belong to the envelope, beside the body's own room.
      expect(page.length + JSON.stringify(headers).length).toBeLessThanOrEqual(4096 + 2000);
      expect(answer.data.more ?? '').not.toContain('output limit');
      pages.push(page);
      cursor = answer.data.paging.cursor;
    }
    expect(pages.join('')).toBe(body);
    const head = await web.call('head', { url: origin, all_headers: true }, { maxOutput: 4096 });
    expect(JSON.stringify(head.data.headers).length).toBeLessThanOrEqual(4096);
  });

  it('no message holds half a code point', async () => {
    const { error } = await web.call('get', { url: `a${'😀'.repeat(300)}` });
    expect(error.message).toContain('is not an absolute URL');
    expect(error.message.isWellFormed()).toBe(true);
    const opened = await web.call('open', { url: `a${'😀'.repeat(300)}` });
    expect(opened.error.message.isWellFormed()).toBe(true);
  });

  it('the final URL is named after redirects', async () => {
    const { origin } = await web.serve((request, response) =>
      request.url === '/a' ? response.writeHead(302, { location: '/b' }).end() : response.end('there'),
    );
    expect((await web.call('get', { url: `${origin}/a` })).data).toMatchObject({
      status: 200,
      url: `${origin}/b`,
      redirects: 1,
    });
  });

  it('what is no text is described, not shown', async () => {
    const { origin } = await web.serve((_, response) => response.end(Buffer.from([0, 1, 2, 255])));
    const answer = await web.call('get', { url: origin });
    expect(answer.data).toMatchObject({ mime: 'application/octet-stream', size: 4, binary: true });
    expect(answer.data.hash).toBe('sha256:3d1f57c984978ef98a18378c8166c1cb8ede02c03eeb6aee7e2f121dfeee3e56');
    expect(answer.data.more).toContain('download');
    expect(answer.content).toHaveLength(1);
  });

  it('a compressed body is counted and shown as what it holds', async () => {
    const { origin } = await web.serve((_, response) =>
      response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync('a'.repeat(1000))),
    );
    const answer = await web.call('get', { url: origin });
    expect(answer.data.size).toBe(1000);
    expect(answer.body('body')).toBe('a'.repeat(1000));
  });
});

describe('paging', () => {
  const text = Array.from({ length: 3000 }, (_, i) => `line ${i} ümläut 😀\n`).join('');

  it('pages join exactly to the whole, are bounded, and come from one answer', async () => {
    const { origin, requests } = await web.serve((_, response) =>
      response.setHeader('content-type', 'text/plain;charset=utf-8').end(text),
    );
    let cursor: string | undefined;
    let all = '';
    let pages = 0;
    do {
      const answer = await web.call('get', { url: origin, ...(cursor ? { cursor } : {}) }, { maxOutput: 10_000 });
      const page = answer.body('body');
      expect(Buffer.byteLength(page)).toBeLessThanOrEqual(10_000);
      expect(answer.data.paging.total).toBe(text.length);
      expect(answer.meta.paging).toEqual(answer.data.paging);
      all += page;
      pages++;
      cursor = answer.data.paging.cursor ?? undefined;
      expect(answer.data.paging.more).toBe(cursor !== undefined);
    } while (cursor);
    expect(all).toBe(text);
    expect(pages).toBeGreaterThan(5);
    expect(requests).toHaveLength(1);
  });

  it('pages of a POST come from its one answer; it is never sent twice', async () => {
    const { origin, requests } = await web.serve((_, response) => response.end(text));
    const first = await web.call('post', { url: origin, body: 'x' }, { maxOutput: 1000 });
    const second = await web.call(
      'post',
      { url: origin, body: 'x', cursor: first.data.paging.cursor },
      { maxOutput: 1000 },
    );
    expect(first.body('body') + second.body('body')).toBe(
      text.slice(0, first.body('body').length + second.body('body').length),
    );
    expect(requests).toHaveLength(1);
    const other = await web.call('post', { url: origin, body: 'y', cursor: first.data.paging.cursor });
    expect(other.error.code).toBe('CONFLICT');
    expect(requests).toHaveLength(1);
  });

  it('a page of something that has changed is refused', async () => {
    let version = 1;
    const { origin } = await web.serve((_, response) => response.end(text + version));
    const first = await web.call('get', { url: origin }, { maxOutput: 1000 });
    version = 2;
    await web.call('get', { url: origin }, { maxOutput: 1000 });
    const answer = await web.call('get', { url: origin, cursor: first.data.paging.cursor }, { maxOutput: 1000 });
    expect(answer.error.code).toBe('CONFLICT');
    expect(answer.error.message).toContain('without cursor');
  });

  it.each(['0', 'x', '-1.000000000000', '5'])('the cursor %j is refused', async (cursor) => {
    const { origin } = await web.serve((_, response) => response.end('x'));
    expect((await web.call('get', { url: origin, cursor })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'cursor',
    });
  });

  it('a body over the byte limit is cut and says so', async () => {
    const { origin } = await web.serve((_, response) => response.end('ü'.repeat(1000)));
    const answer = await web.call('get', { url: origin, max_bytes: 11 });
    expect(answer.data).toMatchObject({ size: 11, truncated: true, more: expect.stringContaining('max_bytes') });
    expect(answer.body('body')).toBe('ü'.repeat(5));
  });
});

describe('payment', () => {
  it('a 402 is data that says what would be accepted', async () => {
    const offer = { x402Version: 1, error: 'pay', accepts: [{ scheme: 'exact', maxAmountRequired: '100' }] };
    const { origin } = await web.serve((_, response) =>
      response.writeHead(402, { 'www-authenticate': 'x402' }).end(JSON.stringify(offer)),
    );
    for (const action of ['get', 'post', 'fetch']) {
      const answer = await web.call(action, { url: origin });
      expect(answer.ok).toBe(true);
      expect(answer.data).toEqual({
        status: 402,
        payment_required: { x402_version: 1, accepts: offer.accepts, error: 'pay', www_authenticate: 'x402' },
        headers: { 'www-authenticate': 'x402' },
      });
    }
  });

  it('one that says nothing readable is shown as it came', async () => {
    const { origin } = await web.serve((_, response) => response.writeHead(402).end('please pay'));
    expect((await web.call('get', { url: origin })).data.payment_required).toEqual({
      x402_version: null,
      accepts: [],
      raw_body: 'please pay',
    });
  });

  it('an offer in the header of version 2 is read', async () => {
    const offer = Buffer.from(JSON.stringify({ x402Version: 2, accepts: [{ scheme: 'exact' }] })).toString('base64');
    const { origin } = await web.serve((_, response) =>
      response.writeHead(402, { 'payment-required': offer }).end('{}'),
    );
    expect((await web.call('get', { url: origin })).data.payment_required).toEqual({
      x402_version: 2,
      accepts: [{ scheme: 'exact' }],
    });
  });

  it('a payment goes out as it is, or JSON as base64', async () => {
    const url = await echo();
    const sent = async (payment: string): Promise<string> =>
      JSON.parse((await web.call('get', { url, payment })).body('body')).headers['x-payment'];
    expect(await sent('token')).toBe('token');
    expect(await sent('{ "a": 1 }')).toBe(Buffer.from('{"a":1}').toString('base64'));
    expect((await web.call('get', { url, payment: '{oops' })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'payment',
    });
  });
});

describe('head', () => {
  it('tells status, type, size and headers without a body', async () => {
    const { origin, requests } = await web.serve((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': 1234, 'last-modified': 'x' })
        .end(),
    );
    const answer = await web.call('head', { url: origin });
    expect(answer.data).toEqual({
      status: 200,
      mime: 'text/html',
      size: 1234,
      headers: { 'last-modified': 'x' },
    });
    expect(requests[0]?.method).toBe('HEAD');
  });
});

describe('refusals', () => {
  it('a private address is PERMISSION_DENIED with the flag that opens it', async () => {
    const guarded = bench({ allowPrivate: false });
    const { origin, requests } = await web.serve((_, response) => response.end('secret'));
    for (const url of [
      origin,
      origin.replace('127.0.0.1', 'localhost'),
      origin.replace('127.0.0.1', '[::ffff:7f00:1]'),
    ]) {
      for (const action of ['fetch', 'get', 'head', 'download', 'crawl']) {
        const output = action === 'download' || action === 'crawl' ? { output: guarded.at('x') } : {};
        const { error } = await guarded.call(action, { url, ...output });
        expect(error.code).toBe('PERMISSION_DENIED');
        expect(error.message).toContain('--allow-private');
      }
    }
    expect(requests).toEqual([]);
    guarded.close();
  });

  it.each([
    ['example.com/x', 'INVALID_PARAMS', 'https://'],
    ['file:///etc/passwd', 'INVALID_PARAMS', ''],
    ['ftp://example.com/', 'PERMISSION_DENIED', 'http'],
    ['http://user:pw@example.com/', 'PERMISSION_DENIED', 'Authorization'],
    ['http://example.com:22/', 'PERMISSION_DENIED', 'port 22'],
  ])('%s is refused', async (url, code, hint) => {
    const { error } = await web.call('get', { url });
    expect(['INVALID_PARAMS', 'PERMISSION_DENIED']).toContain(error.code);
    if (hint !== '') expect([error.code, error.message.includes(hint)]).toEqual([code, true]);
  });

  it('header injection, unknown keys and bad bounds are INVALID_PARAMS', async () => {
    const { origin, requests } = await web.serve((_, response) => response.end());
    for (const args of [
      { headers: { 'x-a': 'b\r\nc: d' } },
      { headers: { host: 'x' } },
      { timeout: 0 },
      { max_bytes: 0 },
      { timeout: '5' },
      { header: {} },
      { method: 'POST' },
    ]) {
      expect((await web.call('get', { url: origin, ...args })).error.code).toBe('INVALID_PARAMS');
    }
    expect(requests).toEqual([]);
  });

  it('network failures are HTTP_ERROR with a reason, a slow server is TIMEOUT', async () => {
    const { origin } = await web.serve((request, response) =>
      request.url === '/slow' ? undefined : response.destroy(),
    );
    expect((await web.call('get', { url: origin })).error).toMatchObject({ code: 'HTTP_ERROR', reason: 'connect' });
    expect((await web.call('get', { url: `${origin}/slow`, timeout: 200 })).error).toMatchObject({ code: 'TIMEOUT' });
    expect((await web.call('get', { url: origin.replace('http:', 'https:') })).error).toMatchObject({
      code: 'HTTP_ERROR',
    });
  });

  it('a cancelled call ends', async () => {
    const { origin } = await web.serve(() => undefined);
    const { error } = await web.call('get', { url: origin }, { signal: AbortSignal.timeout(100) });
    expect(error.message).toContain('cancelled');
  });
});
