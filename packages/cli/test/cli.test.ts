// The program as people and scripts run it, against a plane: commands, output, exit codes, logins.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Configuration, ToolApi } from 'hanzoai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { servedPlane, type ServedPlane } from '../../sdk/test/plane.ts';
import { COMMANDS } from '../src/generated/operations.ts';

const CLI = new URL('../src/cli.ts', import.meta.url).pathname;

let plane: ServedPlane;
let home: string;
beforeAll(async () => {
  plane = await servedPlane();
  await new ToolApi(new Configuration({ accessToken: plane.adminKey, basePath: plane.url })).putToolActivation({
    activate: ['echo', 'broken'],
  });
});
afterAll(() => plane.close());
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'hanzo-cli-'));
  return () => rmSync(home, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs the program with nothing of this environment but the path. */
function run(args: readonly string[], { env = {}, input = '' }: Given = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=hanzo-source', CLI, ...args], {
      env: { PATH: process.env['PATH'], HOME: home, ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.on('error', () => undefined).end(input);
  });
}

const as = (key: string, input?: string): Given => ({ env: { HANZO_API_KEY: key, HANZO_API_URL: plane.url }, input });

describe('operations', () => {
  test('tools get prints a table, filtered as the flags say', async () => {
    const { code, out, err } = await run(
      ['tools', 'get', '--source', 'connector', '--activated', 'true'],
      as(plane.memberKey),
    );
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      'name    source     description                  dispatchable  activated',
      'broken  connector  Says its arguments: broken.  true          true',
      'echo    connector  Says its arguments: echo.    true          true',
      '',
    ]);
  });

  test('--json prints the answer as it came', async () => {
    const { code, out } = await run(['tools', 'kit', 'get', '--json'], as(plane.memberKey));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ skills: [], servers: [], omitted: [], excess: [], muted: [] });
  });

  test('common flags may stand before the words', async () => {
    const { out } = await run(['--json', 'tools', 'activation', 'get'], as(plane.memberKey));
    expect(JSON.parse(out)).toEqual({ enabled: ['broken', 'echo'] });
  });

  test('a list is given by repeating its flag', async () => {
    const on = ['tools', 'activation', 'replace', '--activate', 'one', '--activate', 'two', '--json'];
    expect(JSON.parse((await run(on, as(plane.adminKey))).out)).toEqual({ enabled: ['broken', 'echo', 'one', 'two'] });
    const off = ['tools', 'activation', 'replace', '--deactivate', 'one', '--deactivate', 'two', '--json'];
    expect(JSON.parse((await run(off, as(plane.adminKey))).out)).toEqual({ enabled: ['broken', 'echo'] });
  });

  test('tools call prints what the tool answered', async () => {
    const { code, out } = await run(
      ['tools', 'call', '--name', 'echo', '--arguments', '{"text":"hi"}'],
      as(plane.memberKey),
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ said: { text: 'hi' } });
  });

  test('JSON is read from a file and from standard input too', async () => {
    const file = path.join(home, 'args.json');
    writeFileSync(file, '{"text":"file"}');
    const call = (from: string, input?: string): Promise<Ended> =>
      run(['tools', 'call', '--name', 'echo', '--arguments', from], as(plane.memberKey, input));
    expect(JSON.parse((await call(`@${file}`)).out)).toEqual({ said: { text: 'file' } });
    expect(JSON.parse((await call('-', '{"text":"pipe"}')).out)).toEqual({ said: { text: 'pipe' } });
  });

  test('an operation with a name and one without share their command', async () => {
    const all = await run(['iam', 'organizations', 'get', '--json'], as(plane.memberKey));
    expect(JSON.parse(all.out)).toMatchObject({ total: 1 });
    const one = await run(['iam', 'organizations', 'get', 'admin', 'acme', '--json'], as(plane.memberKey));
    expect(JSON.parse(one.out)).toMatchObject({ name: 'acme' });
    const odd = await run(['iam', 'organizations', 'get', 'admin', 'acme', '--limit', '1'], as(plane.memberKey));
    expect(odd).toEqual({
      code: 2,
      out: '',
      err: 'hanzo: --limit does not go with iam organizations get OWNER NAME\n',
    });
    expect((await run(['iam', 'organizations', 'get', 'admin'], as(plane.memberKey))).code).toBe(2);
  });

  test('a secret comes from a variable or standard input, and has no flag of its own', async () => {
    const { env } = as(plane.adminKey);
    const named = await run(['kms', 'secrets', 'replace', 'one', '--value-env', 'IT'], { env: { ...env, IT: 'hush' } });
    expect([named.code, named.err]).toEqual([0, '']);
    await run(['kms', 'secrets', 'replace', 'two'], as(plane.adminKey, 'from the pipe\n'));
    const read = await run(['kms', 'secrets', 'get', 'two', '--json'], as(plane.adminKey));
    expect(read.out).toContain('"from the pipe"');
    expect((await run(['kms', 'secrets', 'replace', 'one', '--value', 'hush'], as(plane.adminKey))).code).toBe(2);
    const wrong = await run(['kms', 'secrets', 'replace', 'one', '--value-env', 'sk-hush'], as(plane.adminKey));
    expect(wrong.code).toBe(2);
    expect(wrong.err).not.toContain('sk-hush');
  });

  test('a deletion without an answer says that it is done', async () => {
    await run(['kms', 'secrets', 'replace', 'gone'], as(plane.adminKey, 'x'));
    expect(await run(['kms', 'secrets', 'rm', 'gone'], as(plane.adminKey))).toEqual({
      code: 0,
      out: 'done\n',
      err: '',
    });
  });

  test('a document comes from a file', async () => {
    const file = path.join(home, 'SKILL.md');
    writeFileSync(file, '# Notes\n');
    const { code } = await run(
      ['tools', 'skills', 'create', '--name', 'notes', '--content-file', file],
      as(plane.adminKey),
    );
    expect(code).toBe(0);
    const { out } = await run(['tools', 'skills', 'authored', 'get', '--json'], as(plane.adminKey));
    expect(out).toContain('# Notes\\n');
  });
});

describe('refusals', () => {
  test('a refusal is one sentence and ends with 1', async () => {
    const ended = await run(['tools', 'call', '--name', 'nothing'], as(plane.memberKey));
    expect(ended.code).toBe(1);
    expect(ended.out).toBe('');
    expect(ended.err).toMatch(/^hanzo: .*nothing.*\n$/);
  });

  test('with --json the problem document is on standard error', async () => {
    const { code, err } = await run(['tools', 'call', '--name', 'broken', '--json'], as(plane.memberKey));
    expect(code).toBe(1);
    expect(JSON.parse(err)).toMatchObject({ status: 424, result: { isError: true } });
  });

  test('a wrong key says how to log in, and is not repeated', async () => {
    const { code, err } = await run(['tools', 'get'], as('sk-wrongwrongwrong'));
    expect(code).toBe(1);
    expect(err).toContain('hanzo login');
    expect(err).not.toContain('wrongwrong');
  });

  test('a plane that is not there is named', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const ended = await run(['tools', 'kit', 'replace'], { env: { HANZO_API_URL: `http://127.0.0.1:${port}` } });
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: `hanzo: http://127.0.0.1:${port} cannot be reached: ECONNREFUSED\n`,
    });
  });

  test.each([
    [['tools', 'nope']],
    [['tools', 'call']],
    [['tools', 'call', '--name', 'echo', '--arguments', '{']],
    [['tools', 'call', '--name', 'echo', '--arguments', '@/nowhere.json']],
    [['tools', 'catalog', 'get', '..']],
    [['iam', 'memberships', 'create', '--user', 'a/b', '--is-admin', 'maybe']],
    [['tools', 'get', '--profile', 'nobody']],
    [['completion', 'tcsh']],
  ])('hanzo %j ends with 2', async (args) => {
    const { code, out, err } = await run(args, as(plane.memberKey));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^hanzo: .+\n$/);
    expect(err).not.toContain('    at ');
  });
});

describe('logins', () => {
  test('a key is checked, stored for its owner only, and used', async () => {
    const { code, out, err } = await run(['login', '--url', plane.url], { input: `${plane.memberKey}\n` });
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(`mel of acme at ${plane.url}, stored as 'default'\n`);
    const file = path.join(home, '.hanzo', 'cli.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run(['iam', 'account', 'get'])).out).toMatch(/^owner +acme\nname +mel\n/);
  });

  test('a key that the plane refuses is not stored', async () => {
    const { code } = await run(['login', '--url', plane.url, '--key-env', 'K'], { env: { K: 'sk-nope' } });
    expect(code).toBe(1);
    expect(() => statSync(path.join(home, '.hanzo', 'cli.json'))).toThrow('ENOENT');
  });

  test('profiles stand side by side; the last login is the current one', async () => {
    await run(['login', '--url', plane.url, '--profile', 'ada', '--key-env', 'K'], { env: { K: plane.adminKey } });
    await run(['login', '--url', plane.url, '--profile', 'mel', '--key-env', 'K'], { env: { K: plane.memberKey } });
    expect((await run(['iam', 'account', 'get', '--json'])).out).toContain('"mel"');
    expect((await run(['iam', 'account', 'get', '--json', '--profile', 'ada'])).out).toContain('"ada"');
    const { out } = await run(['profiles', '--json']);
    expect(JSON.parse(out)).toEqual({
      profiles: [
        { name: 'ada', url: plane.url, current: false },
        { name: 'mel', url: plane.url, current: true },
      ],
    });
    expect(out).not.toContain('sk-');
    expect((await run(['logout', '--profile', 'mel'])).code).toBe(0);
    expect(readFileSync(path.join(home, '.hanzo', 'cli.json'), 'utf8')).not.toContain(plane.memberKey);
  });

  test('a stored key goes to its own plane only', async () => {
    await run(['login', '--url', plane.url, '--key-env', 'K'], { env: { K: plane.memberKey } });
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await run(['tools', 'get'], { env: { HANZO_API_URL: `http://127.0.0.1:${port}` } });
    await new Promise((resolve) => server.close(resolve));
    expect(seen).toEqual([undefined]);
  });

  test('a damaged file is named without its content', async () => {
    await run(['login', '--url', plane.url, '--key-env', 'K'], { env: { K: plane.memberKey } });
    writeFileSync(path.join(home, '.hanzo', 'cli.json'), '{"key":"sk-secret"');
    const { code, err } = await run(['tools', 'get']);
    expect(code).toBe(2);
    expect(err).toContain('cli.json');
    expect(err).not.toContain('sk-secret');
  });
});

describe('the table', () => {
  test('the documented commands are there', () => {
    const lines = COMMANDS.map(({ words }) => words.join(' '));
    for (const line of [
      'tools get',
      'tools activation replace',
      'tools call',
      'tools mcp servers create',
      'tools mcp servers delete',
    ]) {
      expect(lines).toContain(line);
    }
  });

  test('no member takes the name of a common flag', () => {
    const flags = COMMANDS.flatMap(({ members }) => members.map(({ flag }) => flag));
    expect(flags.filter((flag) => ['json', 'profile', 'help'].includes(flag))).toEqual([]);
  });

  test('a shell completes commands and flags', async () => {
    const script = (await run(['completion', 'bash'])).out;
    const ask = `hanzo() { "${process.execPath}" --conditions=hanzo-source "${CLI}" "$@"; }
${script}
COMP_WORDS=(hanzo tools c); COMP_CWORD=2; _hanzo; printf '%s,' "\${COMPREPLY[@]}"
COMP_WORDS=(hanzo tools call --na); COMP_CWORD=3; _hanzo; printf '%s' "\${COMPREPLY[@]}"`;
    const child = spawn('bash', ['-c', ask], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    await new Promise((resolve) => child.on('close', resolve));
    expect(out).toBe('call,catalog,--name');
  });
});
