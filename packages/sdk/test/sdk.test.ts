// The client against a plane: the documented shape, refusals as errors, and every method on its own route.
import { build } from 'esbuild';
import * as sdk from 'hanzoai';
import { ApiError, Configuration, IamApi, KmsApi, ToolApi } from 'hanzoai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composedInMemory } from '../../cloud/src/testing/composed.ts';
import { servedPlane, type ServedPlane } from './plane.ts';

let plane: ServedPlane;
beforeAll(async () => {
  plane = await servedPlane();
});
afterAll(() => plane.close());

function configured(accessToken: string | undefined): Configuration {
  return new Configuration({ accessToken, basePath: plane.url });
}

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`no refusal: ${String(error)}`);
  return error;
}

test('getToolKit answers data, status and headers, as the documentation shows', async () => {
  const api = new ToolApi(configured(plane.memberKey));
  const { data, status, headers } = await api.getToolKit();
  expect(data).toEqual({ skills: [], servers: [], omitted: [], excess: [], muted: [] });
  expect(status).toBe(200);
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
});

test('a tool is activated, listed and called', async () => {
  const api = new ToolApi(configured(plane.adminKey));
  expect((await api.putToolActivation({ activate: ['echo'] })).data.enabled).toEqual(['echo']);
  const { data } = await api.getTool({ source: 'connector', activated: true });
  expect(data.tools.map(({ name }) => name)).toEqual(['echo']);
  const call = await new ToolApi(configured(plane.memberKey)).postToolCall({ name: 'echo', arguments: { text: 'a' } });
  expect(call.data).toEqual({ name: 'echo', result: { said: { text: 'a' } } });
});

test('an operation without an answer resolves with none, and its status', async () => {
  const kms = new KmsApi(configured(plane.adminKey));
  await kms.putKmsSecretsByName({ name: 'token', value: 'v1' });
  const { data, status } = await kms.deleteKmsSecretsByName({ name: 'token' });
  expect([data, status]).toEqual([undefined, 204]);
});

test('a refusal is an ApiError with the problem document', async () => {
  const error = await refusal(new ToolApi(configured(plane.memberKey)).postToolCall({ name: 'nothing' }));
  expect(error).toMatchObject({ name: 'ApiError', status: 404, code: 'unknown_tool', operation: 'post_tool_call' });
  expect(error.problem).toMatchObject({ status: 404, title: 'Not Found', detail: error.message });
  expect(error.requestId).toBe(error.headers.get('x-request-id'));
});

test('a failed tool is a refusal that carries its result', async () => {
  const api = new ToolApi(configured(plane.adminKey));
  await api.putToolActivation({ activate: ['broken'] });
  const error = await refusal(api.postToolCall({ name: 'broken' }));
  expect(error.status).toBe(424);
  expect(error.problem['result']).toEqual({ content: [{ type: 'text', text: 'out of paper' }], isError: true });
});

test.each([
  ['no key', undefined, 401],
  ['a wrong key', 'sk-wrong', 401],
])('%s is refused with 401', async (_name, key, status) => {
  expect((await refusal(new ToolApi(configured(key)).getTool())).status).toBe(status);
});

test('a member is refused what admins may', async () => {
  const api = new ToolApi(configured(plane.memberKey));
  const error = await refusal(api.postToolMcpServers({ name: 'x', url: 'https://example.com/mcp' }));
  expect(error.status).toBe(403);
});

test('the caller is who the key says', async () => {
  const { data } = await new IamApi(configured(plane.memberKey)).getIamAccount();
  expect(JSON.stringify(data)).toContain('"acme"');
});

test('there is a method for every operation of the plane, and it calls that operation', async () => {
  const composed = await composedInMemory();
  const seen: string[] = [];
  const configuration = new Configuration({
    basePath: 'http://plane.test',
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      seen.push(`${init?.method} ${pathname}${search} ${String(init?.body)}`);
      return new Response('{}');
    },
  });
  const classes = sdk as unknown as Record<string, new (given: Configuration) => Record<string, Function>>;
  const pascal = (id: string): string =>
    id.replaceAll(/(?:^|_)(\w)/g, (_whole, letter: string) => letter.toUpperCase());
  for (const op of composed.ops) {
    const api = new (classes[`${pascal(op.app)}Api`] as (typeof classes)[string])(configuration);
    const names = (place: 'params' | 'query' | 'body'): string[] => Object.keys(op.input[place]?.shape ?? {});
    const given = Object.fromEntries(
      [...names('params'), ...names('query'), ...names('body')].map((each) => [each, `${each}+1`]),
    );
    const method = pascal(op.id).replace(/^./, (letter) => letter.toLowerCase());
    await api[method]?.(given);
    const query = new URLSearchParams(Object.fromEntries(names('query').map((each) => [each, `${each}+1`]))).toString();
    const body = op.input.body && JSON.stringify(Object.fromEntries(names('body').map((each) => [each, `${each}+1`])));
    const path = op.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(`${name}+1`));
    expect(seen.at(-1)).toBe(`${op.method} ${path}${query === '' ? '' : `?${query}`} ${String(body)}`);
  }
  expect(seen.length).toBe(composed.ops.length);
  await composed.close();
});

test('it is made for browsers too: nothing of Node is imported', async () => {
  const { metafile } = await build({
    entryPoints: [new URL('../src/index.ts', import.meta.url).pathname],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
  });
  expect(Object.values(metafile.outputs)[0]?.imports).toEqual([]);
});
