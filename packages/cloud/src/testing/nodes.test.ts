// Real nodes as processes under real load: one of two is killed, both end when told to, and clients never close.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { stores } from '../store/testkit.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const RUN = ['--conditions=hanzo-source', '--disable-warning=ExperimentalWarning', CLI];
const folder = mkdtempSync(path.join(tmpdir(), 'nodes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ENV = { PATH: process.env['PATH'], HOME: folder, HANZO_KEK: Buffer.alloc(32, 3).toString('base64') };

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const each of running) each.kill('SIGKILL');
});

interface Node {
  readonly url: string;
  readonly key: string | undefined;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

/** `hanzo-cloud serve`, once it says where it is. */
async function serve(database: string, ...flags: string[]): Promise<Node> {
  const child = spawn(process.execPath, [...RUN, 'serve', '--port', '0', '--database', database, ...flags], {
    env: ENV,
  });
  running.add(child);
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  let [out, err] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const said = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.includes('SIGTERM.')) resolve();
    });
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${err}`)));
  });
  await said;
  return { url: /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? '', key: /sk-[0-9a-f]{48}/.exec(out)?.[0], child, ended };
}

interface Answer {
  /** 0: there was none */
  readonly status: number;
  readonly text: string;
}

function ask(agent: Agent, url: string, key: string, method: string, at: string, body?: unknown): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = httpRequest(
      `${url}${at}`,
      { method, agent, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', () => resolve({ status: 0, text: 'cut off' }));
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ status: 0, text: error.code ?? error.message }));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** A tool of the operators' organization that does next to nothing, switched on. */
async function withTool(agent: Agent, { url, key = '' }: Node): Promise<string> {
  const source = 'export default (input) => input';
  const made = await ask(agent, url, key, 'POST', '/v1/function', {
    name: 'same',
    description: 'Says it again.',
    source,
  });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const { tool } = JSON.parse(made.text) as { tool: string };
  expect((await ask(agent, url, key, 'PUT', '/v1/tool/activation', { activate: [tool] })).status).toBe(200);
  return tool;
}

const usage = async (agent: Agent, url: string, key: string): Promise<number> => {
  const answer = await ask(agent, url, key, 'GET', '/v1/meter/usage?kind=call');
  return (JSON.parse(answer.text) as { total: number }).total;
};

function verified(database: string): string {
  const done = spawnSync(process.execPath, [...RUN, 'audit', 'verify', '--db', '--database', database], {
    env: ENV,
    encoding: 'utf8',
  });
  return `${done.status} ${done.stderr}`;
}

const [SQLITE, POSTGRES] = stores(folder);

describe('two nodes on one PostgreSQL', () => {
  test.skipIf(POSTGRES?.skipped !== undefined)(
    'one that is killed under load takes only what was under way on it; the other goes on, and what is done on one holds on both',
    async () => {
      const database = (await POSTGRES?.database()) ?? '';
      const first = await serve(database);
      let second = await serve(database);
      const { key = '' } = first;
      expect(second.key).toBeUndefined();
      const agent = new Agent({ keepAlive: true });
      const tool = await withTool(agent, first);

      const now = { over: false, secondDead: false };
      const counts = { ok: 0, lost: 0 };
      const wrong: string[] = [];
      const client = async (n: number): Promise<void> => {
        for (let i = 0; !now.over; i++) {
          // no stickiness: each call goes to the other node, as a balancer would send it
          const toSecond = (i + n) % 2 === 1 && !now.secondDead;
          const body = { name: tool, arguments: { n, i } };
          const answer = await ask(agent, toSecond ? second.url : first.url, key, 'POST', '/v1/tool/call', body);
          if (answer.status === 200) counts.ok++;
          else if (toSecond && answer.status === 0) counts.lost++;
          else wrong.push(`${toSecond ? 'second' : 'first'} ${answer.status} ${answer.text.slice(0, 200)}`);
        }
      };
      const clients = Array.from({ length: 8 }, (_, n) => client(n));
      const until = (more: number): Promise<void> =>
        expect.poll(() => counts.ok, { timeout: 60_000 }).toBeGreaterThan(more) as Promise<void>;
      await until(100);
      second.child.kill('SIGKILL');
      await second.ended;
      now.secondDead = true;
      const sofar = counts.ok;
      await until(sofar + 100);
      // another takes its place, and is sent calls at once
      second = await serve(database);
      now.secondDead = false;
      const again = counts.ok;
      await until(again + 100);
      now.over = true;
      await Promise.all(clients);

      expect(wrong).toEqual([]);
      // eight clients had a call under way at most, and may have begun another before they knew
      expect(counts.lost).toBeLessThanOrEqual(16);
      const counted = await usage(agent, second.url, key);
      expect(counted).toBeGreaterThanOrEqual(counts.ok);
      expect(counted).toBeLessThanOrEqual(counts.ok + counts.lost);

      // what is done on one node is known to the other
      const alice = { owner: 'admin', name: 'short-lived' };
      const made = await ask(agent, first.url, key, 'POST', '/v1/iam/keys', alice);
      const [secret = ''] = /sk-[0-9a-f]{48}/.exec(made.text) ?? [];
      const seenBySecond = async (): Promise<number> =>
        (await ask(agent, second.url, secret, 'GET', '/v1/tool')).status;
      await expect.poll(seenBySecond, { timeout: 20_000 }).toBe(200);
      expect((await ask(agent, first.url, key, 'DELETE', '/v1/iam/keys/admin/short-lived')).status).toBe(200);
      await expect.poll(seenBySecond, { timeout: 20_000 }).toBe(401);
      expect((await ask(agent, first.url, key, 'PUT', '/v1/tool/activation', { deactivate: [tool] })).status).toBe(200);
      const call = async (): Promise<number> =>
        (await ask(agent, second.url, key, 'POST', '/v1/tool/call', { name: tool, arguments: {} })).status;
      await expect.poll(call, { timeout: 20_000 }).toBe(403);

      for (const node of [first, second]) node.child.kill('SIGTERM');
      expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
      agent.destroy();
      expect(verified(database)).toBe('0 ');
    },
    240_000,
  );
});

describe.each([SQLITE, POSTGRES].filter((kind) => kind !== undefined))('a node on $name', ({ skipped, database }) => {
  test.skipIf(skipped !== undefined)(
    'told to end under load it answers what it has taken; every call that was answered is counted and recorded, and no other',
    async () => {
      const at = await database();
      const node = await serve(at);
      const { key = '' } = node;
      const agent = new Agent({ keepAlive: true });
      const tool = await withTool(agent, node);
      const now = { ok: 0, ended: false };
      const wrong: string[] = [];
      const client = async (): Promise<void> => {
        while (!now.ended) {
          const answer = await ask(agent, node.url, key, 'POST', '/v1/tool/call', { name: tool, arguments: {} });
          if (answer.status === 200) now.ok++;
          // what was never taken: the port is closed, or the connection was while nothing was under way on it
          else if (answer.status === 0) now.ended = true;
          else wrong.push(`${answer.status} ${answer.text.slice(0, 200)}`);
        }
      };
      const clients = Array.from({ length: 8 }, client);
      await expect.poll(() => now.ok, { timeout: 60_000 }).toBeGreaterThan(60);
      node.child.kill('SIGTERM');
      expect(await node.ended).toBe(0);
      await Promise.all(clients);
      expect(wrong).toEqual([]);

      const next = await serve(at);
      expect(await usage(agent, next.url, key)).toBe(now.ok);
      next.child.kill('SIGTERM');
      expect(await next.ended).toBe(0);
      agent.destroy();
      expect(verified(at)).toBe('0 ');
    },
    240_000,
  );
});

test('40 clients that never close, of every kind, keep nobody from being served, nor the node from ending', async () => {
  const node = await serve((await SQLITE?.database()) ?? '', '--grace', '2');
  const { key = '' } = node;
  const { port } = new URL(node.url);
  const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n`;
  const kinds: readonly string[] = [
    // connected, and silent
    '',
    // a request line, and no more
    'GET /v1/tool HTTP/1.1\r\n',
    // headers without an end
    `POST /v1/tool/call HTTP/1.1\r\n${head}Content-Length: 100\r\n`,
    // a body that does not come
    `POST /v1/tool/call HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`,
    // a stream that is listened to for ever
    `GET /v1/mcp HTTP/1.1\r\n${head}Accept: text/event-stream\r\n\r\n`,
    // answered, and kept
    `GET /healthz HTTP/1.1\r\n${head}\r\n`,
    // asks again and again and reads nothing
    `GET /v1/openapi.json HTTP/1.1\r\n${head}\r\n`.repeat(40),
    // a body without an end
    `POST /v1/mcp HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"jso`,
  ];
  const sockets: Socket[] = await Promise.all(
    Array.from(
      { length: 40 },
      (_, i) =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(Number(port), '127.0.0.1', () => {
            const text = kinds[i % kinds.length] ?? '';
            if (text !== '') socket.write(text);
            // never read
            socket.pause();
            resolve(socket);
          });
          socket.on('error', reject);
        }),
    ),
  );
  for (const socket of sockets) socket.on('error', () => undefined);
  await sleep(300);
  const agent = new Agent({ keepAlive: true });
  for (let i = 0; i < 30; i++) expect((await ask(agent, node.url, key, 'GET', '/v1/tool')).status).toBe(200);
  node.child.kill('SIGTERM');
  expect(await node.ended).toBe(0);
  for (const socket of sockets) socket.destroy();
  agent.destroy();
}, 120_000);
