// The operations as an OpenAPI 3.1 document, the same bytes for the same operations.
import { STATUS_CODES } from 'node:http';
import type { Op } from './op.ts';
import { phrasesOf } from './names.ts';
import { published, type Schema } from './schema.ts';

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  /** name and title of each app, in the order they are to be shown */
  readonly apps: readonly { readonly name: string; readonly title: string }[];
}

const PROBLEM: Schema = {
  type: 'object',
  description: 'RFC 9457 problem document',
  properties: {
    status: { type: 'integer' },
    title: { type: 'string' },
    detail: { type: 'string', description: 'one sentence to act on' },
    code: { type: 'string', description: 'a machine word' },
    requestId: { type: 'string' },
    error: { type: 'string', description: 'the same as detail' },
  },
  required: ['status', 'title', 'detail', 'code', 'requestId', 'error'],
};

/** JSON text of the document. */
export function openApi(ops: readonly Op[], { title, version, apps }: OpenApiOptions): string {
  const components = new Map<string, Schema>([['Problem', PROBLEM]]);
  const phrases = phrasesOf(ops);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const op of [...ops].sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))) {
    const place = (paths[op.path] ??= {});
    place[op.method.toLowerCase()] = operationOf(op, components, phrases.get(op.id) ?? op.id);
  }
  const document = {
    openapi: '3.1.1',
    info: { title, version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: apps.map((app) => ({ name: app.name, description: app.title })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'an API key (sk-...), or a token of the configured issuer',
        },
      },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
  return JSON.stringify(document);
}

function operationOf(op: Op, components: Map<string, Schema>, phrase: string): Record<string, unknown> {
  const { input, answer, status } = op;
  const parameters = (['params', 'query'] as const).flatMap((place) => {
    if (input[place] === undefined) return [];
    const schema = published(input[place], components) as { properties?: Record<string, Schema>; required?: string[] };
    return Object.entries(schema.properties ?? {}).map(([name, { description, ...each }]) => ({
      name,
      in: place === 'params' ? 'path' : 'query',
      ...(description === undefined ? {} : { description }),
      ...(place === 'params' || schema.required?.includes(name) === true ? { required: true } : {}),
      schema: each,
    }));
  });
  return {
    operationId: op.id,
    tags: [op.app],
    summary: op.summary,
    ...(op.description === undefined ? {} : { description: op.description }),
    security: op.auth === 'none' ? [{}] : [{ bearer: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(input.body === undefined
      ? {}
      : {
          requestBody: {
            required: !input.body.safeParse({}).success,
            content: { 'application/json': { schema: published(input.body, components) } },
          },
        }),
    responses: {
      [String(status)]: {
        description: STATUS_CODES[status] ?? 'Success',
        ...(answer === undefined ? {} : { content: { 'application/json': { schema: published(answer, components) } } }),
      },
      ...Object.fromEntries(refusalsOf(op).map(([code, description]) => [code, problem(description)])),
      default: problem('Any other refusal'),
    },
    'x-name': phrase,
    'x-auth': op.auth,
    ...(op.internal ? { 'x-internal': true } : {}),
  };
}

function problem(description: string): unknown {
  return {
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

/** The statuses an operation refuses with, in order: those of its own and those that follow from what it takes. */
export function refusalsOf({ auth, input, refusals }: Op): readonly (readonly [string, string])[] {
  const all: Record<string, string> = {
    ...(Object.keys(input).length > 0 ? { 400: 'the input is not as it must be' } : {}),
    ...(auth === 'none' ? {} : { 401: 'no credential, or one that is not known' }),
    ...(auth === 'admin' || auth === 'operator' ? { 403: `the caller is no ${auth}` } : {}),
    ...refusals,
  };
  return Object.entries(all).sort(([a], [b]) => Number(a) - Number(b));
}
