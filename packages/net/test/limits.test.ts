// Limits and decoding against servers that misbehave: every request ends, with the right code, and nothing outgrows its bound.
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTls } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server as TcpServer, type Socket } from 'node:net';
import zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClientOptions, createClient, NetError, type NetClient, type RequestOptions } from '../src/index.ts';
import { CERTIFICATE, KEY } from './certificate.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function listen(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function http(answer: RequestListener): Promise<string> {
  return `http://public.test:${await listen(createServer(answer))}`;
}

async function https(answer: RequestListener): Promise<string> {
  return `https://public.test:${await listen(createTls({ key: KEY, cert: CERTIFICATE }, answer))}`;
}

/** A server that writes what it likes. */
async function raw(talk: (socket: Socket) => void): Promise<string> {
  const server = createTcp((socket) => {
    socket.on('error', () => undefined).once('data', () => talk(socket));
  });
  return `http://public.test:${await listen(server)}`;
}

function make(options: ClientOptions = {}): NetClient {
  const client = createClient({
    resolver: async () => [{ address: '127.0.0.1', family: 4 }],
    allow: ['127.0.0.1'],
    ...options,
  });
  cleanups.push(() => client.close());
  return client;
}

async function read(client: NetClient, url: string, options: RequestOptions = {}): Promise<Buffer> {
  return Buffer.from(await (await client.request(url, options)).body.bytes());
}

async function failure(work: Promise<unknown>): Promise<NetError> {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  expect(error, String(error)).toBeInstanceOf(NetError);
  return error as NetError;
}

describe('content codings', () => {
  const text = Buffer.from('The quick brown fox. '.repeat(1000));
  it.each([
    ['gzip', zlib.gzipSync(text)],
    ['x-gzip', zlib.gzipSync(text)],
    ['GZIP', zlib.gzipSync(text)],
    ['deflate', zlib.deflateSync(text)],
    ['deflate', zlib.deflateRawSync(text)],
    ['br', zlib.brotliCompressSync(text)],
    ['zstd', zlib.zstdCompressSync(text)],
    ['identity', text],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(text))],
    ['gzip, identity', zlib.gzipSync(text)],
  ])('%s is undone', async (coding, bytes) => {
    const origin = await http((_, response) => response.setHeader('content-encoding', coding).end(bytes));
    expect((await read(make(), origin)).equals(text)).toBe(true);
  });

  it('an empty body is empty in every coding, and a HEAD has none', async () => {
    const origin = await http((_, response) => response.setHeader('content-encoding', 'gzip').end());
    expect(await read(make(), origin)).toHaveLength(0);
    expect(await read(make(), origin, { method: 'HEAD' })).toHaveLength(0);
  });

  it.each([
    ['gzip', zlib.gzipSync(text).subarray(0, 40)],
    ['gzip', Buffer.from('this is not gzip')],
    ['br', Buffer.from([0xff, 0xff, 0xff, 0xff])],
    ['zstd', Buffer.from('this is not zstd')],
    ['compress', Buffer.from('x')],
    ['gzip, gzip, gzip', zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(text)))],
  ])('what does not decode as %s is an error, never a silent part', async (coding, bytes) => {
    const origin = await http((_, response) => response.setHeader('content-encoding', coding).end(bytes));
    expect((await failure(read(make(), origin))).code).toBe('protocol');
  });
});

describe('the size of a body', () => {
  const LIMIT = 1024 * 1024;
  const zeros = Buffer.alloc(256 * 1024 * 1024);
  const once = zlib.gzipSync(zeros, { level: 9 });
  const bombs: [string, Buffer][] = [
    ['gzip', once],
    ['gzip, gzip', zlib.gzipSync(once, { level: 9 })],
    ['deflate', zlib.deflateSync(zeros.subarray(0, 64 * LIMIT))],
    [
      'br',
      zlib.brotliCompressSync(zeros.subarray(0, 64 * LIMIT), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
    ],
    ['zstd', zlib.zstdCompressSync(zeros)],
  ];

  it.each(bombs)('a bomb in %s ends at the limit', async (coding, bytes) => {
    const origin = await http((_, response) => response.setHeader('content-encoding', coding).end(bytes));
    const client = make({ maxBytes: LIMIT });
    const before = process.memoryUsage().arrayBuffers;
    expect(await failure(read(client, origin))).toMatchObject({ code: 'too-large', details: { limit: LIMIT } });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * LIMIT);

    const answer = await client.request(origin, { overflow: 'truncate' });
    expect(answer.body.truncated).toBe(false);
    expect(await answer.body.bytes()).toHaveLength(LIMIT);
    expect(answer.body.truncated).toBe(true);
  });

  it('an endless body ends at the limit, and a body of exactly the limit passes', async () => {
    const origin = await http((request, response) => {
      if (request.url === '/exact') return response.end(Buffer.alloc(5000));
      const more = (): void => {
        while (!response.destroyed && response.write(zeros.subarray(0, 65_536)));
        response.once('drain', more);
      };
      more();
    });
    expect((await failure(read(make({ maxBytes: 5000 }), origin))).code).toBe('too-large');
    expect(await read(make({ maxBytes: 5000 }), `${origin}/exact`)).toHaveLength(5000);
    expect((await failure(read(make({ maxBytes: 4999 }), `${origin}/exact`))).code).toBe('too-large');
  });

  it('an announced length over the limit is refused before the body', async () => {
    const origin = await http((_, response) => void response.writeHead(200, { 'content-length': 9e9 }).flushHeaders());
    expect((await failure(read(make({ maxBytes: 1000 }), origin))).code).toBe('too-large');
  });

  it('compressed input that yields nothing ends too', async () => {
    // A stored deflate block of length 0, over and over.
    const block = Buffer.from([0, 0, 0, 0xff, 0xff]);
    const blocks = Buffer.alloc(5 * 50_000, block);
    const origin = await http((_, response) =>
      response.setHeader('content-encoding', 'deflate').end(Buffer.concat([Buffer.from([0]), blocks])),
    );
    const error = await failure(read(make({ maxBytes: 1000 }), origin));
    expect(['too-large', 'protocol']).toContain(error.code);
  });

  it('a shorter body than announced is an error', async () => {
    const origin = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
    expect((await failure(read(make(), origin))).code).toBe('connect');
  });

  it('a body can be discarded and is read once', async () => {
    const origin = await http((_, response) => response.end('x'));
    const answer = await make().request(origin);
    answer.body.discard();
    expect((await failure(answer.body.bytes())).code).toBe('invalid');
  });
});

describe('headers of the answer', () => {
  it('endless headers are cut off', async () => {
    const origin = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(`x-${'a'.repeat(100)}: ${'b'.repeat(1000)}\r\n`));
        socket.once('drain', more);
      };
      more();
    });
    expect((await failure(read(make(), origin))).code).toBe('too-large');
  });

  it('one endless header line is cut off', async () => {
    const origin = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      const more = (): void => {
        while (!socket.destroyed && socket.write('b'.repeat(10_000)));
        socket.once('drain', more);
      };
      more();
    });
    expect((await failure(read(make(), origin))).code).toBe('too-large');
  });

  it('what is not HTTP is named so', async () => {
    const origin = await raw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    expect((await failure(read(make(), origin))).code).toBe('protocol');
  });

  it('both framings at once (request smuggling) are refused', async () => {
    const origin = await raw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
    );
    expect(['protocol', 'connect']).toContain((await failure(read(make(), origin))).code);
  });

  it('names like __proto__ are only names, and repeated ones are all there', async () => {
    const origin = await raw((socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\nset-cookie: c=1\r\nset-cookie: d=2\r\ncontent-length: 0\r\n\r\n',
      ),
    );
    const { headers } = await make().request(origin);
    expect(headers.get('__proto__')).toBe('a');
    expect(headers.get('constructor')).toBe('b');
    expect(headers.getSetCookie()).toEqual(['c=1', 'd=2']);
  });
});

describe('time', () => {
  it('a body that trickles ends at the total time', async () => {
    const origin = await http((_, response) => trickle(response));
    expect(await failure(read(make({ timeoutMs: 400 }), origin))).toMatchObject({
      code: 'timeout',
      details: { phase: 'total' },
    });
  });

  it('headers that trickle end at the total time', async () => {
    const origin = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      const timer = setInterval(() => socket.write('y'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect((await failure(read(make({ timeoutMs: 400 }), origin))).code).toBe('timeout');
  });

  it('endless interim responses end at the total time', async () => {
    const origin = await raw((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 5);
      socket.once('close', () => clearInterval(timer));
    });
    expect((await failure(read(make({ timeoutMs: 400 }), origin))).code).toBe('timeout');
  });

  it('a redirect that trickles its body is followed all the same', async () => {
    const origin = await http((request, response) => {
      if (request.url !== '/') return response.end('there');
      response.writeHead(302, { location: '/there' });
      trickle(response);
    });
    expect((await read(make(), origin)).toString()).toBe('there');
  });

  it('silence ends at the idle time', async () => {
    const silent = await http(() => undefined);
    expect(await failure(read(make({ idleMs: 300 }), silent))).toMatchObject({
      code: 'timeout',
      details: { phase: 'headers' },
    });
    const half = await http((_, response) => void response.write('half'));
    expect(await failure(read(make({ idleMs: 300 }), half))).toMatchObject({
      code: 'timeout',
      details: { phase: 'body' },
    });
  });

  it('a resolver that never answers ends at the connect time', async () => {
    const client = make({ resolver: () => new Promise(() => undefined), connectMs: 200 });
    expect((await failure(client.request('http://public.test/'))).code).toBe('timeout');
  });

  it('a body nobody reads gives its connection back at the total time', async () => {
    let closed: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const origin = await http((_, response) => {
      response.once('close', () => closed?.());
      trickle(response);
    });
    await make({ timeoutMs: 300 }).request(origin);
    await gone;
  });

  it('the caller can give up before, during headers and during the body', async () => {
    const client = make();
    const origin = await http((request, response) => void (request.url === '/body' && trickle(response)));
    expect((await failure(client.request(origin, { signal: AbortSignal.abort() }))).code).toBe('aborted');
    expect((await failure(client.request(origin, { signal: AbortSignal.timeout(100) }))).code).toBe('aborted');
    expect((await failure(read(client, `${origin}/body`, { signal: AbortSignal.timeout(100) }))).code).toBe('aborted');
  });

  it('closing the client ends what is under way', async () => {
    const client = make();
    const origin = await http(() => undefined);
    const pending = failure(client.request(origin));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await client.close();
    expect((await pending).code).toBe('aborted');
  });
});

describe('redirects', () => {
  it('a circle and an endless chain stop at the hop limit', async () => {
    let hits = 0;
    const origin = await http((request, response) => {
      hits++;
      const location = request.url?.startsWith('/n') ? `/n${hits}` : request.url === '/a' ? '/b' : '/a';
      response.writeHead(302, { location }).end();
    });
    const circle = await failure(read(make(), `${origin}/a`));
    expect(circle).toMatchObject({ code: 'redirect', details: { loop: true } });
    expect(circle.message).toContain('circle');
    expect(hits).toBe(11);
    expect(await failure(read(make({ maxRedirects: 3 }), `${origin}/n`))).toMatchObject({
      code: 'redirect',
      details: { loop: false },
    });
    expect(hits).toBe(15);
  });

  it('credentials stay with their origin, and do not come back', async () => {
    const seen: (readonly [string, unknown])[] = [];
    const other = await http((request, response) => {
      seen.push(['other', pick(request.headers)]);
      response.writeHead(302, { location: `${first}/back` }).end();
    });
    const first = await http((request, response) => {
      seen.push([request.url ?? '', pick(request.headers)]);
      if (request.url === '/start') response.writeHead(302, { location: '/same' }).end();
      else if (request.url === '/same') response.writeHead(307, { location: `${other}/` }).end();
      else response.end('done');
    });
    const headers = { authorization: 'Bearer s', Cookie: 'a=b', 'x-my-odd-key': 'k', accept: 'text/html' };
    expect((await read(make(), `${first}/start`, { headers })).toString()).toBe('done');
    const all = { authorization: 'Bearer s', cookie: 'a=b', 'x-my-odd-key': 'k', accept: 'text/html' };
    expect(seen).toEqual([
      ['/start', all],
      ['/same', all],
      ['other', { accept: 'text/html' }],
      ['/back', { accept: 'text/html' }],
    ]);
  });

  it('a body stays with its origin', async () => {
    const bodies: string[] = [];
    const other = await http((request, response) => void collect(request, bodies, response));
    const first = await http((request, response) => {
      const status = Number(request.url?.slice(1, 4));
      const location = request.url?.endsWith('/other') ? `${other}/` : '/done';
      if (request.url === '/done') return collect(request, bodies, response);
      request.resume();
      return response.writeHead(status, { location }).end();
    });
    const post = { method: 'POST', body: 'secret', headers: { 'content-type': 'text/plain' } };
    await read(make(), `${first}/307`, post);
    await read(make(), `${first}/302`, post);
    await read(make(), `${first}/303`, { ...post, method: 'PUT' });
    expect(bodies).toEqual(['POST secret text/plain', 'GET  ', 'GET  ']);
    for (const status of [307, 308]) {
      expect((await failure(read(make(), `${first}/${status}/other`, post))).code).toBe('redirect');
    }
    await read(make(), `${first}/302/other`, post);
    expect(bodies.at(-1)).toBe('GET  ');
    expect(bodies).toHaveLength(4);
  });

  it("'manual' hands out the redirect, 'error' refuses it", async () => {
    const origin = await http((_, response) => response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end());
    const answer = await make().request(origin, { redirect: 'manual' });
    answer.body.discard();
    expect([answer.status, answer.headers.get('location')]).toEqual([301, 'http://127.0.0.1:1/']);
    expect((await failure(make().request(origin, { redirect: 'error' }))).code).toBe('redirect');
  });

  it('a redirect status without Location is an answer', async () => {
    const origin = await http((_, response) => response.writeHead(302).end('no way'));
    expect((await read(make(), origin)).toString()).toBe('no way');
  });
});

describe('TLS', () => {
  it('a certificate nobody vouches for is refused, even if the environment says otherwise', async () => {
    const origin = await https((_, response) => response.end('x'));
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect((await failure(read(make(), origin))).code).toBe('tls');
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('a named authority is trusted for the names of its certificate only', async () => {
    const origin = await https((request, response) => response.end(request.headers.host));
    const client = make({ ca: CERTIFICATE });
    const { port } = new URL(origin);
    expect((await read(client, origin)).toString()).toBe(`public.test:${port}`);
    expect((await read(client, `https://a.public.test.:${port}/`)).toString()).toBe(`a.public.test.:${port}`);
    expect((await read(client, `https://127.0.0.1:${port}/`)).toString()).toBe(`127.0.0.1:${port}`);
    expect((await failure(read(client, `https://elsewhere.test:${port}/`))).code).toBe('tls');
  });

  it('a plain server behind https is named', async () => {
    const origin = await http((_, response) => response.end('x'));
    const error = await failure(read(make(), origin.replace('http:', 'https:')));
    expect(error.code).toBe('tls');
    expect(error.message).toContain('http://');
  });

  it('a request with credentials is not led from https to http', async () => {
    const plain = await http((request, response) => response.end(String(request.headers.authorization)));
    const origin = await https((_, response) => response.writeHead(302, { location: plain }).end());
    const client = make({ ca: CERTIFICATE });
    expect((await failure(read(client, origin, { headers: { authorization: 'x' } }))).code).toBe('redirect');
    expect((await read(client, origin)).toString()).toBe('undefined');
  });
});

describe("behind the web's fetch", () => {
  it('sends, follows, streams and decodes', async () => {
    const origin = await http(async (request, response) => {
      if (request.url === '/a') return response.writeHead(307, { location: '/b' }).end();
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const text = `${request.method} ${request.headers['content-type']} ${body}`;
      return response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync(text));
    });
    const answer = await make().fetch(`${origin}/a`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.ok, answer.url, answer.redirected, answer.headers.get('content-encoding')]).toEqual([
      true,
      `${origin}/b`,
      true,
      null,
    ]);
    expect(await answer.text()).toBe('POST application/json {}');
  });

  it('an empty answer has no body, a status outside of HTTP is an error', async () => {
    const origin = await raw((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    expect((await make().fetch(origin)).body).toBeNull();
    const odd = await raw((socket) => socket.end('HTTP/1.1 999 Denied\r\ncontent-length: 0\r\n\r\n'));
    expect((await failure(make().fetch(odd))).code).toBe('protocol');
  });

  it('refuses what the client refuses, and ends a body at the limit', async () => {
    expect((await failure(make({ allow: [] }).fetch('http://127.0.0.1/'))).code).toBe('blocked');
    const origin = await http((_, response) => response.write('x'.repeat(1000)) && response.end('y'));
    const answer = await make({ maxBytes: 100 }).fetch(origin);
    expect((await failure(answer.text())).code).toBe('too-large');
    expect((await failure(make().fetch(origin, { signal: AbortSignal.abort() }))).code).toBe('aborted');
    expect((await failure(make().fetch('no address'))).code).toBe('invalid');
  });
});

describe('plain failures', () => {
  it('a closed port, a dropped connection, an unknown name', async () => {
    const port = await listen(createTcp((socket) => socket.destroy()));
    expect((await failure(read(make(), `http://public.test:${port}/`))).code).toBe('connect');
    const free = createTcp();
    const closed = await listen(free);
    await new Promise((resolve) => free.close(resolve));
    const refused = await failure(read(make(), `http://public.test:${closed}/`));
    expect(refused).toMatchObject({ code: 'connect', details: { reason: 'ECONNREFUSED' } });
    const unknown = make({
      resolver: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    expect(await failure(read(unknown, 'http://nowhere.test/'))).toMatchObject({
      code: 'dns',
      details: { reason: 'ENOTFOUND' },
    });
  });

  it.each([['127.0.0.1:99999'], ['localhost'], ['10.0.0.0/33'], ['127.1'], ['fe80::1%lo'], ['']])(
    'allow entry %j is refused at the start',
    (entry) => {
      expect(() => createClient({ allow: [entry] })).toThrow(NetError);
    },
  );

  it.each([{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { maxBytes: -1 }, { idleMs: -5 }, { maxRedirects: -1 }])(
    'the limit %j is refused',
    async (limits) => {
      expect((await failure(make().request('http://public.test/', limits))).code).toBe('invalid');
      expect(() => createClient(limits)).toThrow(NetError);
    },
  );

  it('a time longer than timers can count is only very long', async () => {
    const origin = await http((_, response) => response.end('x'));
    expect((await read(make(), origin, { timeoutMs: 1e15, idleMs: 1e15 })).toString()).toBe('x');
  });

  it('messages never hold the query of a URL', async () => {
    const origin = await http((_, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/?token=hush' }).end(),
    );
    const error = await failure(read(make(), `${origin}/?token=hush`));
    expect(error.code).toBe('blocked');
    expect(JSON.stringify([error.message, error.details])).not.toContain('hush');
  });
});

function trickle(response: ServerResponse): void {
  response.write('x');
  const timer = setInterval(() => response.write('x'), 20);
  response.once('close', () => clearInterval(timer));
}

function pick(headers: NodeJS.Dict<string | string[]>): Record<string, unknown> {
  const names = ['authorization', 'cookie', 'x-my-odd-key', 'accept'];
  return Object.fromEntries(names.filter((name) => name in headers).map((name) => [name, headers[name]]));
}

async function collect(
  request: Parameters<RequestListener>[0],
  into: string[],
  response: ServerResponse,
): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  into.push(`${request.method} ${body} ${request.headers['content-type'] ?? ''}`);
  response.end('done');
}
