// Every operation of the OpenAPI document with input from its schemas and from nowhere, on both stores, over sockets: whatever comes,
// the answer is one the document knows, never a fault of the plane's own, and the plane goes on. FUZZ_ROUNDS scales it.
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { seeded } from '../../../search/test/random.ts';
import { readConfig } from '../config.ts';
import { createLogger } from '../http/log.ts';
import { createPlane } from '../plane.ts';
import { stores } from '../store/testkit.ts';

const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 12);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** No answer takes this long on the busiest machine, in milliseconds. */
const PATIENCE = 30_000;

const folder = mkdtempSync(path.join(tmpdir(), 'fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly additionalProperties?: Schema | boolean;
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query'; readonly schema: Schema }[];
  readonly body: Schema | undefined;
  /** statuses that the document names */
  readonly statuses: ReadonlySet<number>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Declared>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Declared {
  readonly operationId: string;
  readonly parameters?: Operation['parameters'];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, unknown>>;
}

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path: at,
      parameters,
      body: requestBody?.content['application/json'].schema,
      statuses: new Set(Object.keys(responses).map(Number)),
    })),
  );
}

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e\u200b\ufeff',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%00',
  '%',
  '__proto__',
  'constructor',
  'toString',
  'admin',
  'null',
  'true',
  '-1',
  '9'.repeat(400),
  'ä'.repeat(3000),
  'x'.repeat(70_000),
  '😀'.repeat(200),
  'a\r\nSet-Cookie: b=c',
  '2026-13-45T99:99:99Z',
  'https://127.0.0.1:1/x',
  'http://[::ffff:10.0.0.1]/',
  'javascript:alert(1)',
  'sk-' + '0'.repeat(48),
];
const HOSTILE: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  [],
  {},
  [null],
  [[[[]]]],
  deep(2000),
  JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'),
  Array.from({ length: 2000 }, (_, i) => i),
  Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
  ...TEXTS,
];
/** Names that are there, or could be. */
const NAMES: readonly string[] = ['acme', 'admin', 'alice', 'default', 'echo', 'github', 'web', 'a', 'b-1', 'x_y'];

class Maker {
  readonly #random: () => number;
  readonly #schemas: Document['components']['schemas'];

  constructor(random: () => number, { components }: Document) {
    this.#random = random;
    this.#schemas = components.schemas;
  }

  chance(part: number): boolean {
    return this.#random() < part;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  /** A value of the schema, or, one time in so many, anything at all. */
  value(schema: Schema, wild: number, depth = 0): unknown {
    if (this.chance(wild)) return this.pick(HOSTILE);
    const { $ref, anyOf, oneOf } = schema;
    if ($ref !== undefined) return this.value(this.#schemas[$ref.split('/').at(-1) ?? ''] ?? {}, wild, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.pick(schema.enum);
    const choices = anyOf ?? oneOf;
    if (choices !== undefined) return this.value(this.pick(choices), wild, depth);
    const type = Array.isArray(schema.type) ? this.pick(schema.type as string[]) : schema.type;
    switch (type) {
      case 'string':
        return this.#text(schema);
      case 'integer':
      case 'number':
        return this.pick([schema.minimum ?? 0, schema.maximum ?? 10, 1, 5]);
      case 'boolean':
        return this.chance(0.5);
      case 'null':
        return null;
      case 'array':
        return depth > 3
          ? []
          : Array.from({ length: Math.floor(this.#random() * 3) }, () =>
              this.value(schema.items ?? {}, wild, depth + 1),
            );
      default:
        return this.#object(schema, wild, depth);
    }
  }

  #text({ format, minLength = 0 }: Schema): string {
    if (format === 'uri' || format === 'url')
      return this.pick(['https://a.invalid/mcp', 'https://127.0.0.1:1/', 'x:y']);
    if (format === 'email') return 'a@b.invalid';
    if (this.chance(0.15)) return this.pick(TEXTS);
    return this.pick(NAMES).padEnd(minLength, 'x');
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, wild: number, depth: number): unknown {
    if (depth > 4) return {};
    const made: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(properties)) {
      if (required.includes(name) ? this.chance(0.97) : this.chance(0.5))
        made[name] = this.value(each, wild, depth + 1);
    }
    if (typeof additionalProperties === 'object' || this.chance(0.05)) {
      const each = typeof additionalProperties === 'object' ? additionalProperties : {};
      made[this.pick([...NAMES, '__proto__x', ''])] = this.value(each, wild, depth + 1);
    }
    return made;
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** As it is: what a client library would put right goes out wrong. */
function send(
  base: string,
  method: string,
  at: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const sent = httpRequest({ hostname, port, method, path: at, headers, timeout: PATIENCE }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          text: Buffer.concat(chunks).toString(),
        }),
      );
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${PATIENCE} ms`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

describe.each(stores(folder))('fuzz on $name', ({ skipped, database }) => {
  test.skipIf(skipped !== undefined)(
    'no operation fails by itself, whatever it is given, and no answer keeps anybody waiting',
    async () => {
      const logs: string[] = [];
      const { config } = readConfig(
        [
          '--database',
          await database(),
          '--data',
          folder,
          '--port',
          '0',
          '--registry',
          'http://127.0.0.1:9',
          '--grace',
          '5',
        ],
        { HANZO_KEK: Buffer.alloc(32, 9).toString('base64') },
      );
      const plane = await createPlane({
        config,
        version: '0',
        logger: createLogger({ level: 'error', write: (line) => logs.push(line) }),
        checkAnswers: true,
      });
      try {
        const operator = plane.firstKey ?? '';
        const keys = await people(plane.url, operator);
        const document = JSON.parse((await send(plane.url, 'GET', '/v1/openapi.json', {}, undefined)).text) as Document;
        const operations = operationsOf(document);
        expect(operations.length).toBeGreaterThan(60);
        const maker = new Maker(seeded(SEED), document);
        const wrong: string[] = [];
        const seen = new Map<string, Set<number>>();
        for (let round = 0; round < ROUNDS; round++) {
          for (const operation of operations) {
            const asked = requestOf(maker, operation, maker.pick(keys));
            const answer = await send(plane.url, operation.method, asked.path, asked.headers, asked.body);
            const statuses = seen.get(operation.id) ?? new Set();
            seen.set(operation.id, statuses.add(answer.status));
            const fault = faultOf(operation, answer);
            if (fault !== undefined) {
              wrong.push(
                `${operation.method} ${asked.path.slice(0, 200)} ${String(asked.body).slice(0, 300)}: ${fault}: ${answer.text.slice(0, 300)}`,
              );
            }
            if (operation.method !== 'DELETE') await throughDoor(plane.url, maker, operation, keys, wrong);
          }
        }
        expect(wrong).toEqual([]);
        // a refusal that the document names (a registry that is not there) is logged; a fault of the plane's own would be too
        expect(logs.filter((line) => !line.includes('"name":"Problem"'))).toEqual([]);
        // the plane is what it was: it lives, its record holds, its operator is known, and the input did reach the operations
        expect((await send(plane.url, 'GET', '/readyz', {}, undefined)).status).toBe(200);
        const account = await send(
          plane.url,
          'GET',
          '/v1/iam/account',
          { authorization: `Bearer ${operator}` },
          undefined,
        );
        expect(account.status).toBe(200);
        const reached = operations.filter(({ id }) => [...(seen.get(id) ?? [])].some((status) => status < 300));
        expect(reached.length).toBeGreaterThan(operations.length * 0.3);
        expect(Object.prototype).not.toHaveProperty('isAdmin');
      } finally {
        await plane.close();
      }
    },
    60_000 + ROUNDS * 20_000,
  );
});

/** Keys of every kind of caller, nobody's and a wrong one among them. */
async function people(url: string, operator: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' };
  const made = async (at: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await send(url, 'POST', at, headers, JSON.stringify(body));
    expect([at, answer.text, answer.status < 300]).toEqual([at, answer.text, true]);
    return JSON.parse(answer.text) as Record<string, unknown>;
  };
  await made('/v1/iam/organizations', { name: 'acme' });
  for (const [name, isAdmin] of [
    ['alice', true],
    ['bob', false],
  ] as const) {
    await made('/v1/iam/users', { user: { owner: 'acme', name, isAdmin } });
  }
  const keys: string[] = [operator, operator, operator];
  for (const body of [
    { owner: 'acme', name: 'of-alice', user: 'acme/alice' },
    { owner: 'acme', name: 'of-bob', user: 'acme/bob' },
    { owner: 'acme', name: 'of-bob-to-read', user: 'acme/bob', type: 'publishable' },
    { owner: 'acme', name: 'of-a-machine', machine: true },
  ]) {
    const key = JSON.stringify(await made('/v1/iam/keys', body));
    const [secret = ''] = /[sp]k-[0-9a-f]{48}/.exec(key) ?? [];
    expect(secret).not.toBe('');
    keys.push(secret);
  }
  return [...keys, '', `sk-${'0'.repeat(48)}`, 'x'.repeat(5000)];
}

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

function requestOf(maker: Maker, { path: at, parameters, body }: Operation, key: string): Asked {
  const wild = maker.pick([0, 0.02, 0.2]);
  const textOf = (schema: Schema): string => {
    const value = maker.value(schema, wild);
    return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 2000);
  };
  let place = at;
  const query = new URLSearchParams();
  for (const { name, in: where, schema } of parameters) {
    if (where === 'query') {
      if (maker.chance(0.6)) query.append(name, textOf(schema));
      if (maker.chance(0.05)) query.append(name, 'twice');
      continue;
    }
    const raw = maker.chance(0.9)
      ? encodeURIComponent(textOf(schema).toWellFormed())
      : maker.pick(['%', '%zz', '%00', '..', '%2e%2e', 'a%2fb', '%ff', '']);
    place = place.replace(`{${name}}`, raw);
  }
  const asked = query.size > 0 ? `${place}?${query}` : place;
  const headers: Record<string, string> = {
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    ...(maker.chance(0.1)
      ? { 'x-project-id': encodeURIComponent(maker.pick(TEXTS).toWellFormed()).slice(0, 200) }
      : {}),
  };
  if (body === undefined) return { path: asked, headers, body: undefined };
  headers['content-type'] = maker.chance(0.95)
    ? 'application/json'
    : maker.pick(['text/plain', 'application/xml', '', 'application/json; charset=utf-16']);
  if (maker.chance(0.05)) {
    const broken = ['{', '{"a":', 'null', '[]', '"x"', '{"a":1}{', '\u0000', '{"a":1e9999}'];
    return { path: asked, headers, body: maker.chance(0.2) ? Buffer.from([0xff, 0xfe, 0x7b]) : maker.pick(broken) };
  }
  return { path: asked, headers, body: JSON.stringify(maker.value(body, wild)) };
}

/** What is wrong with an answer: undefined is nothing. */
function faultOf({ statuses }: Pick<Operation, 'statuses'>, { status, type, text }: Answer): string | undefined {
  if (status >= 500 && !statuses.has(status)) return `status ${status}`;
  if (status < 400) return undefined;
  if (!type.startsWith('application/problem+json')) return `${status} as ${type}`;
  const problem = JSON.parse(text) as Record<string, unknown>;
  const lacks = ['title', 'detail', 'code', 'requestId', 'error'].filter((name) => typeof problem[name] !== 'string');
  if (problem['status'] !== status) lacks.push('status');
  if (lacks.length > 0) return `a problem without ${lacks.join(', ')}`;
  if (String(problem['detail']).length > 2000) return 'a sentence without an end';
  return / at \S+:\d+|node_modules|SQLITE_|violates|constraint/i.test(text) ? 'it shows its inside' : undefined;
}

/** The same operation through the agents' door, and now and then what is no call at all. */
async function throughDoor(
  url: string,
  maker: Maker,
  { id, body, parameters }: Operation,
  keys: readonly string[],
  wrong: string[],
): Promise<void> {
  const wild = maker.pick([0, 0.05, 0.2]);
  const given = {
    ...Object.fromEntries(parameters.map(({ name, schema }) => [name, maker.value(schema, wild)])),
    ...((body === undefined ? {} : maker.value(body, wild)) as object),
  };
  const key = maker.pick(keys);
  const message = maker.chance(0.9)
    ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: id, arguments: given } }
    : maker.pick<unknown>([
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tool', arguments: { op: id, input: [] } } },
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: id, arguments: 'x' } },
        { jsonrpc: '2.0', id: null, method: 'tools/call' },
        { jsonrpc: '1.0', id: 1, method: 'tools/list' },
        { jsonrpc: '2.0', id: {}, method: [] },
        { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: maker.pick(HOSTILE) } },
        { jsonrpc: '2.0', id: 1, method: 'initialize', params: maker.pick(HOSTILE) },
        [],
        [1, null, { jsonrpc: '2.0', id: 1, method: 'ping' }],
        null,
        'x',
        deep(2000),
      ]);
  const answer = await send(
    url,
    'POST',
    '/v1/mcp',
    {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    },
    JSON.stringify(message),
  );
  const broken = answer.status >= 500 || /"status":500|"code":-32603/.test(answer.text);
  if (broken)
    wrong.push(`door ${JSON.stringify(message).slice(0, 300)}: ${answer.status}: ${answer.text.slice(0, 300)}`);
}
