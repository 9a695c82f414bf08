// The configuration files of every client, before and after; the golden files are data, written by hand.
import { execFileSync } from 'node:child_process';
import { chmod, link, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CLIENTS,
  detectClients,
  install,
  type InstallOptions,
  printSnippet,
  type Report,
  shellLine,
  snippetFor,
} from '../../src/verbs/install/index.ts';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const SERVER_ARGS = ['--tools', 'fs,code'];

let home: string;
let clock: number;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'install-'));
  clock = Date.UTC(2026, 0, 2, 3, 4, 5);
});
afterEach(() => rm(home, { recursive: true, force: true }));

function options(overrides: Partial<InstallOptions> = {}): InstallOptions {
  return {
    clients: 'all',
    serverArgs: SERVER_ARGS,
    nodePath: '/opt/node/bin/node',
    binPath: '/opt/hanzo/bin/hanzo-mcp.js',
    home,
    env: {},
    platform: 'linux',
    cwd: path.join(home, 'project'),
    dryRun: false,
    remove: false,
    now: () => new Date((clock += 1000)),
    ...overrides,
  };
}

async function run(client: string, overrides: Partial<InstallOptions> = {}): Promise<Report> {
  const [report] = await install(options({ clients: [client], ...overrides }));
  return report as Report;
}

/** The file of a client in the test's home, holding `content`. */
async function given(client: string, content: string | Uint8Array): Promise<string> {
  const found = CLIENTS.find((each) => each.id === client);
  const file = found?.files(options(), 'user').at(-1) as string;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

const text = (file: string): string => readFileSync(file, 'utf8');
const golden = (client: string, name: string): string => text(path.join(GOLDEN, client, `${name}.txt`));
const backups = async (file: string): Promise<string[]> =>
  (await readdir(path.dirname(file))).filter((name) => name.startsWith(`${path.basename(file)}.bak-`));

describe('golden files', () => {
  it('there is one set for every client', () => {
    expect(readdirSync(GOLDEN).sort()).toEqual(CLIENTS.map((each) => each.id).sort());
  });

  it.each(CLIENTS.map((each) => each.id))('%s: added, then unchanged, then removed byte for byte', async (client) => {
    const file = await given(client, golden(client, 'before'));

    const added = await run(client);
    expect(added).toMatchObject({ client, file, outcome: 'added' });
    expect(text(file)).toBe(golden(client, 'after'));
    expect(text(added.backup as string)).toBe(golden(client, 'before'));

    const again = await run(client);
    expect(again).toMatchObject({ outcome: 'unchanged' });
    expect(again.backup).toBeUndefined();
    expect(await backups(file)).toHaveLength(1);

    expect(await run(client, { remove: true })).toMatchObject({ outcome: 'removed' });
    expect(text(file)).toBe(golden(client, 'removed'));
    expect(await run(client, { remove: true })).toMatchObject({ outcome: 'absent' });
  });

  it.each(CLIENTS.map((each) => each.id))('%s: CRLF stays CRLF, a byte order mark stays', async (client) => {
    const crlf = (name: string): string => `\ufeff${golden(client, name).replaceAll('\n', '\r\n')}`;
    const file = await given(client, crlf('before'));
    expect(await run(client)).toMatchObject({ outcome: 'added' });
    expect(text(file)).toBe(crlf('after'));
    expect(await run(client, { remove: true })).toMatchObject({ outcome: 'removed' });
    expect(text(file)).toBe(crlf('removed'));
  });

  it.each(CLIENTS.map((each) => each.id))('%s: a missing file is made, readable by the user alone', async (client) => {
    const report = await run(client);
    expect(report).toMatchObject({ outcome: 'added' });
    expect(report.backup).toBeUndefined();
    expect((await stat(report.file)).mode & 0o777).toBe(0o600);
    expect(await run(client)).toMatchObject({ outcome: 'unchanged' });
    expect(await run(client, { remove: true })).toMatchObject({ outcome: 'removed' });
    expect(text(report.file).trim()).toBe(client === 'codex' ? '' : '{}');
  });

  it.each(CLIENTS.map((each) => each.id))('%s: an empty file and one of blanks count as nothing', async (client) => {
    for (const empty of ['', '\n\n']) {
      const file = await given(client, empty);
      expect(await run(client)).toMatchObject({ outcome: 'added' });
      expect(text(file)).toContain('/opt/hanzo/bin/hanzo-mcp.js');
      await rm(path.dirname(file), { recursive: true });
    }
  });
});

describe('a file that cannot be read is never overwritten', () => {
  const broken: [string, string, RegExp][] = [
    ['claude-code', '{\n  "a": 1,\n  "b" 2\n}\n', /:3:7: ':' was expected, not '2'/],
    ['claude-code', '{ "a": 1 // note\n}', /:1:10: a comment, and this client reads plain JSON/],
    ['claude-desktop', '{ "a": 1, }', /:1:9: a comma before '}', which this client does not read/],
    ['gemini', '{ /* fine */ "a": [1, 2,] }', /:1:24: a comma before '\]'/],
    ['cursor', '{ "mcpServers": { "a": { }', /:1:27: ',' or '}' was expected, not the end of the file/],
    ['zed', '{ "a": "one\n" }', /:1:8: a string that is not closed/],
    ['vscode', '/* { }', /:1:1: a comment that never ends/],
    ['windsurf', "{ 'a': 1 }", /:1:3: a name in double quotes was expected, not '''/],
    ['opencode', '{}\n{}', /:2:1: nothing more was expected/],
    ['cursor', '[]', /:1:1: the top level is an array, and this client expects an object/],
    ['cursor', '{"mcpServers": []}', /:1:16: 'mcpServers' is an array/],
    ['vscode', '{"servers": null}', /:1:13: 'servers' is null/],
    ['cursor', '{"a": tru}', /:1:7: a value was expected, not 't'/],
    ['cursor', '{"a": "\\x"}', /:1:7: a string with a character or an escape/],
    ['codex', 'model = "a"\n[mcp_servers\n', /:2:/],
    ['codex', 'a = 1\na = 2\n', /:2:/],
    ['codex', 'mcp_servers = 3\n', /'mcp_servers' is not a table/],
  ];

  it.each(broken)('%s: %j', async (client, content, message) => {
    const file = await given(client, content);
    for (const remove of [false, true]) {
      const report = await run(client, { remove });
      if (remove && report.outcome === 'absent') continue;
      expect(report.outcome).toBe('refused');
      expect(report.message).toMatch(message);
      expect(report.message).toContain('The file was not touched');
      expect(report.snippet === undefined).toBe(remove);
      if (report.snippet) expect(report.snippet).toContain('/opt/hanzo/bin/hanzo-mcp.js');
    }
    expect(text(file)).toBe(content);
    expect(await readdir(path.dirname(file))).toEqual([path.basename(file)]);
  });

  it('UTF-16 and Latin-1 are named, not mangled', async () => {
    for (const bytes of [Buffer.from('\ufeff{}', 'utf16le'), Buffer.from('{"a":"\xe9"}', 'latin1')]) {
      const file = await given('cursor', bytes);
      const report = await run('cursor');
      expect(report).toMatchObject({ outcome: 'refused' });
      expect(report.message).toContain('not UTF-8');
      expect(readFileSync(file)).toEqual(bytes);
    }
  });

  it('a deeply nested text is refused, not a crash', async () => {
    await given('cursor', '['.repeat(100_000));
    expect((await run('cursor')).message).toContain('levels of nesting');
  });
});

describe('an entry that is already there', () => {
  it('is brought up to date; env and other settings of the user stay', async () => {
    const file = await given(
      'cursor',
      `{
  "mcpServers": {
    // mine
    "hanzo": {
      "command": "npx", // old
      "args": ["-y", "old-package"],
      "env": { "HANZO_API_KEY": "\${env:KEY}" },
      "disabled": true
    },
    "after": {}
  }
}
`,
    );
    const report = await run('cursor');
    expect(report.outcome).toBe('updated');
    expect(report.message).toContain('its own env, disabled kept');
    expect(text(file)).toBe(`{
  "mcpServers": {
    // mine
    "hanzo": {
      "command": "/opt/node/bin/node", // old
      "args": ["/opt/hanzo/bin/hanzo-mcp.js", "serve", "--tools", "fs,code"],
      "env": { "HANZO_API_KEY": "\${env:KEY}" },
      "disabled": true,
      "type": "stdio"
    },
    "after": {}
  }
}
`);
    expect(await run('cursor')).toMatchObject({ outcome: 'unchanged' });
  });

  it('of the other kind loses what would contradict the command', async () => {
    const file = await given('vscode', '{"servers":{"hanzo":{"type":"http","url":"http://x/","headers":{"A":"b"}}}}');
    expect(await run('vscode')).toMatchObject({ outcome: 'updated' });
    expect(JSON.parse(text(file))).toEqual({
      servers: {
        hanzo: {
          type: 'stdio',
          command: '/opt/node/bin/node',
          args: ['/opt/hanzo/bin/hanzo-mcp.js', 'serve', ...SERVER_ARGS],
        },
      },
    });
  });

  it('that is no object at all is replaced', async () => {
    const file = await given('cursor', '{ "mcpServers": { "hanzo": "later" } }');
    expect(await run('cursor')).toMatchObject({ outcome: 'updated' });
    expect(JSON.parse(text(file)).mcpServers.hanzo.command).toBe('/opt/node/bin/node');
  });

  it('twice under one name: the one that counts is changed, and removing takes both', async () => {
    const file = await given('cursor', '{"mcpServers":{"hanzo":{"command":"a"},"x":{},"hanzo":{"command":"b"}}}');
    await run('cursor');
    expect(JSON.parse(text(file)).mcpServers.hanzo.command).toBe('/opt/node/bin/node');
    await run('cursor', { remove: true });
    expect(text(file)).toBe('{"mcpServers":{"x":{}}}');
  });

  it('names such as __proto__ are names', async () => {
    const content = '{"__proto__": {"a": 1}, "mcpServers": {"toString": {"command": "x"}}}';
    const file = await given('cursor', content);
    await run('cursor');
    expect(text(file)).toContain('"__proto__": {"a": 1}');
    await run('cursor', { remove: true });
    expect(text(file)).toBe(content);
  });

  it('opencode: the form of version 2 is kept where it is used, and so is the file', async () => {
    const folder = path.join(home, '.config', 'opencode');
    await mkdir(folder, { recursive: true });
    await writeFile(
      path.join(folder, 'opencode.json'),
      '{"mcp": {"servers": {"hanzo": {"type": "local", "command": ["x"]}}}}',
    );
    await writeFile(path.join(folder, 'opencode.jsonc'), '{}');
    const report = await run('opencode');
    expect(report).toMatchObject({ outcome: 'updated', file: path.join(folder, 'opencode.json') });
    expect(JSON.parse(text(report.file)).mcp.servers.hanzo.command[0]).toBe('/opt/node/bin/node');
    expect(text(path.join(folder, 'opencode.jsonc'))).toBe('{}');
  });
});

describe('TOML in every spelling', () => {
  const entry =
    'command = "/opt/node/bin/node"\nargs = ["/opt/hanzo/bin/hanzo-mcp.js", "serve", "--tools", "fs,code"]\n';
  const cases: [name: string, before: string, after: string, removed: string][] = [
    [
      'a table with settings of its own',
      `[mcp_servers.hanzo] # mine\ncommand = 'npx' # old\nargs = [\n  "-y", # yes\n]\nstartup_timeout_sec = 20\n\n[mcp_servers.hanzo.env]\nKEY = "v"\n\n[other]\na = 1\n`,
      `[mcp_servers.hanzo] # mine\ncommand = "/opt/node/bin/node" # old\nargs = ["/opt/hanzo/bin/hanzo-mcp.js", "serve", "--tools", "fs,code"]\nstartup_timeout_sec = 20\n\n[mcp_servers.hanzo.env]\nKEY = "v"\n\n[other]\na = 1\n`,
      `[other]\na = 1\n`,
    ],
    [
      'a remote server',
      `[mcp_servers.hanzo]\nurl = "http://127.0.0.1:3000/"\nbearer_token_env_var = "T"\n\n[mcp_servers.hanzo.http_headers]\nX = "y"\n`,
      `[mcp_servers.hanzo]\n${entry}`,
      '',
    ],
    [
      'a quoted and spaced header',
      `[ mcp_servers . "hanzo" ]\ncommand = "x"\n`,
      `[ mcp_servers . "hanzo" ]\n${entry}`,
      '',
    ],
    [
      'an inline table under [mcp_servers]',
      `[mcp_servers]\nnotes = { command = "n" }\nhanzo = { command = "x", env = { A = "b" } } # here\nlast = { command = "l" }\n`,
      `[mcp_servers]\nnotes = { command = "n" }\nhanzo = { command = "/opt/node/bin/node", env = { A = "b" }, args = ["/opt/hanzo/bin/hanzo-mcp.js", "serve", "--tools", "fs,code"] } # here\nlast = { command = "l" }\n`,
      `[mcp_servers]\nnotes = { command = "n" }\nlast = { command = "l" }\n`,
    ],
    [
      'dotted keys under [mcp_servers]',
      `[mcp_servers]\nhanzo.command = "x"\nhanzo.env.A = "b"\nnotes.command = "n"\n`,
      `[mcp_servers]\nhanzo.command = "/opt/node/bin/node"\nhanzo.args = ["/opt/hanzo/bin/hanzo-mcp.js", "serve", "--tools", "fs,code"]\nhanzo.env.A = "b"\nnotes.command = "n"\n`,
      `[mcp_servers]\nnotes.command = "n"\n`,
    ],
    [
      'dotted keys at the top',
      `mcp_servers.notes.command = "n"\nmodel = "m"\n`,
      `mcp_servers.notes.command = "n"\nmodel = "m"\n\n[mcp_servers.hanzo]\n${entry}`,
      `mcp_servers.notes.command = "n"\nmodel = "m"\n`,
    ],
    [
      'one inline table of all servers',
      `mcp_servers = { notes = { command = "n" } } # all\nmodel = "m"\n`,
      `mcp_servers = { notes = { command = "n" }, hanzo = { command = "/opt/node/bin/node", args = ["/opt/hanzo/bin/hanzo-mcp.js", "serve", "--tools", "fs,code"] } } # all\nmodel = "m"\n`,
      `mcp_servers = { notes = { command = "n" } } # all\nmodel = "m"\n`,
    ],
    [
      'only a table below the entry',
      `[mcp_servers.hanzo.env]\nA = "b"\n`,
      `[mcp_servers.hanzo]\n${entry}\n[mcp_servers.hanzo.env]\nA = "b"\n`,
      '',
    ],
    ['no last line end', `model = "m"`, `model = "m"\n\n[mcp_servers.hanzo]\n${entry}`, `model = "m"`],
    [
      'between other tables',
      `[a]\nx = 1\n\n[mcp_servers.hanzo]\ncommand = "x"\n# about the command\n\n# about b\n[b]\ny = """\n[mcp_servers.hanzo]\n"""\n`,
      `[a]\nx = 1\n\n[mcp_servers.hanzo]\ncommand = "/opt/node/bin/node"\nargs = ["/opt/hanzo/bin/hanzo-mcp.js", "serve", "--tools", "fs,code"]\n# about the command\n\n# about b\n[b]\ny = """\n[mcp_servers.hanzo]\n"""\n`,
      `[a]\nx = 1\n\n# about b\n[b]\ny = """\n[mcp_servers.hanzo]\n"""\n`,
    ],
    [
      'numbers, dates and arrays of tables elsewhere',
      `big = 9223372036854775807\nwhen = 1979-05-27T07:32:00Z\nf = 1.0\n[[list]]\na = 1\n[[list]]\na = 2\n`,
      `big = 9223372036854775807\nwhen = 1979-05-27T07:32:00Z\nf = 1.0\n[[list]]\na = 1\n[[list]]\na = 2\n\n[mcp_servers.hanzo]\n${entry}`,
      `big = 9223372036854775807\nwhen = 1979-05-27T07:32:00Z\nf = 1.0\n[[list]]\na = 1\n[[list]]\na = 2\n`,
    ],
  ];

  it.each(cases)('%s', async (_name, before, after, removed) => {
    const file = await given('codex', before);
    expect(await run('codex')).toMatchObject({ outcome: before.includes('hanzo') ? 'updated' : 'added' });
    expect(text(file)).toBe(after);
    expect(await run('codex')).toMatchObject({ outcome: 'unchanged' });
    expect(await run('codex', { remove: true })).toMatchObject({ outcome: 'removed' });
    expect(text(file)).toBe(removed);
  });
});

describe('the file itself', () => {
  it('a symbolic link stays one, and the backup lies beside the link', async () => {
    const dotfiles = path.join(home, 'dotfiles');
    await mkdir(dotfiles);
    const target = path.join(dotfiles, 'codex.toml');
    await writeFile(target, 'model = "m"\n', { mode: 0o640 });
    await chmod(target, 0o640);
    await mkdir(path.join(home, '.codex'));
    const file = path.join(home, '.codex', 'config.toml');
    await symlink('../dotfiles/codex.toml', file);
    const report = await run('codex');
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(text(target)).toContain('[mcp_servers.hanzo]');
    expect((await stat(target)).mode & 0o777).toBe(0o640);
    expect(path.dirname(report.backup as string)).toBe(path.dirname(file));
    expect(await readdir(dotfiles)).toEqual(['codex.toml']);
  });

  it('a dangling link is followed to where it points', async () => {
    await mkdir(path.join(home, '.cursor'));
    await symlink(path.join(home, 'elsewhere', 'mcp.json'), path.join(home, '.cursor', 'mcp.json'));
    expect(await run('cursor')).toMatchObject({ outcome: 'added' });
    expect(text(path.join(home, 'elsewhere', 'mcp.json'))).toContain('hanzo');
    expect((await lstat(path.join(home, '.cursor', 'mcp.json'))).isSymbolicLink()).toBe(true);
  });

  it('a hard link stays one file', async () => {
    const file = await given('cursor', '{}');
    await link(file, path.join(home, 'other-name'));
    await run('cursor');
    expect(text(path.join(home, 'other-name'))).toBe(text(file));
    expect((await stat(file)).nlink).toBe(2);
  });

  it('a directory in its place, or a file in place of its folder, is refused with what to paste', async () => {
    await mkdir(path.join(home, '.cursor', 'mcp.json'), { recursive: true });
    await writeFile(path.join(home, '.codex'), '');
    for (const [client, why] of [
      ['cursor', 'it is a directory'],
      ['codex', 'a part of its path is not a directory'],
    ] as const) {
      const report = await run(client);
      expect(report).toMatchObject({ outcome: 'refused' });
      expect(report.message).toContain(why);
      expect(report.snippet).toContain('/opt/node/bin/node');
    }
  });

  it('a folder that may not be written is refused, and nothing is left behind', async () => {
    const file = await given('cursor', '{}');
    // Modes do not bind root, but no one makes folders in sysfs.
    const root = process.getuid?.() === 0;
    await chmod(path.dirname(file), 0o500);
    const report = await run('cursor', root ? { home: '/sys' } : {});
    await chmod(path.dirname(file), 0o700);
    expect(report).toMatchObject({ outcome: 'refused' });
    expect(report.message).toMatch(/permission denied|does not permit|read-only/);
    expect(report.snippet).toContain('/opt/node/bin/node');
    expect(await readdir(path.dirname(file))).toEqual(['mcp.json']);
  });

  it('two changes in one second make two backups', async () => {
    const file = await given('cursor', '{}');
    const frozen = { now: () => new Date(Date.UTC(2026, 0, 1)) };
    await run('cursor', frozen);
    await run('cursor', { ...frozen, serverArgs: ['--json-only'] });
    expect(await backups(file)).toEqual(['mcp.json.bak-20260101T000000', 'mcp.json.bak-20260101T000000-2']);
  });

  it('a dry run says what it would do and does nothing', async () => {
    const file = await given('cursor', '{}');
    expect(await run('cursor', { dryRun: true })).toMatchObject({
      outcome: 'added',
      message: expect.stringMatching(/^would be added/),
    });
    expect(text(file)).toBe('{}');
    expect(existsSync(path.join(home, '.codex'))).toBe(false);
    await run('codex', { dryRun: true });
    expect(existsSync(path.join(home, '.codex'))).toBe(false);
  });
});

describe('which clients, which files', () => {
  it('all means every client that has a file at the scope', async () => {
    const user = await install(options({ dryRun: true }));
    expect(user.map((each) => each.client)).toEqual(CLIENTS.map((each) => each.id));
    const project = await install(options({ dryRun: true, scope: 'project' }));
    expect(Object.fromEntries(project.map((each) => [each.client, path.relative(options().cwd, each.file)]))).toEqual({
      'claude-code': '.mcp.json',
      codex: '.codex/config.toml',
      gemini: '.gemini/settings.json',
      cursor: '.cursor/mcp.json',
      devin: '.devin/mcp_config.json',
      vscode: '.vscode/mcp.json',
      zed: '.zed/settings.json',
      opencode: 'opencode.json',
    });
  });

  it('a client without a project file says so', async () => {
    const report = await run('claude-desktop', { scope: 'project' });
    expect(report).toMatchObject({ outcome: 'refused', file: '' });
    expect(report.message).toContain('no file per project');
  });

  it('detected means a folder or a program that is here', async () => {
    expect(await detectClients(options())).toEqual([]);
    await mkdir(path.join(home, '.gemini'));
    await mkdir(path.join(home, 'bin'));
    await writeFile(path.join(home, 'bin', 'codex'), '');
    const env = { PATH: `/nowhere:${path.join(home, 'bin')}` };
    expect((await detectClients(options({ env }))).map((each) => each.id)).toEqual(['codex', 'gemini']);
    expect((await install(options({ env, clients: 'detected' }))).map((each) => each.client)).toEqual([
      'codex',
      'gemini',
    ]);
  });

  it('an unknown client is an error that lists the known ones', async () => {
    await expect(install(options({ clients: ['emacs'] }))).rejects.toThrow(
      /no client 'emacs'; there are: claude-desktop/,
    );
  });

  const places: [platform: NodeJS.Platform, env: Record<string, string>, client: string, file: string][] = [
    ['darwin', {}, 'claude-desktop', '/h/Library/Application Support/Claude/claude_desktop_config.json'],
    ['win32', { APPDATA: 'C:\\R' }, 'claude-desktop', 'C:\\R\\Claude\\claude_desktop_config.json'],
    ['linux', {}, 'claude-desktop', '/h/.config/Claude/claude_desktop_config.json'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, 'claude-desktop', '/x/Claude/claude_desktop_config.json'],
    ['darwin', {}, 'vscode', '/h/Library/Application Support/Code/User/mcp.json'],
    ['win32', { APPDATA: 'C:\\R' }, 'vscode', 'C:\\R\\Code\\User\\mcp.json'],
    ['linux', {}, 'vscode', '/h/.config/Code/User/mcp.json'],
    ['darwin', {}, 'zed', '/h/.config/zed/settings.json'],
    ['win32', { APPDATA: 'C:\\R' }, 'zed', 'C:\\R\\Zed\\settings.json'],
    ['linux', { CLAUDE_CONFIG_DIR: '/c' }, 'claude-code', '/c/.claude.json'],
    ['linux', {}, 'claude-code', '/h/.claude.json'],
    ['linux', { CODEX_HOME: '/c' }, 'codex', '/c/config.toml'],
    ['darwin', {}, 'codex', '/h/.codex/config.toml'],
    ['linux', { GEMINI_CLI_HOME: '/g' }, 'gemini', '/g/.gemini/settings.json'],
    ['linux', {}, 'windsurf', '/h/.codeium/windsurf/mcp_config.json'],
    ['linux', {}, 'devin', '/h/.config/devin/mcp_config.json'],
    ['win32', { APPDATA: 'C:\\R' }, 'devin', 'C:\\R\\devin\\mcp_config.json'],
    ['darwin', {}, 'opencode', '/h/.config/opencode/opencode.json'],
  ];
  it.each(places)('%s %j %s: %s', (platform, env, client, file) => {
    const found = CLIENTS.find((each) => each.id === client);
    expect(found?.files({ home: '/h', env, platform, cwd: '/p' }, 'user').at(-1)).toBe(file);
  });
});

describe('what is pasted by hand', () => {
  const remote = { kind: 'http', url: 'http://127.0.0.1:3000/', token: 'secret-token-0123456789' } as const;
  const local = { kind: 'stdio', command: '/opt/my node/node', args: ["/it's/bin.js", 'serve'] } as const;

  it('every client has a line or a fragment for a local server', () => {
    for (const client of CLIENTS) {
      const { text: fragment } = snippetFor(client, local, 'linux');
      expect(fragment).toContain("/it's/bin.js");
    }
  });

  it('and for a remote one with a token, where its file can say that', () => {
    for (const client of CLIENTS) {
      const { command, text: fragment, note } = snippetFor(client, remote, 'linux');
      if (client.id === 'claude-desktop') {
        expect(fragment).toBeUndefined();
        expect(note).toContain('takes commands only');
        continue;
      }
      expect(fragment).toContain('Bearer secret-token-0123456789');
      expect(fragment).toContain('http://127.0.0.1:3000/');
      if (command) expect(command).toMatch(/^(claude|codex|gemini|code) /);
    }
  });

  it('words are quoted for the shell', () => {
    expect(shellLine(['a', 'b c', "it's", '$x'], 'linux')).toBe(`a 'b c' 'it'\\''s' '$x'`);
    expect(shellLine(['a', 'b c', 'C:\\x'], 'win32')).toBe(`a "b c" C:\\x`);
  });

  it('a terminal gets the command, or the file and the fragment', () => {
    const machine = options();
    const codex = CLIENTS.find((each) => each.id === 'codex');
    const cursor = CLIENTS.find((each) => each.id === 'cursor');
    expect(printSnippet(codex!, remote, machine)).toBe(
      'codex mcp add hanzo --url http://127.0.0.1:3000/ --bearer-token-env-var HANZO_MCP_TOKEN\n' +
        'export HANZO_MCP_TOKEN=secret-token-0123456789 where Codex starts, or put the hanzo table with http_headers into config.toml',
    );
    expect(printSnippet(cursor!, remote, machine)).toBe(
      `in ${home}/.cursor/mcp.json: {"mcpServers":{"hanzo":{"url":"http://127.0.0.1:3000/","headers":{"Authorization":"Bearer secret-token-0123456789"}}}}`,
    );
  });
});

describe('a file that somebody else writes meanwhile', () => {
  it('is read again, and both changes are kept', async () => {
    const file = await given('cursor', '{}');
    let times = 0;
    const now = (): Date => {
      // Called between the reading and the writing.
      if (times++ < 2) writeFileSync(file, `{"theirs":${times}}`);
      return new Date(clock);
    };
    expect(await run('cursor', { now })).toMatchObject({ outcome: 'added' });
    expect(JSON.parse(text(file))).toMatchObject({ theirs: 2, mcpServers: { hanzo: {} } });
    expect(await backups(file)).toHaveLength(1);
  });

  it('and never comes to rest is left alone', async () => {
    const file = await given('cursor', '{}');
    let times = 0;
    const now = (): Date => {
      writeFileSync(file, `{"theirs":${times++}}`);
      return new Date(clock);
    };
    const report = await run('cursor', { now });
    expect(report).toMatchObject({ outcome: 'refused' });
    expect(report.message).toContain('close Cursor and try again');
    expect(text(file)).toMatch(/^\{"theirs":\d\}$/);
    expect(await backups(file)).toEqual([]);
  });

  it('is told from a file that is as it was', async () => {
    const file = await given('cursor', '{}');
    const { loadConfig, saveConfig } = await import('../../src/verbs/install/file.ts');
    const before = await loadConfig(file);
    await writeFile(file, '{"theirs":1}');
    await expect(saveConfig(before, '{"ours":1}', new Date())).rejects.toThrow();
    expect(await readFile(file, 'utf8')).toBe('{"theirs":1}');
    expect(await readdir(path.dirname(file))).toEqual(['mcp.json']);
  });
});

describe('the flags of an entry', () => {
  const FLAGS = ['--tools', 'fs,exec', '--root', '/tmp', '--json-only'];
  const PROGRAM = '/opt/hanzo/bin/hanzo-mcp.js';

  it.each(CLIENTS.map((each) => each.id))('%s: stay when none are named, and the report says so', async (client) => {
    const { file } = await run(client, { serverArgs: FLAGS });
    expect(await run(client, { serverArgs: [] })).toMatchObject({
      outcome: 'unchanged',
      message: `already there, with its flags ${FLAGS.join(' ')}`,
    });
    const report = await run(client, { serverArgs: [], nodePath: '/usr/bin/node' });
    expect(report.outcome).toBe('updated');
    expect(report.message).toContain(`its flags kept: ${FLAGS.join(' ')}; `);
    for (const word of ['/usr/bin/node', ...FLAGS]) expect(text(file)).toContain(word);
  });

  it('are replaced by those that are named', async () => {
    const { file } = await run('cursor', { serverArgs: FLAGS });
    await run('cursor', { serverArgs: ['--access', 'read-only'] });
    expect(JSON.parse(text(file)).mcpServers.hanzo.args).toEqual([PROGRAM, 'serve', '--access', 'read-only']);
  });

  it.each([
    [{ command: 'npx', args: ['@hanzo/mcp', 'serve', '--tools', 'fs'] }, ['--tools', 'fs']],
    [{ command: 'npx', args: ['-y', '--package=@hanzo/mcp', 'hanzo-mcp', '--tools=fs'] }, ['--tools', 'fs']],
    [
      { command: 'hanzo-mcp', args: ['--root', '/work/hanzo-mcp', '--root', '/b'] },
      ['--root', '/work/hanzo-mcp', '--root', '/b'],
    ],
    [{ command: '/usr/local/bin/hanzo-mcp', args: ['serve'] }, []],
    [{ command: 'node /old/hanzo-mcp.js serve --tools fs' }, ['--tools', 'fs']],
    [{ command: 'node', args: '/old/hanzo-mcp.js serve --tools fs' }, ['--tools', 'fs']],
    [{ command: 'node', args: ["'/old/hanzo-mcp.js'", 'serve', "'--tools'", 'fs'] }, ['--tools', 'fs']],
    [{ command: 'node', args: ['/old/hanzo-mcp.js', '-t', 'http', '-p', '4000', '--tools', 'fs'] }, ['--tools', 'fs']],
    [{ command: 'other', args: ['--tools', 'fs'] }, []],
    [{ url: 'http://127.0.0.1:3000/mcp' }, []],
    ['a string', []],
  ])('of %j are kept, but for those that have no place there', async (entry, flags) => {
    const file = await given('cursor', JSON.stringify({ mcpServers: { hanzo: entry } }));
    await run('cursor', { serverArgs: [] });
    expect(JSON.parse(text(file)).mcpServers.hanzo).toMatchObject({ args: [PROGRAM, 'serve', ...flags] });
  });

  it.each([
    [['serve', '--enable-categories', 'files'], /unknown flag --enable-categories/],
    [['serve', '--tools', ''], /--tools is empty/],
    [['start', '--tools', 'fs'], /'start' is no flag of serve/],
  ])('%j cannot be carried over: nothing is written, and the mend is named', async (args, why) => {
    const before = JSON.stringify({ mcpServers: { hanzo: { command: 'node', args: [PROGRAM, ...args] } } });
    const file = await given('cursor', before);
    const report = await run('cursor', { serverArgs: [] });
    expect(report.outcome).toBe('refused');
    expect(report.message).toMatch(why);
    expect(report.message).toContain('for example --tools default');
    expect(report.snippet).toBeUndefined();
    expect(text(file)).toBe(before);
    expect(await run('cursor', { serverArgs: ['--tools', 'default'] })).toMatchObject({ outcome: 'updated' });
  });
});

describe('a named pipe', () => {
  it('in the place of a configuration is refused, not waited for', async () => {
    const file = await given('cursor', '');
    await rm(file);
    execFileSync('mkfifo', [file]);
    for (const remove of [false, true]) {
      expect(await run('cursor', { remove })).toMatchObject({
        outcome: 'refused',
        message: expect.stringContaining('it is not a regular file'),
      });
    }
  });
});
