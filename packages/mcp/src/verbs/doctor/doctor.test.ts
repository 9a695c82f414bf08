// The doctor on machines made for it: real files, real programs (small scripts), real sockets, real child processes.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { install } from '../install/index.ts';
import { checkClients } from './clients.ts';
import { type Check, doctor, type DoctorOptions, renderChecks } from './index.ts';
import { checkFolders, checkNode, checkPrograms, checkSandbox, checkWatching } from './machine.ts';
import { isOurs, launchOf, MISTAKES } from './mistakes.ts';
import { checkPort, checkServer } from './server.ts';

let home: string;
const servers: Server[] = [];

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'doctor-test-'));
  await mkdir(path.join(home, 'bin'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(home, { recursive: true, force: true });
});

function options(overrides: Partial<DoctorOptions> = {}): DoctorOptions {
  return {
    home,
    env: { PATH: path.join(home, 'bin') },
    platform: 'linux',
    cwd: home,
    nodePath: process.execPath,
    nodeVersion: '24.1.0',
    binPath: path.join(home, 'hanzo-mcp.js'),
    dataDir: path.join(home, '.hanzo'),
    tempDir: home,
    port: 0,
    proc: '/proc',
    timeoutMs: 30_000,
    ...overrides,
  };
}

async function program(name: string, body: string): Promise<string> {
  const file = path.join(home, 'bin', name);
  await writeFile(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return file;
}

const find = (checks: readonly Check[], name: string): Check | undefined => checks.find((each) => each.name === name);

describe('programs', () => {
  it('one that is there is named with its version and place', async () => {
    const git = await program('git', 'echo git version 2.43.0');
    expect(find(await checkPrograms(options()), 'git')).toEqual({
      name: 'git',
      status: 'ok',
      found: `2.43.0 (${git})`,
    });
  });

  it('one that is missing says what is lost and how to get it, with the package manager that is here', async () => {
    await program('dnf', '');
    const checks = await checkPrograms(options());
    expect(find(checks, 'git')).toEqual({
      name: 'git',
      status: 'fail',
      found: 'not installed; the git tool does not work',
      mend: 'sudo dnf install git',
    });
    expect(find(checks, 'jq')).toMatchObject({ status: 'ok' });
    expect(find(checks, 'npx')).toMatchObject({ status: 'warn', mend: 'sudo dnf install npm' });
    expect(find(checks, 'uvx')).toMatchObject({ status: 'warn', mend: 'python3 -m pip install uv' });
  });

  it('one that is broken or too old is told apart from a missing one', async () => {
    await program('git', 'echo git version 2.20.1');
    await program('npx', 'echo cannot find module >&2; exit 3');
    const checks = await checkPrograms(options());
    expect(find(checks, 'git')).toMatchObject({ status: 'warn', found: '2.20.1 does not know --end-of-options' });
    expect(find(checks, 'npx')).toMatchObject({
      status: 'warn',
      found: expect.stringMatching(/does not start: cannot find module/),
    });
  });

  it('a file that may not be executed is not a program', async () => {
    await writeFile(path.join(home, 'bin', 'git'), '', { mode: 0o644 });
    expect(find(await checkPrograms(options()), 'git')).toMatchObject({ status: 'fail' });
  });

  it('bubblewrap is tried, not only found; elsewhere than on Linux it is not asked for', async () => {
    expect(await checkSandbox(options())).toMatchObject([
      { status: 'warn', found: expect.stringContaining('not installed') },
    ]);
    await program('bwrap', 'exit 0');
    expect(await checkSandbox(options())).toMatchObject([{ name: 'bubblewrap', status: 'ok' }]);
    await program('bwrap', 'echo "bwrap: No permissions to create new namespace" >&2; exit 1');
    expect(await checkSandbox(options())).toMatchObject([
      { status: 'warn', found: expect.stringContaining('No permissions') },
    ]);
    expect(await checkSandbox(options({ platform: 'darwin' }))).toEqual([]);
  });
});

describe('the machine', () => {
  it.each([
    ['24.1.0', 'ok'],
    ['22.19.0', 'ok'],
    ['22.18.0', 'fail'],
    ['20.20.2', 'fail'],
  ])('Node %s is %s', (nodeVersion, status) => {
    expect(checkNode(options({ nodeVersion })).status).toBe(status);
  });

  it('a data folder that can be made counts as writable, one below a file does not', async () => {
    expect(find(await checkFolders(options()), 'data folder')).toMatchObject({ status: 'ok' });
    await writeFile(path.join(home, 'file'), '');
    const dataDir = path.join(home, 'file', 'x');
    expect(find(await checkFolders(options({ dataDir })), 'data folder')).toMatchObject({
      status: 'fail',
      mend: expect.stringContaining('HANZO_CONFIG_HOME'),
    });
  });

  it('a temporary folder that is not there is broken, with the variable that moves it', async () => {
    await writeFile(path.join(home, 'file'), '');
    expect(
      find(await checkFolders(options({ tempDir: path.join(home, 'file', 'x') })), 'temporary folder'),
    ).toMatchObject({
      status: 'fail',
      mend: expect.stringContaining('TMPDIR'),
    });
  });

  it('low limits of file watching come with the sysctl that raises them', async () => {
    const limits = path.join(home, 'sys/fs/inotify');
    await mkdir(limits, { recursive: true });
    await writeFile(path.join(limits, 'max_user_watches'), '8192\n');
    await writeFile(path.join(limits, 'max_user_instances'), '128\n');
    expect(await checkWatching(options({ proc: home }))).toEqual([
      {
        name: 'file watching',
        status: 'warn',
        found: '8192 watches, 128 instances: too few for a large tree',
        mend: 'sudo sysctl -w fs.inotify.max_user_watches=524288',
      },
    ]);
    expect(await checkWatching(options({ proc: path.join(home, 'none') }))).toEqual([]);
  });

  it('a port in use is told, with the way around it', async () => {
    const port = await listening();
    expect(await checkPort(options({ port }))).toMatchObject({
      status: 'warn',
      found: `${port} is in use`,
      mend: expect.stringContaining('--port 0'),
    });
    expect(await checkPort(options())).toMatchObject({ status: 'ok' });
  });
});

describe('mistakes', () => {
  const cases: [entry: unknown, id: string, part: RegExp][] = [
    [{ command: 'npx', args: ['@hanzo/mcp', 'serve'] }, 'npx-without-package', /without --package=@hanzo\/mcp/],
    [{ command: 'npx', args: ['-y', 'hanzo-mcp@latest'] }, 'npx-without-package', /without --package/],
    [
      { command: 'npx', args: ['-y', '--package=@hanzo/mcp', 'hanzo-mcp', 'serve'] },
      'npx-without-package',
      /not this installation/,
    ],
    [{ command: ['npx', '@hanzo/mcp'] }, 'npx-without-package', /without --package/],
    [{ command: 'node /opt/hanzo-mcp.js serve' }, 'one-string', /whole command line/],
    [{ command: '/usr/bin/node /opt/hanzo-mcp.js serve' }, 'one-string', /whole command line/],
    [{ command: 'node', args: '/opt/hanzo-mcp.js serve' }, 'one-string', /must be a list/],
    [{ command: "'/usr/bin/node'", args: ['/opt/hanzo-mcp.js'] }, 'quotes', /carries its quotes/],
    [{ command: '/usr/bin/node', args: ["'/opt/hanzo-mcp.js'"] }, 'quotes', /carries its quotes/],
    [{ command: 'node', args: ['~/hanzo/bin/hanzo-mcp.js'] }, 'unexpanded', /not expanded/],
    [{ command: '$HOME/bin/node', args: [] }, 'unexpanded', /not expanded/],
    [{ command: 'node', args: ['packages/mcp/bin/hanzo-mcp.js'] }, 'relative-path', /is relative/],
    [{ command: './node_modules/.bin/hanzo-mcp', args: [] }, 'relative-path', /is relative/],
    [{ command: 'node', args: ['/b.js', 'serve', '--transport', 'http'] }, 'transport', /speaks stdio/],
    [{ command: 'node', args: ['/b.js', 'serve', '-t=http'] }, 'transport', /speaks stdio/],
    [{ command: 'node', args: ['/b.js', 'serve', '--port', '70000'] }, 'transport', /not a port/],
    [{ command: 'node', args: ['/b.js', 'serve', '--port=3000'] }, 'transport', /no effect/],
    [{ url: 'localhost:3000' }, 'url', /not an http address/],
  ];
  it.each(cases)('%j is %s', (entry, id, part) => {
    const launch = launchOf(entry)!;
    const hit = MISTAKES.find((each) => each.found(launch) !== undefined);
    expect(hit?.id).toBe(id);
    expect(hit?.found(launch)).toMatch(part);
  });

  it.each([
    { command: '/usr/bin/node', args: ['/opt/hanzo-mcp.js', 'serve', '--tools', 'fs,code'] },
    { command: 'C:\\Program Files\\nodejs\\node.exe', args: ['C:\\hanzo\\bin\\hanzo-mcp.js', 'serve'] },
    { command: '/opt/my node/node', args: ['/opt/my hanzo/hanzo-mcp.js'] },
    { command: 'npx', args: ['-y', 'some-other-server'] },
    { url: 'http://127.0.0.1:3000/' },
  ])('%j is no mistake', (entry) => {
    expect(MISTAKES.filter((each) => each.found(launchOf(entry)!) !== undefined)).toEqual([]);
  });
});

/** A configuration whose entry runs `bin`. */
const running = (bin: string): string =>
  JSON.stringify({ mcpServers: { hanzo: { command: process.execPath, args: [bin, 'serve'] } } });
const cursor = (): string => path.join(home, '.cursor', 'mcp.json');

/** What the doctor finds with this as Cursor's file. */
async function written(text: string): Promise<Check> {
  await mkdir(path.dirname(cursor()), { recursive: true });
  await writeFile(cursor(), text);
  return find(await checkClients(options()), 'client:cursor') as Check;
}

describe('clients', () => {
  it('none here: says so', async () => {
    expect(await checkClients(options())).toMatchObject([{ name: 'clients', status: 'warn' }]);
  });

  it('what install wrote is fine', async () => {
    await writeFile(options().binPath, '');
    await mkdir(path.join(home, '.cursor'));
    const { env, platform, cwd, nodePath, binPath } = options();
    await install({
      clients: 'all',
      serverArgs: [],
      nodePath,
      binPath,
      home,
      env,
      platform,
      cwd,
      dryRun: false,
      remove: false,
    });
    const checks = await checkClients(options());
    expect(checks.map((each) => each.status)).toEqual(checks.map(() => 'ok'));
    expect(checks).toHaveLength(10);
  });

  it('used but not told of us', async () => {
    await mkdir(path.dirname(cursor()));
    expect(find(await checkClients(options()), 'client:cursor')).toMatchObject({
      status: 'warn',
      mend: 'hanzo-mcp install --client cursor',
    });
    expect(await written('{}')).toMatchObject({ status: 'warn', found: expect.stringContaining("no 'hanzo' entry") });
  });

  it('a file that does not parse is named with its place', async () => {
    expect(await written('{\n"a" 1}')).toMatchObject({
      status: 'fail',
      found: `${cursor()}:2:5: ':' was expected, not '1'`,
    });
  });

  it.each([
    ['{"mcpServers":{"hanzo":{"command":"/nowhere/node","args":["/b.js"]}}}', 'fail', /\/nowhere\/node is not there/],
    ['{"mcpServers":{"hanzo":{"command":"not-on-path","args":[]}}}', 'fail', /not on PATH/],
    ['{"mcpServers":{"hanzo":{"command":"/bin/sh","args":["x"],"disabled":true}}}', 'warn', /switched off/],
    ['{"mcpServers":{"hanzo":"x"}}', 'fail', /not an object/],
    ['{"mcpServers":{"hanzo":{}}}', 'fail', /names no command/],
    ['{"servers":{"hanzo":{"command":"x"}}}', 'fail', /stands under 'servers', but Cursor reads 'mcpServers'/],
    ['{"mcpServers":{"mine":{"command":"npx","args":["@hanzo/mcp","serve"]}}}', 'fail', /'mine'.*without --package/],
  ] as const)('%s', async (text, status, found) => {
    const check = await written(text);
    expect(check.status).toBe(status);
    expect(check.found).toMatch(found);
    expect(check.mend).toBeTruthy();
  });

  it('an entry whose program is gone, and one of another installation', async () => {
    expect(await written(running('/gone/hanzo-mcp.js'))).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('/gone/hanzo-mcp.js is not there'),
    });
    const other = path.join(home, 'other.js');
    await writeFile(other, '');
    expect(await written(running(other))).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('another installation'),
    });
    await writeFile(options().binPath, '');
    const linked = path.join(home, 'linked.js');
    await symlink(options().binPath, linked);
    expect(await written(running(linked))).toMatchObject({ status: 'ok' });
  });

  it('a remote entry is tried at its port', async () => {
    const port = await listening((socket) => socket.once('data', () => socket.destroy()));
    const entry = JSON.stringify({ mcpServers: { hanzo: { url: `http://127.0.0.1:${port}/` } } });
    expect(await written(entry)).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('does not speak HTTP'),
    });
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await written(entry)).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('nothing answers'),
      mend: expect.stringContaining(String(port)),
    });
  });
});

/** A server that answers the handshake and lists these. */
const answering = (tools: string): string => `
    process.stdin.on('data', (chunk) => {
      for (const line of String(chunk).split('\\n').filter(Boolean)) {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
        if (method === 'tools/list') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: ${tools} } }));
      }
    });`;

describe('an entry of another name', () => {
  it.each([
    [{ command: 'npx', args: ['-y', '@hanzo/mcp'] }, true],
    [{ command: 'npx', args: ['--package=@hanzo/mcp', 'x'] }, true],
    [{ command: 'npx', args: ['hanzo-mcp@1.0.0'] }, true],
    [{ command: 'node', args: ['/opt/hanzo/bin/hanzo-mcp.js'] }, true],
    [{ command: 'node /opt/hanzo/bin/hanzo-mcp.js serve' }, true],
    [{ command: 'node', args: '/opt/hanzo/bin/hanzo-mcp.js serve' }, true],
    [{ command: '/usr/local/bin/hanzo-mcp' }, true],
    [{ command: ['/usr/local/bin/hanzo-mcp', 'serve'] }, true],
    [{ command: 'npx', args: ['-y', 'some-filesystem-server', '/home/me/hanzo-mcp'] }, false],
    [{ url: 'https://example.org/hanzo-mcp' }, false],
    ['hanzo-mcp', false],
  ])('%j is ours: %s', (entry, ours) => {
    expect(isOurs(entry)).toBe(ours);
  });
});

describe('a server over HTTP', () => {
  it.each([
    [200, 'ok', /answers/],
    [401, 'fail', /the token in the file is not the server's/],
    [404, 'fail', /no MCP server at this path/],
  ] as const)('that answers %i', async (status, expected, found) => {
    const seen: string[] = [];
    const server = createHttpServer((request, response) => {
      seen.push(request.headers.authorization ?? '');
      response.writeHead(status).end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    await mkdir(path.join(home, '.codex'));
    await writeFile(
      path.join(home, '.codex', 'config.toml'),
      `[mcp_servers.hanzo]\nurl = "${url}"\nbearer_token_env_var = "TOKEN"\n`,
    );
    const { env } = options();
    const check = find(await checkClients(options({ env: { ...env, TOKEN: 'sesame' } })), 'client:codex');
    expect(check?.status).toBe(expected);
    expect(check?.found).toMatch(found);
    expect(seen).toEqual(['Bearer sesame']);
  });
});

describe('self test', () => {
  it.each([
    ['lists its tools', answering('[{},{},{}]'), 'ok', /lists 3 tools/],
    ['lists none', answering('[]'), 'fail', /lists no tools/],
    [
      'is not built',
      `console.error('dist is missing; run \`npm run build\` first'); process.exit(1)`,
      'fail',
      /ended with code 1: dist is missing/,
    ],
    [
      'writes junk to stdout',
      `console.log('hello'); setInterval(() => {}, 1000)`,
      'fail',
      /no protocol is written to stdout: hello/,
    ],
    ['dies', `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)`, 'fail', /ended by SIGTERM/],
  ] as const)('a server that %s', async (_name, body, status, found) => {
    await writeFile(options().binPath, body);
    const check = await checkServer(options());
    expect(check.status).toBe(status);
    expect(check.found).toMatch(found);
    if (/npm run build/.test(body)) expect(check.mend).toBe('npm run build');
  });

  it('a server that says nothing is given up on, and ended', async () => {
    await writeFile(options().binPath, `console.error('thinking'); setInterval(() => {}, 1000)`);
    expect(await checkServer(options({ timeoutMs: 1500 }))).toMatchObject({
      status: 'fail',
      found: expect.stringMatching(/^no answer in 1.5 s/),
    });
  });

  it('a Node that is not there', async () => {
    expect(await checkServer(options({ nodePath: '/nowhere/node' }))).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('does not start'),
    });
  });
});

describe('the whole', () => {
  it('is in a fixed order, changes nothing in the home, and prints a mend below each finding', async () => {
    await writeFile(options().binPath, 'process.exit(4)');
    const checks = await doctor(options());
    expect(checks[0]?.name).toBe('node');
    expect(checks.at(-1)?.name).toBe('self test');
    expect(new Set(checks.map((each) => each.name)).size).toBe(checks.length);
    for (const check of checks) expect(check.mend === undefined).toBe(check.status === 'ok');
    const lines = renderChecks(checks, false).split('\n');
    expect(lines.filter((line) => line.trim().startsWith('mend: '))).toHaveLength(
      checks.filter((each) => each.mend).length,
    );
    expect(lines.at(-2)).toMatch(/^\d+ ok, \d+ to look at, \d+ broken$/);
    expect(renderChecks(checks, true)).toContain('\u001b[31mfail');
  });
});

async function listening(answer: (socket: Socket) => unknown = () => undefined): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    answer(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
