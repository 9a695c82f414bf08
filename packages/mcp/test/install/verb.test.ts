// The two verbs as they are typed: what goes into the entry, and which mistakes are told before a file is touched.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/flags.ts';
import { installVerb } from '../../src/verbs/install/verb.ts';

const BIN = path.resolve(import.meta.dirname, '../../bin/hanzo-mcp.js');
let home: string;
let said: string;

beforeEach(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'install-verb-')));
  vi.stubEnv('HOME', home);
  for (const name of ['XDG_CONFIG_HOME', 'CODEX_HOME', 'CLAUDE_CONFIG_DIR', 'GEMINI_CLI_HOME'])
    vi.stubEnv(name, undefined);
  said = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

const cursor = (): { mcpServers: { hanzo?: { command: string; args: string[] } } } =>
  JSON.parse(readFileSync(path.join(home, '.cursor', 'mcp.json'), 'utf8'));

describe('install', () => {
  it('runs this installation by absolute paths, with the flags of the server', async () => {
    const root = path.relative(process.cwd(), home);
    expect(
      await installVerb('install', [
        '--client',
        'cursor',
        '--tools',
        'fs,exec',
        '--root',
        root,
        '--',
        '--access',
        'read-only',
      ]),
    ).toBe(0);
    expect(cursor().mcpServers.hanzo).toMatchObject({
      command: process.execPath,
      args: [BIN, 'serve', '--tools', 'fs,exec', '--root', home, '--access', 'read-only'],
    });
    expect(said).toContain(path.join(home, '.cursor', 'mcp.json'));
  });

  it('takes several clients, by alias too, and reports as JSON', async () => {
    expect(await installVerb('install', ['--client', 'code,claude', '--client', 'cursor', '--json'])).toBe(0);
    const reports = JSON.parse(said) as { client: string; outcome: string }[];
    expect(reports.map(({ client, outcome }) => [client, outcome])).toEqual([
      ['claude-code', 'added'],
      ['cursor', 'added'],
      ['vscode', 'added'],
    ]);
  });

  it('without flags leaves a restricted server restricted, and says so', async () => {
    await installVerb('install', ['--client', 'cursor', '--tools', 'fs', '--access', 'read-only']);
    said = '';
    expect(await installVerb('install', ['--client', 'cursor'])).toBe(0);
    expect(said).toContain('already there, with its flags --tools fs --access read-only');
    expect(cursor().mcpServers.hanzo?.args).toEqual([BIN, 'serve', '--tools', 'fs', '--access', 'read-only']);
  });

  it('ends with code 1 and shows what to paste when a file cannot be edited', async () => {
    await mkdir(path.join(home, '.cursor'));
    await writeFile(path.join(home, '.cursor', 'mcp.json'), '{ broken');
    expect(await installVerb('install', ['--client', 'cursor'])).toBe(1);
    expect(said).toContain('mcp.json:1:3');
    expect(said).toContain('"mcpServers"');
  });

  it.each([
    [[], /--client NAME/],
    [['--client', 'emacs'], /no client 'emacs'\. The clients/],
    [['--client', 'cluade-code'], /did you mean 'claude-code'\?/],
    [['--client', 'vs_code'], /did you mean 'vscode'\?/],
    [['--client', 'cursor', '--tools', ''], /--tools is empty/],
    [['--client', 'cursor', '--', '--tools', ''], /--tools is empty/],
    [['--client', 'cursor', '--scope', 'global'], /user or project/],
    [['--client', 'cursor', '--', '--tols', 'fs'], /--tools/],
    [['--client', 'cursor', '--', 'serve'], /no flag of serve/],
    [['--client', 'cursor', '--', '--transport', 'http'], /speaks stdio/],
    [['--client', 'cursor', '--access', 'all'], /read-only, workspace-write or full/],
    [['--client', 'cursor', '--', '--root', '.'], /is relative/],
    [['--client', 'cursor', '--tools', 'no-such-tool'], /no-such-tool/],
  ] as const)('%j is a mistake, told before anything is written', async (args, message) => {
    const run = installVerb('install', args);
    await expect(run).rejects.toThrow(UsageError);
    await expect(run).rejects.toThrow(message);
    expect(existsSync(path.join(home, '.cursor'))).toBe(false);
  });
});

describe('uninstall', () => {
  it('takes the entry out again, wherever it is', async () => {
    await installVerb('install', ['--all']);
    said = '';
    expect(await installVerb('uninstall', ['--all', '--json'])).toBe(0);
    const reports = JSON.parse(said) as { outcome: string }[];
    expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(['removed']));
    expect(cursor().mcpServers).toBeUndefined();
  });
});
