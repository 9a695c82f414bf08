// The isolate against functions that want out, want all, or never end: each ends with a sentence, and this process is as it was.
import { afterAll, describe, expect, it } from 'vitest';
import { createIsolates } from './index.ts';

const isolates = createIsolates();
/** for what must not end by time, however loaded the machine is */
const patient = createIsolates({ milliseconds: 60_000 });
const { signal } = new AbortController();
afterAll(() => Promise.all([isolates.close(), patient.close()]));

const run = (source: string, input: unknown = null, by = patient) => by.run('acme', source, input, signal);
const kind = async (source: string, input?: unknown, by = patient): Promise<string> => {
  const outcome = await run(source, input, by);
  return outcome.ok ? `ok ${JSON.stringify(outcome.output)}` : outcome.kind;
};

describe('a function', () => {
  it('takes and gives JSON', async () => {
    expect(
      await run('export default (x) => ({ sum: x.a + x.b, list: [null, "é😀", true] })', { a: 1, b: 2 }),
    ).toStrictEqual({ ok: true, output: { sum: 3, list: [null, 'é😀', true] } });
    expect(await run('export default (x) => x', 'text')).toStrictEqual({ ok: true, output: 'text' });
    expect(await run('export default () => undefined')).toStrictEqual({ ok: true, output: null });
    expect(await run('export default function f() { return () => 1 }')).toStrictEqual({ ok: true, output: null });
  });

  it('may be asynchronous, and may not wait for ever', async () => {
    expect(
      await run('const one = await 1; export default async (x) => { await null; return x + one }', 1),
    ).toStrictEqual({
      ok: true,
      output: 2,
    });
    expect(await run('export default async () => { await null; throw new TypeError("no") }')).toStrictEqual({
      ok: false,
      kind: 'error',
      error: 'TypeError: no (line 1)',
    });
    expect(await kind('export default () => new Promise(() => {})')).toBe('pending');
  });

  it('says what it threw and in which line', async () => {
    expect(await run('export default () => {\n  throw new Error("broken");\n}')).toStrictEqual({
      ok: false,
      kind: 'error',
      error: 'Error: broken (line 2)',
    });
    expect(await run('export default () => { throw "text" }')).toMatchObject({ error: 'it threw text' });
    const long = await run('export default () => { throw new Error("x".repeat(5e5)) }');
    expect(long.ok ? 0 : long.error.length).toBeLessThan(600);
  });

  it('is refused when it cannot be run', async () => {
    const { check } = isolates;
    expect(await check('acme', 'export default (x) => x', signal)).toBe(undefined);
    expect(await check('acme', 'export default 1', signal)).toContain('no default export that is a function');
    expect(await check('acme', 'function f() {}', signal)).toContain('no default export that is a function');
    expect(await check('acme', 'export default (', signal)).toContain('SyntaxError');
    expect(await check('acme', 'for (;;);\nexport default (x) => x', signal)).toBe('it ran longer than 2000 ms');
    expect(await check('acme', 'import fs from "node:fs"; export default () => 1', signal)).not.toBe(undefined);
  });

  it('ends when its time is over, however it spends it', async () => {
    for (const body of [
      'for (;;);',
      'try { for (;;); } catch { for (;;); } finally { for (;;); }',
      'return (async () => { for (;;) await null; })();',
      'while (true) { try { JSON.parse("{") } catch {} }',
      '/^(a+)+$/.test("a".repeat(40) + "b")',
      'return { toJSON() { for (;;); } }',
      'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    ]) {
      expect([body, await kind(`export default () => { ${body} }`, null, isolates)]).toStrictEqual([body, 'time']);
    }
  }, 60_000);

  it('ends when it wants more memory or stack than it may', async () => {
    for (const body of [
      'const a = []; for (;;) a.push("x".repeat(100000));',
      'const a = []; for (;;) a.push({ a });',
      'new Uint8Array(64 * 1024 * 1024)',
      'const a = []; for (;;) a.push(new ArrayBuffer(100000));',
    ]) {
      expect([body, await kind(`export default () => { ${body} }`)]).toStrictEqual([body, 'memory']);
    }
    for (const body of [
      'let s = "x"; for (;;) s += s;',
      'const f = () => f() + 1; return f();',
      'let s = "["; s = s.repeat(200000); JSON.parse(s);',
      'new RegExp("(".repeat(100000) + ")".repeat(100000));',
      'let o = {}; for (let i = 0; i < 100000; i++) o = { o }; return o;',
      'eval("(".repeat(100000))',
    ]) {
      expect([body, await kind(`export default () => { ${body} }`)]).toStrictEqual([body, 'error']);
    }
    expect(await kind('export default () => 1')).toBe('ok 1');
  }, 60_000);

  it('answers 1 MiB at most', async () => {
    expect(await kind('export default () => "x".repeat(1048574)')).toBe(`ok "${'x'.repeat(1_048_574)}"`);
    expect(await kind('export default () => "x".repeat(1048575)')).toBe('output');
    expect(await kind('export default () => "é".repeat(600000)')).toBe('output');
  });

  it('finds nothing of this process', async () => {
    const names = [
      'process',
      'require',
      'module',
      'global',
      'Buffer',
      'fetch',
      'setTimeout',
      'console',
      'WebAssembly',
      'Worker',
      'SharedArrayBuffer',
      'navigator',
      'Deno',
      'std',
      'os',
    ];
    const source = `export default (names) => names.filter((name) => typeof globalThis[name] !== 'undefined')`;
    expect(
      await run(
        source,
        names.filter((name) => name !== 'SharedArrayBuffer'),
      ),
    ).toStrictEqual({ ok: true, output: [] });
    for (const body of [
      'return this.constructor.constructor("return process")()',
      'return (() => {}).constructor("return process")().env',
      'return import("node:fs")',
      'return new Function("return import(\'node:fs\')")()',
      'return import.meta.url.fs.x',
    ]) {
      const outcome = await run(`export default function () { ${body} }`);
      expect([body, outcome.ok]).toStrictEqual([body, false]);
    }
  });

  it('changes prototypes of its own realm only', async () => {
    const source = `
      Object.prototype.polluted = 'yes';
      Array.prototype.map = () => 'taken';
      JSON.stringify = () => '"forged"';
      JSON.parse = () => 'forged';
      Promise.prototype.then = () => { throw 1 };
      export default (x) => ({ x, ["__proto__"]: { polluted: 1 }, constructor: 2 })`;
    const outcome = await run(source, { a: [1] });
    expect(JSON.stringify(outcome)).toBe(
      '{"ok":true,"output":{"x":{"a":[1]},"__proto__":{"polluted":1},"constructor":2}}',
    );
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
    expect([1].map((x) => x)).toStrictEqual([1]);
    expect(await kind('export default () => [typeof {}.polluted, [1].map((x) => x)]')).toBe('ok ["undefined",[1]]');
  });

  it('gets "__proto__" as a member and nothing else', async () => {
    const input = JSON.parse('{"__proto__":{"admin":true}}') as unknown;
    expect(await run('export default (x) => [x.admin ?? null, Object.keys(x)]', input)).toStrictEqual({
      ok: true,
      output: [null, ['__proto__']],
    });
  });

  it('keeps nothing from one call to the next', async () => {
    const source = 'globalThis.n = (globalThis.n ?? 0) + 1; export default () => globalThis.n';
    expect([await kind(source), await kind(source), await kind(source)]).toStrictEqual(['ok 1', 'ok 1', 'ok 1']);
  });
});

describe('the threads', () => {
  it('leave the event loop of this process free', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const endless = run('export default () => { for (;;); }', null, isolates);
    // before it ends: the loop turned while the function ran
    await expect.poll(() => ticks).toBeGreaterThan(20);
    clearInterval(timer);
    expect(await endless).toMatchObject({ kind: 'time' });
  });

  it('take turns between organizations', async () => {
    const one = createIsolates({ threads: 1 });
    const order: string[] = [];
    const call = (org: string) => one.run(org, 'export default (x) => x', org, signal).then(() => void order.push(org));
    await Promise.all([call('a'), call('a'), call('a'), call('a'), call('b')]);
    expect(order.indexOf('b')).toBeLessThan(3);
    await one.close();
  });

  it('end with the caller, and go on for others', async () => {
    const one = createIsolates({ threads: 1, milliseconds: 60_000 });
    const cut = new AbortController();
    const endless = one.run('a', 'export default () => { for (;;); }', null, cut.signal);
    const queued = one.run('a', 'export default () => 1', null, cut.signal);
    const other = one.run('b', 'export default () => 2', null, signal);
    cut.abort(new Error('gone'));
    await expect(endless).rejects.toThrow('gone');
    await expect(queued).rejects.toThrow('gone');
    expect(await other).toStrictEqual({ ok: true, output: 2 });
    await one.close();
    await expect(one.run('a', 'export default () => 1', null, signal)).rejects.toThrow('closed');
  });
});
