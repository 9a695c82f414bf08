// The program as a process: what it prints, what it never logs, and how it ends.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'serve-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `when` is asked at each piece of output, and may end the program. */
function run(args: readonly string[], when?: (out: string, kill: () => void) => void): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ['--conditions=hanzo-source', '--disable-warning=ExperimentalWarning', CLI, ...args],
    {
      env: { PATH: process.env['PATH'], HOME: folder },
    },
  );
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    when?.(out, () => child.kill('SIGTERM'));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve) => void child.on('close', (code) => resolve({ code, out, err })));
}

const untilServing = (out: string, kill: () => void): void => {
  if (out.includes('SIGTERM.')) kill();
};

test('the first start prints address and key once; the log on standard error is JSON without the key; SIGTERM ends it with 0', async () => {
  const first = await run(['serve', '--port', '0'], untilServing);
  expect(first.code).toBe(0);
  const [key = ''] = /sk-[0-9a-f]{48}/.exec(first.out) ?? [];
  expect(key).not.toBe('');
  expect(first.out).toMatch(/^hanzo-cloud \d+\.\d+\.\d+ at http:\/\/127\.0\.0\.1:\d+$/m);
  expect(first.out).toMatch(/\/v1\/mcp --header/);
  const lines = first.err
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message);
  expect(lines).toEqual(['serving', 'ending', 'ended']);
  expect(first.err).not.toContain(key);
  expect(statSync(path.join(folder, '.hanzo', 'cloud', 'vault.key')).mode & 0o777).toBe(0o600);
  const second = await run(['--port', '0'], untilServing);
  expect([second.code, /sk-[0-9a-f]{8}/.test(second.out)]).toEqual([0, false]);
});

test('a wrong command, a wrong setting and a database that is none end with a sentence and no stack', async () => {
  const noDatabase = path.join(folder, 'text.db');
  writeFileSync(noDatabase, 'This is no database. '.repeat(100));
  expect(await run(['srve'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^hanzo-cloud: unknown verb 'srve'[^\n]*\n$/) as string,
  });
  expect(await run(['serve', '--prot', '1'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^hanzo-cloud: '--prot 1' is not understood[^\n]*\n$/) as string,
  });
  expect(await run(['serve', '--database', noDatabase, '--port', '0'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^hanzo-cloud: [^\n]*\n$/) as string,
  });
});

test('doctor says what there is and what would mend the rest', async () => {
  const { code, out } = await run(['doctor', '--json', '--port', '0', '--data', path.join(folder, 'none')]);
  expect(code).toBe(0);
  expect((JSON.parse(out) as { what: string; state: string }[]).map(({ what, state }) => `${what} ${state}`)).toEqual([
    'node ok',
    'database note',
    'vault note',
    'address ok',
    'reach ok',
  ]);
});
