// The command line as it is typed: verbs, exit codes (0 done, 1 failed, 2 mistyped), and one line for every mistake.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ending, run as runProgram, start } from './program.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'cli-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const env = (): Record<string, string> => ({
  HANZO_CONFIG_HOME: home,
  HOST: '',
  HANZO_MCP_TOKEN: 'a-token-for-these-tests',
});
const run = (...args: string[]): Promise<Ending> => runProgram(args, env());

describe('version and help', () => {
  it.each([['version'], ['--version'], ['-V'], ['-v'], ['serve', '--version'], ['list-tools', '-v']])(
    '%s %s is the version',
    async (...args) => {
      expect(await run(...args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    },
  );

  it.each([['help'], ['--help'], ['serve', '-h'], ['install', '--help']])(
    '%s %s names every verb and flag',
    async (...args) => {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stderr]).toEqual([0, '']);
      for (const verb of ['serve', 'list-tools', 'call', 'install', 'uninstall', 'doctor', 'version'])
        expect(stdout).toContain(`hanzo-mcp ${verb === 'serve' ? '[serve]' : verb}`);
      for (const flag of [
        '--transport --port --host --token --no-auth --tools --disable-tools --root --access --allow-secret',
        '--allow-private --pass-env --project --max-output --json-only',
        '--client --detected --all --scope --dry-run --json',
      ].flatMap((each) => each.split(' ')))
        expect(stdout).toContain(flag);
    },
  );
});

describe('list-tools', () => {
  it('is a table of what is served, or JSON', async () => {
    const table = await run('list-tools', '--tools', 'jq,fs');
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toMatch(/^tool +bytes +tokens\nfs +\d+ +\d+\njq +\d+ +\d+\n2 tools +\d+ +\d+\n$/);
    const { tools, total } = JSON.parse((await run('list-tools', '--tools', 'jq,fs', '--json')).stdout);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['fs', 'jq']);
    expect(total.tokens).toBe(tools[0].tokens + tools[1].tokens);
  });
});

describe('call', () => {
  it('prints the answer, and ends with 0', async () => {
    const file = path.join(home, 'a.txt');
    writeFileSync(file, 'some text\n');
    const { code, stdout, stderr } = await run('call', 'fs', 'read', `uri=${file}`, 'raw=true');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ ok: true });
    expect(stdout.endsWith('some text\n')).toBe(true);
  });

  it('takes a JSON object, values that read as JSON, and flags of the server', async () => {
    const { code, stdout } = await run(
      'call',
      'jq',
      '{"filter":".[0] + .[1]"}',
      'input=[40, 2]',
      'compact=true',
      '--json-only',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    expect(stdout).toContain('42');
  });

  it('ends with 1 when the tool fails, and still prints its answer', async () => {
    const { code, stdout, stderr } = await run('call', 'exec', 'exec', 'command=echo out; exit 3');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      ok: false,
      error: { code: 'EXIT' },
      data: { exit_code: 3 },
    });
    expect(stdout).toContain('out');
  });

  it('says that a background command ends with it', async () => {
    const { code, stderr } = await run('call', 'exec', 'exec', 'command=sleep 600', 'background=true');
    expect(code).toBe(0);
    expect(stderr).toContain('ends now, with this call');
  });

  it.each([
    [['call'], 'call what?'],
    [['call', 'fss', 'read'], "unknown tool 'fss'; did you mean 'fs'? It is one of: fs, exec"],
    [['call', 'zzz'], "unknown tool 'zzz'; it is one of: fs, exec"],
    [['call', 'fs', 'read', '--uri=/x'], 'parameters are written without dashes: uri=/x in place of --uri=/x'],
    [['call', 'fs', 'read', '--uri', '/x'], 'uri=VALUE in place of --uri'],
    [['call', 'fs', 'read', 'x'], "'x' is neither key=value nor a JSON object"],
    [['call', 'fs', '{bad'], 'not a JSON object'],
  ])('%j is mistyped', async (args, message) => {
    await mistyped(args, message);
  });
});

describe('a reader that goes away', () => {
  it.each([
    ['call', 'fs', 'help'],
    ['call', 'exec', 'exec', 'command=seq 1 9999'],
    ['list-tools'],
    ['help'],
    ['version'],
    ['install', '--all', '--dry-run'],
  ])('%s %s is no crash', async (...args) => {
    const child = start(args, { ...env(), HOME: home });
    child.stdin.end();
    child.stdout.destroy();
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    const [code] = await once(child, 'close');
    expect({ code, said }).toEqual({ code: 0, said: '' });
  });
});

describe('mistakes', () => {
  it.each([
    [['srve'], "unknown verb 'srve'"],
    [['zzz'], "unknown verb 'zzz'. The verbs are: serve, list-tools"],
    [['instal'], "did you mean 'install'?"],
    [['{"mcpServers":{}}'], 'a configuration is no argument'],
    [[`'{"mcpServers":{}}'`], 'a configuration is no argument'],
    [['serve --tools fs'], 'arrived as one quoted word'],
    [['--tools fs'], "'--tools fs' arrived as one quoted word"],
    [['--tools', ''], '--tools is empty'],
    [['--tools=', 'list-tools'], '--tools is empty'],
    [['list-tools', '--tools', ''], '--tools is empty'],
    [['--tools', 'fs', 'list-tools'], 'the verb comes first: hanzo-mcp list-tools --tools fs'],
    [['--tools=fs,system', 'list-tools'], 'the verb comes first: hanzo-mcp list-tools --tools=fs,system'],
    [['serve', 'doctor'], 'the verb comes first: hanzo-mcp doctor'],
    [['serve', 'x'], "unexpected 'x'"],
    [['--core-only'], 'unknown flag --core-only (hanzo-mcp help lists the flags)'],
    [['--porrt', '1'], 'did you mean --port?'],
    [['--tools', 'zzz'], "this server has no tool 'zzz'. It has: fs, exec"],
    [['-t', 'http', '--host', '0.0.0.0', '--no-auth'], 'leave --no-auth out, or serve on --host 127.0.0.1'],
    [['doctor', 'x'], "doctor takes no 'x'"],
    [['install'], 'install where?'],
  ])('%j', async (args, message) => {
    await mistyped(args, message);
  });
});

describe('serve over HTTP', () => {
  let taken: Server;
  beforeEach(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
  });
  afterEach(() => new Promise((resolve) => void taken.close(resolve)));

  it('says that a port is taken, and ends with 2', async () => {
    const { port } = taken.address() as { port: number };
    await mistyped(['serve', '-t', 'http', '--port', String(port)], `port ${port} on 127.0.0.1 is taken`);
  });

  it('takes the token and the address from the environment, answers with it, and ends with 0 on SIGTERM', async () => {
    const child = start(['-t', 'http', '-p', '0'], { ...env(), HOST: 'localhost' });
    let said = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk;
        const found = /address +(http:\/\/\S+)\n/.exec(said)?.[1];
        if (found) resolve(found);
      });
      child.once('exit', () => reject(new Error(`it ended: ${said}`)));
    });
    expect(url).toMatch(/^http:\/\/localhost:\d+\/mcp$/);
    expect(said).toContain('a-token-for-these-tests');
    const ping = (token: string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      });
    expect((await ping('a-token-for-these-tests')).status).toBe(200);
    expect((await ping('another-token-for-these')).status).toBe(401);
    child.kill('SIGTERM');
    expect((await once(child, 'close'))[0]).toBe(0);
  });
});

/** One line on standard error, nothing on standard output, exit code 2, nothing written. */
async function mistyped(args: readonly string[], message: string): Promise<void> {
  const { code, stdout, stderr } = await run(...args);
  expect(stderr).toContain(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^hanzo-mcp: .+\n/);
  expect(stderr).not.toMatch(/\n +at /);
  expect(readdirSync(home)).toEqual([]);
}
