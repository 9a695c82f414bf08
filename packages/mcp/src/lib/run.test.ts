// The one-shot runner against real programs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { run, type RunOptions } from './run.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'run-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const options: RunOptions = { cwd, timeoutMs: 30_000, maxBytes: 1 << 20 };

test('a non-zero exit is data', async () => {
  const result = await run(['sh', '-c', 'echo out; echo err >&2; exit 3'], options);
  expect({ ...result, stdout: `${result.stdout}`, stderr: `${result.stderr}` }).toEqual({
    code: 3,
    signal: null,
    stdout: 'out\n',
    stderr: 'err\n',
    truncated: false,
    timedOut: false,
  });
});

test('arguments reach the program as they are', async () => {
  const words = ['a b', '$HOME', '"', "'", '*', '', 'é\n'];
  const { stdout } = await run(['printf', '[%s]', ...words], options);
  expect(`${stdout}`).toBe(words.map((word) => `[${word}]`).join(''));
});

test('standard input is empty unless given', async () => {
  expect(`${(await run(['cat'], options)).stdout}`).toBe('');
  expect(`${(await run(['cat'], { ...options, input: 'given' })).stdout}`).toBe('given');
});

test('a program that does not read its input is no failure', async () => {
  const result = await run(['true'], { ...options, input: 'x'.repeat(1 << 20) });
  expect(result.code).toBe(0);
});

test('a missing program is named, with the way to get it', async () => {
  await expect(run(['jq'], { ...options, env: { PATH: '/nowhere' } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    details: { program: 'jq' },
    message: expect.stringContaining('install jq'),
  });
});

test('a missing directory is named', async () => {
  await expect(run(['true'], { ...options, cwd: '/nowhere/at/all' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: '/nowhere/at/all is not a directory',
  });
});

test('output past the bound is dropped and said so', async () => {
  const result = await run(['sh', '-c', 'head -c 300000 /dev/zero'], { ...options, maxBytes: 1000 });
  expect(result.stdout.length).toBe(1000);
  expect(result.truncated).toBe(true);
  expect(result.code).toBe(0);
});

test('the time limit ends the whole tree', async () => {
  const mark = `7${process.pid}`;
  const script = `sleep ${mark} & setsid sleep ${mark} & (setsid -f setsid sleep ${mark} >/dev/null 2>&1); wait`;
  const result = await run(['sh', '-c', script], { ...options, timeoutMs: 1500 });
  expect(result.timedOut).toBe(true);
  await expect.poll(async () => `${(await run(['pgrep', '-f', `[s]leep ${mark}`], options)).stdout}`).toBe('');
});

test('an abort rejects and ends the whole tree', async () => {
  const stop = new AbortController();
  const running = run(['sh', '-c', 'sleep 3218; true'], { ...options, signal: stop.signal });
  setTimeout(() => stop.abort(), 200);
  await expect(running).rejects.toMatchObject({ code: 'INTERNAL_ERROR', message: 'sh was cancelled' });
});

test('a child left behind does not hold the answer up', async () => {
  const { stdout } = await run(['sh', '-c', 'sleep 5 & echo done'], options);
  expect(`${stdout}`).toBe('done\n');
});

test('the credentials of the server do not reach the program', async () => {
  process.env['HANZO_API_KEY'] = 'sk-canary';
  try {
    expect(`${(await run(['env'], options)).stdout}`).not.toContain('sk-canary');
    const { stdout } = await run(['env'], { ...options, env: { HANZO_API_KEY: 'given' } });
    expect(`${stdout}`).toContain('HANZO_API_KEY=given');
  } finally {
    delete process.env['HANZO_API_KEY'];
  }
});

test('a program ends with the process that runs it', async () => {
  const mark = `8${process.pid}`;
  const url = pathToFileURL(path.join(import.meta.dirname, 'run.ts')).href;
  const code = `
    const { run } = await import(${JSON.stringify(url)});
    void run(['sh', '-c', 'sleep ${mark} & echo; wait'], { cwd: '/', timeoutMs: 60000, maxBytes: 100 });
    setTimeout(() => process.exit(7), 1000);`;
  const argv = [process.execPath, '--conditions=hanzo-source', '--input-type=module', '-e', code];
  expect((await run(argv, options)).code).toBe(7);
  const left = await run(['sh', '-c', `pgrep -f '[s]leep ${mark}'; true`], options);
  expect(`${left.stdout}`).toBe('');
});
