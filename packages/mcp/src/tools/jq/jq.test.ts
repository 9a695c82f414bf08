// jq by the program and by the library: the same calls, the same answers.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '../../lib/program.ts';
import { createFixture, type Fixture } from '../exec/testkit.ts';
import { jq } from './index.ts';

const PATH = process.env['PATH'] ?? '';
let fixture: Fixture;
beforeAll(() => {
  fixture = createFixture();
});
afterAll(() => fixture.close());

const BACKENDS = [['jq-wasm', '/nowhere'] as const, ...(findProgram('jq') ? [['jq', PATH] as const] : [])];

describe.each(BACKENDS)('by %s', (backend, searched) => {
  beforeAll(() => {
    process.env['PATH'] = searched;
  });
  afterAll(() => {
    process.env['PATH'] = PATH;
  });

  test.each([
    ['a filter', { filter: '.a[1]', input: '{"a":[1,{"b":2}]}' }, '{\n  "b": 2\n}'],
    ['compact', { filter: '.', input: '{"b": 1, "a": [1, 2]}', compact: true }, '{"b":1,"a":[1,2]}'],
    ['sort_keys', { filter: '.', input: '{"b": 1, "a": 2}', compact: true, sort_keys: true }, '{"a":2,"b":1}'],
    ['raw', { filter: '.[]', input: '["x y","é"]', raw: true }, 'x y\né'],
    ['slurp', { filter: 'length', input: '1 2 3', slurp: true }, '3'],
    ['JSON Lines', { filter: '.n', input: '{"n":1}\n{"n":2}\n' }, '1\n2'],
    ['a filter that begins with a dash', { filter: '-.a', input: '{"a":3}' }, '-3'],
    ['a filter that looks like an option', { filter: '-1', input: 'null' }, '-1'],
    ['a scalar', { filter: '. + 1', input: ' 41 ' }, '42'],
    ['a byte order mark', { filter: '.', input: '\uFEFFtrue' }, 'true'],
    ['no output', { filter: 'empty', input: 'null' }, ''],
  ])('%s', async (_name, args, text) => {
    const answer = await fixture.call(jq, args);
    expect(answer).toMatchObject({ ok: true, isError: false, meta: { backend } });
    expect(answer.text('text')).toBe(text);
  });

  test('a file', async () => {
    const file = path.join(fixture.folder, 'a b.json');
    writeFileSync(file, '{"deep": {"er": [true]}}');
    const answer = await fixture.call(jq, { filter: '.deep.er[0]', file });
    expect(answer.data.uri).toMatch(/a%20b\.json$/);
    expect(answer.text('text')).toBe('true');
  });

  test.each([
    ['a filter that does not compile', { filter: '.a |', input: '{}' }, 'INVALID_PARAMS', /filter.*does not compile/],
    ['input that is no JSON', { filter: '.', input: '{"a":' }, 'INVALID_PARAMS', /'input' is not JSON/],
    ['input that breaks off later', { filter: '.', input: '1 [2' }, 'INVALID_PARAMS', /not JSON/],
    ['a filter that fails', { filter: '.a.b', input: '{"a":1}' }, 'EXIT', /Cannot index number/],
    ['neither input nor file', { filter: '.' }, 'INVALID_PARAMS', /needs 'input'/],
    ['both input and file', { filter: '.', input: '1', file: '/x' }, 'INVALID_PARAMS', /not both/],
    ['a missing file', { filter: '.', file: '/nowhere/x.json' }, 'NOT_FOUND', /not there/],
    ['a relative file', { filter: '.', file: 'x.json' }, 'INVALID_PARAMS', /absolute/],
    ['key material', { filter: '.', file: '~/.docker/config.json' }, 'PERMISSION_DENIED', /key material/],
    [
      'a module',
      { filter: 'import "config" as $c {search: "~/.docker"}; $c', input: '1' },
      'INVALID_PARAMS',
      /modules/,
    ],
    ['no filter', { input: '1' }, 'INVALID_PARAMS', /needs 'filter'/],
  ])('%s is refused', async (_name, args, code, message) => {
    const answer = await fixture.call(jq, args);
    expect(answer).toMatchObject({ ok: false, isError: true, error: { code } });
    expect(answer.error.message).toMatch(message);
  });

  test('what does not compile is told of the filter itself, and nothing gets out of what is around it', async () => {
    const open = await fixture.call(jq, { filter: '.a |', input: '{}' });
    expect(open.error.message).toMatch(/unexpected (?:end of file|\$end)/);
    expect(open.error.message).not.toMatch(/catch|jq error/);
    const closed = await fixture.call(jq, { filter: '.) catch 1, try (2', input: '5' });
    expect(closed).toMatchObject({ ok: false, error: { code: 'INVALID_PARAMS', filter: '.) catch 1, try (2' } });
  });

  test('a long filter that does not compile is not sent back', async () => {
    const answer = await fixture.call(jq, { filter: `"${'🦊'.repeat(20_000)}" |`, input: '{}' }, {}, 4096);
    expect(answer.error).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(answer.bytes).toBeLessThan(4096);
  });

  test('a missing file has its neighbour named', async () => {
    writeFileSync(path.join(fixture.folder, 'package.json'), '{}');
    const answer = await fixture.call(jq, { filter: '.', file: path.join(fixture.folder, 'pakage.json') });
    expect(answer.error).toMatchObject({ code: 'NOT_FOUND', nearest: expect.stringMatching(/\/package\.json$/) });
    expect(answer.error.message).toMatch(/did you mean .*package\.json\?/);
  });

  test('what was written before a failure is shown', async () => {
    const answer = await fixture.call(jq, { filter: '.[] | .a', input: '[{"a":1},2,{"a":3}]' });
    expect(answer).toMatchObject({ ok: false, error: { code: 'EXIT', exit_code: 5 } });
    expect(answer.text('text')).toBe('1');
  });

  test('a failure on one input does not hide the next', async () => {
    const answer = await fixture.call(jq, { filter: '.a # note', input: '{"a":"x"} 2 {"a":"y"}', raw: true });
    expect(answer).toMatchObject({ ok: false, error: { code: 'EXIT' } });
    expect(answer.text('text')).toBe('x\ny');
  });

  test('200 KB of input', async () => {
    const answer = await fixture.call(jq, { filter: 'length', input: JSON.stringify(Array(20_000).fill('12345678')) });
    expect(answer.text('text')).toBe('20000');
  });

  test('a long answer is cut at its bound and says so', async () => {
    const answer = await fixture.call(jq, { filter: 'range(5000)', input: 'null' }, {}, 2000);
    expect(answer.bytes).toBeLessThan(2500);
    expect(answer.data.more).toMatch(/characters left out; narrow the filter/);
  });

  test('a filter without an end ends with its call', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('cancelled')), 500);
    const answer = await fixture.call(jq, { filter: '[repeat(1)]', input: '1' }, { signal: stop.signal });
    expect(answer).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
  });
});

test('the library works bundled into an ES module, as it is shipped', async () => {
  const { build } = await import('esbuild');
  const outfile = path.join(fixture.folder, 'library.mjs');
  const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [path.join(import.meta.dirname, 'library.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: banner },
  });
  const { runLibrary } = (await import(pathToFileURL(outfile).href)) as typeof import('./library.ts');
  const job = { flags: ['-c'], filter: '.a', input: '{"a":[1]}' };
  expect(await runLibrary(job, 30_000, new AbortController().signal)).toEqual({ code: 0, stdout: '[1]', stderr: '' });
});
