// Functions as tools on both stores: written by admins, run in the isolate, one organization's never another's.
import { UnknownTool } from '@hanzo/tool';
import { afterAll, expect, it } from 'vitest';
import type { Identity } from '../../core/identity.ts';
import { createIsolates } from '../../isolate/index.ts';
import type { Store } from '../../ports/store.ts';
import { describeStores } from '../../store/testkit.ts';
import { person, recordingAudit, statusOf, testCaller, testClock } from '../../testing/caller.ts';
import { createFunctionApp } from './index.ts';
import { functionMigrations } from './migrations.ts';

const isolates = createIsolates({ milliseconds: 1000 });
afterAll(() => isolates.close());
const { signal } = new AbortController();

const admin = (org: string): Identity => person(org, { isAdmin: true });

function appOn(store: Store) {
  const audit = recordingAudit();
  const gone: unknown[] = [];
  const app = createFunctionApp({
    store,
    clock: testClock(),
    audit,
    isolates,
    gone: async (_, ...what) => void gone.push(what),
  });
  const [provider] = app.providers;
  if (provider === undefined) throw new Error('no provider');
  const call = testCaller(app.ops);
  return {
    audit,
    gone,
    provider,
    call,
    put: (who: Identity, body: Record<string, unknown>) => call(who, 'post_function', { body }),
    run: (org: string, name: string, args: Record<string, unknown> = {}) =>
      provider.dispatch(person(org), name, args, { signal }),
    names: async (org: string) => (await provider.list({ org, project: '' }, { signal })).map(({ name }) => name),
  };
}

const DOUBLE = { name: 'double', description: 'Twice', source: 'export default (x) => x + x' };

describeStores('functions', ({ open }) => {
  it('are written by admins, listed as tools of their organization, and removed', async () => {
    const at = appOn(await open(functionMigrations));
    expect(await at.put(admin('acme'), DOUBLE)).toStrictEqual({
      ...DOUBLE,
      tool: 'function_double',
      createdAt: 1_790_000_000,
      updatedAt: 1_790_000_000,
    });
    expect(await statusOf(at.put(person('acme'), DOUBLE))).toBe(403);
    expect(await at.names('acme')).toStrictEqual(['function_double']);
    expect([await at.names('rival'), await at.names('')]).toStrictEqual([[], []]);
    const find = (org: string, name: string) => at.provider.find?.({ org, project: '' }, name, { signal });
    expect(await find('acme', 'function_double')).toMatchObject({ source: 'function', description: 'Twice' });
    for (const [org, name] of [
      ['rival', 'function_double'],
      ['acme', 'double'],
      ['acme', 'function_'],
      ['acme', 'function___proto__'],
    ] as const) {
      expect(await find(org, name)).toBe(undefined);
      await expect(at.run(org, name)).rejects.toThrow(UnknownTool);
    }
    const byId = { params: { id: 'double' } };
    expect(await statusOf(at.call(person('rival'), 'get_function_by_id', byId))).toBe(404);
    expect(await statusOf(at.call(admin('rival'), 'delete_function_by_id', byId))).toBe(404);
    expect(await statusOf(at.call(admin('acme'), 'delete_function_by_id', byId))).toBe(200);
    expect(await at.names('acme')).toStrictEqual([]);
    expect(at.gone).toStrictEqual([['acme', 'function', ['function_double']]]);
    expect(at.audit.entries.map(({ action }) => action)).toStrictEqual(['function.put', 'function.delete']);
  });

  it('take a string or an object, and answer what they made or why not', async () => {
    const at = appOn(await open(functionMigrations));
    await at.put(admin('acme'), DOUBLE);
    await at.put(admin('acme'), { name: 'keys', source: 'export default (x) => Object.keys(x ?? {})' });
    await at.put(admin('acme'), { name: 'loop', source: 'export default () => { for (;;); }' });
    await at.put(admin('acme'), { name: 'bad', source: 'export default () => { throw new Error("no") }' });
    const ok = (output: unknown) => ({ ok: true, statusCode: 200, output, error: '' });
    expect(await at.run('acme', 'function_double', { input: 'ab' })).toStrictEqual(ok('abab'));
    expect(await at.run('acme', 'function_keys', { input: { a: 1 }, org: 'rival' })).toStrictEqual(ok(['a']));
    expect(await at.run('acme', 'function_keys')).toStrictEqual(ok([]));
    expect(await statusOf(at.run('acme', 'function_keys', { input: 1 }))).toBe(400);
    expect(await at.run('acme', 'function_bad')).toStrictEqual({
      ok: false,
      statusCode: 500,
      output: null,
      error: 'Error: no (line 1)',
    });
    expect(await at.run('acme', 'function_loop')).toMatchObject({ ok: false, statusCode: 504 });
  });

  it('that cannot be run, or are too large, are not kept', async () => {
    const at = appOn(await open(functionMigrations));
    const statuses = [
      { ...DOUBLE, source: 'export default (' },
      { ...DOUBLE, source: '1' },
      { ...DOUBLE, source: `export default () => 1 //${'x'.repeat(65_536)}` },
      { ...DOUBLE, name: 'Double' },
      { ...DOUBLE, name: '__proto__' },
      { ...DOUBLE, source: '' },
    ].map((body) => statusOf(at.put(admin('acme'), body)));
    expect(await Promise.all(statuses)).toStrictEqual([422, 422, 413, 400, 400, 400]);
    expect(await at.names('acme')).toStrictEqual([]);
  });

  it('of one name in two organizations are two', async () => {
    const at = appOn(await open(functionMigrations));
    await at.put(admin('a'), { name: 'who', source: 'export default () => "a"' });
    await at.put(admin('b'), { name: 'who', source: 'export default () => "b"' });
    await at.put(admin('b'), { name: 'who', source: 'export default () => "b2"' });
    expect(await at.run('a', 'function_who', { org: 'b', owner: 'b' })).toMatchObject({ output: 'a' });
    expect(await at.run('b', 'function_who')).toMatchObject({ output: 'b2' });
  });
});
