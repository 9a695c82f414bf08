// The journal on a real store, and models behind a real HTTP server on loopback.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { CallContext } from '@hanzo/tool';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../config.ts';
import { createLocalHost, type LocalHost } from '../../host.ts';
import { createSurface } from '../../surface.ts';

const VARIABLES = [
  'HANZO_API_KEY',
  'API_KEY',
  'API_TOKEN',
  'HANZO_TOKEN',
  'HANZO_API_URL',
  'API_URL',
  'HANZO_API_BASE',
  'HANZO_BASE_URL',
];
const context: CallContext = {
  signal: new AbortController().signal,
  progress: () => undefined,
  log: () => undefined,
  clientCapabilities: {},
  ask: () => Promise.reject(new Error('nobody to ask')),
};

let folder: string;
let host: LocalHost;
let server: Server;
let asked: { path: string; authorization: string | undefined; body: Record<string, unknown> }[];
let answer: (body: Record<string, unknown>, path: string) => { status: number; body: string };
const before = new Map(VARIABLES.map((name) => [name, process.env[name]]));

beforeEach(async () => {
  for (const name of VARIABLES) delete process.env[name];
  folder = mkdtempSync(path.join(tmpdir(), 'think-'));
  host = serve();
  asked = [];
  answer = () => ({ status: 200, body: said('done') });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      asked.push({ path: request.url ?? '', authorization: request.headers.authorization, body });
      const { status, body: text } = answer(body, request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await host.close();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  rmSync(folder, { recursive: true, force: true });
});

function serve(more: Parameters<typeof defaultConfig>[0] = {}): LocalHost {
  const config = defaultConfig({ cwd: folder, dataDir: path.join(folder, 'data'), tools: ['think'], ...more });
  return createLocalHost(
    config,
    { info: { name: 't', version: '0' }, capabilities: {}, tools: () => '[]' },
    createSurface(['think'], config.dataDir),
  );
}

const said = (content: string): string => JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] });

interface Told {
  ok: boolean;
  data: Record<string, unknown>;
  error: Record<string, unknown> | null;
}

async function call(args: Record<string, unknown>, on = host) {
  const result = await on.call({ id: 'local' }, 'think', args, context);
  if (!('content' in result)) throw new Error('no result');
  const [envelope, body] = result.content as { text: string }[];
  return {
    ...(JSON.parse(envelope?.text ?? '') as Told),
    body: body?.text,
  };
}

function connect(): void {
  process.env['HANZO_API_KEY'] = 'sk-test';
  process.env['HANZO_API_URL'] = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

describe('the journal', () => {
  it('numbers thoughts, refers to earlier ones, and gives them back', async () => {
    expect((await call({ action: 'think', thought: 'a first idea' })).data).toEqual({ id: 1, recorded: true });
    expect((await call({ action: 'think', text: 'a second', about: 1 })).data).toEqual({ id: 2, recorded: true });
    const got = await call({ action: 'get', id: 2 });
    expect(got.data).toMatchObject({ id: 2, action: 'think', about: 1, text: { block: 1 } });
    expect(got.body).toBe('a second');
    const listed = await call({ action: 'list', limit: 1 });
    expect(listed.data).toMatchObject({
      count: 1,
      total: 2,
      thoughts: [{ id: 2, text: 'a second' }],
      paging: { cursor: '1', more: true, total: 2 },
    });
    expect((await call({ action: 'list', cursor: '1' })).data['thoughts']).toMatchObject([{ id: 1 }]);
  });

  it('is there after a restart', async () => {
    await call({ action: 'think', text: 'kept' });
    await host.close();
    host = serve();
    expect((await call({ action: 'get', id: 1 })).body).toBe('kept');
  });

  it('refuses to refer to what is not there, and keeps nothing then', async () => {
    expect(await call({ action: 'think', text: 'x', about: 7 })).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND', id: 7 },
    });
    expect((await call({ action: 'list' })).data).toMatchObject({ total: 0, thoughts: [] });
  });

  it('says that nothing is recorded where nothing may be written', async () => {
    const readOnly = serve({ access: 'read-only', dataDir: path.join(folder, 'other') });
    expect((await call({ action: 'think', text: 'x' }, readOnly)).data).toEqual({ recorded: false });
    await readOnly.close();
  });

  it('gives a critic a checklist that fits, and a blank text nothing', async () => {
    const thought = await call({ action: 'critic', text: 'ship it' });
    const code = await call({ action: 'critic', code: 'rm -rf x', kind: 'code' });
    expect((thought.data['checks'] as string[]).length).toBeGreaterThan(3);
    expect(code.data['checks']).not.toEqual(thought.data['checks']);
    expect(await call({ action: 'think', text: '  ' })).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMS' } });
  });
});

describe('a model', () => {
  it('is not asked without a key, and the variable is named', async () => {
    process.env['HANZO_API_URL'] = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    for (const args of [
      { action: 'agent', text: 'x' },
      { action: 'consensus', text: 'x' },
      { action: 'embed', text: 'x' },
    ]) {
      expect(await call(args)).toMatchObject({
        ok: false,
        error: { code: 'NO_CREDENTIAL', variable: 'HANZO_API_KEY' },
      });
    }
    expect(asked).toEqual([]);
  });

  it('gets the task with the key, and its answer is the body', async () => {
    connect();
    answer = () => ({ status: 200, body: said('It is 4.') });
    const got = await call({ action: 'agent', task: '2+2?', system: 'Be short.', maxTokens: 50 });
    expect(got).toMatchObject({ ok: true, data: { id: 1, model: 'enso-auto' }, body: 'It is 4.' });
    expect(asked).toEqual([
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer sk-test',
        body: {
          model: 'enso-auto',
          max_tokens: 50,
          messages: [
            { role: 'system', content: 'Be short.' },
            { role: 'user', content: '2+2?' },
          ],
        },
      },
    ]);
    expect((await call({ action: 'get', id: 1 })).body).toBe('2+2?\n\nIt is 4.');
  });

  it('that fails is named beside those that answered', async () => {
    connect();
    answer = ({ model }) =>
      model === 'b'
        ? { status: 503, body: '{"error":{"message":"busy"}}' }
        : { status: 200, body: said(`from ${String(model)}`) };
    const got = await call({ action: 'consensus', question: 'why?', models: ['a', 'b', 'c'] });
    expect(got.data).toMatchObject({ answered: 2, failures: [{ model: 'b', reason: 'the plane answered 503: busy' }] });
    expect(got.body).toBe('## a\n\nfrom a\n\n## c\n\nfrom c');
  });

  it('refused by the plane is an error with its own sentence', async () => {
    connect();
    answer = () => ({ status: 402, body: '{"status":402,"detail":"no balance"}' });
    expect(await call({ action: 'agent', text: 'x' })).toMatchObject({
      error: { code: 'HTTP_ERROR', message: 'the plane answered 402: no balance', status: 402 },
    });
    answer = () => ({ status: 200, body: '<html>' });
    expect(await call({ action: 'agent', text: 'x' })).toMatchObject({ error: { code: 'HTTP_ERROR' } });
    answer = () => ({ status: 200, body: '{"choices":[]}' });
    expect(await call({ action: 'agent', text: 'x' })).toMatchObject({ error: { code: 'HTTP_ERROR' } });
  });

  it('sees the answer before it in a chain', async () => {
    connect();
    let count = 0;
    answer = () => ({ status: 200, body: said(`answer ${++count}`) });
    const got = await call({ action: 'chain', steps: [{ prompt: 'one' }, { prompt: 'two', model: 'm' }] });
    expect(got.body).toBe('## Step 1\n\nanswer 1\n\n## Step 2\n\nanswer 2');
    expect(asked[1]?.body).toMatchObject({
      model: 'm',
      messages: [{ role: 'user', content: 'two\n\nThe answer to the step before:\n\nanswer 1' }],
    });
  });

  it('that names no category has not classified', async () => {
    connect();
    answer = () => ({ status: 200, body: said('Sure: {"category":"bug","confidence":0.9,"reasoning":"crash"}') });
    expect((await call({ action: 'classify', text: 'it crashes', categories: ['bug', 'wish'] })).data).toEqual({
      id: 1,
      category: 'bug',
      confidence: 0.9,
      reasoning: 'crash',
    });
    answer = () => ({ status: 200, body: said('{"category":"other"}') });
    expect(await call({ action: 'classify', text: 'x', categories: ['bug', 'wish'] })).toMatchObject({
      error: { code: 'HTTP_ERROR' },
    });
  });

  it('gives a vector its size and its first numbers', async () => {
    connect();
    answer = () => ({
      status: 200,
      body: JSON.stringify({ data: [{ embedding: Array.from({ length: 20 }, (_, i) => i) }] }),
    });
    expect((await call({ action: 'embed', text: 'x' })).data).toEqual({
      dimensions: 20,
      first: [0, 1, 2, 3, 4, 5, 6, 7],
    });
    expect(asked[0]?.path).toBe('/v1/embeddings');
  });
});
