// The plane's calls with everything on (key, activation, schema, meter, audit), beside a bare handler and the HTTP bridges of the
// field, in one run: `npm run bench -- plane [--calls N]`.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { createServer, request as httpRequest, Agent } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { kb, median, ms, percentile, ratio, type Row } from './lib/table.ts';
import type { Ask, Told } from './plane/serve.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const BIN = path.join(HERE, '..', 'node_modules', '.bin');
const CONCURRENCY = 8;
/** Calls per second, and for how long, of the steady load. */
const [PACE, SECONDS] = [200, 5];
const [OURS, MCP, BARE, SUPERGATEWAY, PROXY] = [
  '/v1/tool/call',
  '/v1/mcp',
  'bare handler',
  'supergateway',
  'mcp-proxy',
];
export const COLUMNS: readonly string[] = [OURS, MCP, BARE, SUPERGATEWAY, PROXY];

export async function bench(flags: readonly string[]): Promise<Row[]> {
  const { values } = parseArgs({ args: [...flags], options: { calls: { type: 'string', default: '3000' } } });
  const calls = Number(values.calls);
  return [...(await inside(calls)), ...(await overHttp(calls))];
}

interface Plane {
  readonly url: string;
  readonly key: string;
  measure(ask: Ask): Promise<Told>;
  end(): void;
}

async function plane(tools: number): Promise<Plane> {
  const child = fork(path.join(HERE, 'plane', 'serve.ts'), [String(tools)], {
    execArgv: ['--conditions=hanzo-source', '--no-warnings'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const told = (): Promise<Told> =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`the plane ended with ${code}`)));
    });
  const { url = '', key = '' } = await told();
  const made: Plane = {
    url,
    key,
    measure(ask) {
      const answer = told();
      child.send(ask);
      return answer;
    },
    end: () => child.disconnect(),
  };
  const names = Array.from({ length: tools }, (_, i) => `bench_tool_${i}`);
  for (let at = 0; at < names.length; at += 256) {
    const { status } = await send(`${url}/v1/tool/activation`, key, { activate: names.slice(at, at + 256) }, 'PUT');
    if (status !== 200) throw new Error(`activation answered ${status}`);
  }
  return made;
}

/** What the parts cost without HTTP, and whether that grows with the number of tools. */
async function inside(calls: number): Promise<Row[]> {
  const rates: number[] = [];
  const cells: string[] = [];
  let listing: { bytes: number; took: number } | undefined;
  for (const tools of [10, 1000, 10_000]) {
    const one = await plane(tools);
    await one.measure({ calls: 500, concurrency: 16 });
    const { took = 0 } = await one.measure({ calls, concurrency: 16 });
    rates.push((calls / took) * 1000);
    cells.push(`${tools}: ${Math.round((calls / took) * 1000)}/s`);
    if (tools === 1000) {
      const times: number[] = [];
      let bytes = 0;
      for (let i = 0; i < 10; i++) {
        const begun = performance.now();
        const answer = await send(`${one.url}/v1/tool`, one.key, undefined, 'GET');
        times.push(performance.now() - begun);
        bytes = answer.body.length;
      }
      listing = { bytes, took: median(times) };
    }
    one.end();
  }
  const flat = (rates[0] as number) / (rates[2] as number);
  return [
    {
      measure: 'calls per second in the process, by number of tools',
      bar: '>= 1500',
      cells: { [OURS]: cells.join(', ') },
    },
    { measure: 'the same with 10 tools against 10,000', bar: 'flat', cells: { [OURS]: `${flat.toFixed(2)} x` } },
    {
      measure: 'a listing of 1,000 tools',
      bar: '-',
      cells: { [OURS]: `${ms(listing?.took ?? 0)}, ${kb(listing?.bytes ?? 0)}` },
    },
  ];
}

interface Target {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  body(n: number): unknown;
  holds(body: string): boolean;
}

async function overHttp(calls: number): Promise<Row[]> {
  const bare = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { arguments: args } = JSON.parse(Buffer.concat(chunks).toString()) as { arguments: { text: string } };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ name: 'x', result: args.text }));
    });
  });
  await new Promise<void>((resolve) => {
    bare.listen(0, '127.0.0.1', resolve);
  });
  const ours = await plane(10);
  const bridges = await Promise.all([bridge(SUPERGATEWAY, 47_311), bridge(PROXY, 47_312)]);
  const authorization = `Bearer ${ours.key}`;
  const targets: Target[] = [
    {
      name: BARE,
      url: `http://127.0.0.1:${(bare.address() as { port: number }).port}/`,
      headers: {},
      body: plain('x'),
      holds: (body) => body.includes('hello'),
    },
    {
      name: OURS,
      url: `${ours.url}/v1/tool/call`,
      headers: { authorization },
      body: plain('bench_tool_0'),
      holds: (body) => body.includes('hello'),
    },
    {
      name: MCP,
      url: `${ours.url}/v1/mcp`,
      headers: { authorization, accept: 'application/json' },
      body: jsonRpc('bench_tool_0'),
      holds: (body) => body.includes('hello'),
    },
    ...bridges.flatMap((each) => (each.target === undefined ? [] : [each.target])),
  ];
  const rates: Record<string, string> = {};
  const latencies: Record<string, string> = {};
  const steady: Record<string, string> = {};
  try {
    const floor = await load(targets[0] as Target, calls);
    const calm = await paced(targets[0] as Target);
    for (const target of targets) {
      const measured = target.name === BARE ? floor : await load(target, calls);
      rates[target.name] = `${Math.round(measured.rate)}/s`;
      latencies[target.name] =
        `${ms(measured.p95)} (+${ms(Math.max(0, measured.p95 - floor.p95))}), ${ratio(measured.p95, floor.p95)}`;
      const p95 = target.name === BARE ? calm : await paced(target);
      steady[target.name] = `${ms(p95)} (+${ms(Math.max(0, p95 - calm))})`;
    }
  } finally {
    ours.end();
    bare.close();
    for (const each of bridges) each.end();
  }
  for (const each of bridges) if (each.why !== undefined) rates[each.name] = each.why;
  return [
    { measure: `tools/call over HTTP, ${CONCURRENCY} at a time`, bar: '-', cells: rates },
    { measure: 'p95 of a call then, and what it adds to the bare handler', bar: '+ <= 5 ms', cells: latencies },
    { measure: `the same at ${PACE} calls per second`, bar: '+ <= 5 ms', cells: steady },
  ];
}

const jsonRpc = (name: string) => (n: number) => ({
  jsonrpc: '2.0',
  id: n,
  method: 'tools/call',
  params: { name, arguments: { text: 'hello' } },
});
const plain = (name: string) => () => ({ name, arguments: { text: 'hello' } });

interface Bridge {
  readonly name: string;
  readonly target?: Target;
  readonly why?: string;
  end(): void;
}

/** A bridge in front of the least stdio server, with a session of its own. */
async function bridge(name: string, port: number): Promise<Bridge> {
  const server = path.join(HERE, 'plane', 'stdio.mjs');
  const words =
    name === SUPERGATEWAY
      ? [
          '--stdio',
          `${process.execPath} ${server}`,
          '--outputTransport',
          'streamableHttp',
          '--stateful',
          '--port',
          String(port),
          '--logLevel',
          'none',
        ]
      : ['--port', String(port), '--host', '127.0.0.1', '--', process.execPath, server];
  const child: ChildProcess = spawn(process.execPath, [path.join(BIN, name), ...words], {
    stdio: 'ignore',
    detached: true,
  });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it has ended by itself
    }
  };
  const url = `http://127.0.0.1:${port}/mcp`;
  const headers = { accept: 'application/json, text/event-stream' };
  for (let tries = 0; tries < 60; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    try {
      const begun = await send(
        url,
        '',
        {
          jsonrpc: '2.0',
          id: 0,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '0' } },
        },
        'POST',
        headers,
      );
      const session = begun.headers['mcp-session-id'];
      if (begun.status !== 200 || typeof session !== 'string') continue;
      const all = { ...headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' };
      await send(url, '', { jsonrpc: '2.0', method: 'notifications/initialized' }, 'POST', all);
      const target: Target = {
        name,
        url,
        headers: all,
        body: (n) => ({
          jsonrpc: '2.0',
          id: n + 1,
          method: 'tools/call',
          params: { name: 'echo', arguments: { text: 'hello' } },
        }),
        holds: (body) => body.includes('hello'),
      };
      return { name, target, end };
    } catch {
      // not there yet
    }
  }
  end();
  return { name, why: 'did not answer initialize in 15 s', end };
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

function send(
  url: string,
  key: string,
  body: unknown,
  method = 'POST',
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const sent = httpRequest(
      url,
      {
        method,
        agent,
        headers: {
          ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
            headers: response.headers,
          }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

/** p95 of calls that begin at a steady pace, whether or not earlier ones have been answered. */
async function paced(target: Target): Promise<number> {
  const times: number[] = [];
  const call = async (n: number): Promise<void> => {
    const begun = performance.now();
    const { status } = await send(target.url, '', target.body(n), 'POST', target.headers);
    if (status !== 200) throw new Error(`${target.name} answered ${status}`);
    times.push(performance.now() - begun);
  };
  const begun = performance.now();
  const under: Promise<void>[] = [];
  for (let n = 0; n < PACE * SECONDS; n++) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + (n * 1000) / PACE - performance.now())));
    under.push(call(n));
  }
  await Promise.all(under);
  return percentile(times, 0.95);
}

async function load(target: Target, calls: number): Promise<{ rate: number; p95: number }> {
  const times: number[] = [];
  let next = 0;
  const run = async (until: number, keep: boolean): Promise<void> => {
    for (let n = next++; n < until; n = next++) {
      const begun = performance.now();
      const { status, body } = await send(target.url, '', target.body(n), 'POST', target.headers);
      if (status !== 200 || !target.holds(body))
        throw new Error(`${target.name} answered ${status}: ${body.slice(0, 200)}`);
      if (keep) times.push(performance.now() - begun);
    }
  };
  const all = (until: number, keep: boolean): Promise<unknown> =>
    Promise.all(Array.from({ length: CONCURRENCY }, () => run(until, keep)));
  await all(300, false);
  next = 300;
  const begun = performance.now();
  await all(300 + calls, true);
  return { rate: (calls / (performance.now() - begun)) * 1000, p95: percentile(times, 0.95) };
}
