import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { readFlags, SERVE_FLAGS, toConfig, toServeOptions, UsageError } from './flags.ts';

const values = (...args: string[]): ReturnType<typeof readFlags>['values'] => readFlags(args, SERVE_FLAGS).values;
const config = (...args: string[]): ReturnType<typeof toConfig> => toConfig(values(...args), '1.2.3', {});
const served = (args: string[], env: NodeJS.ProcessEnv = {}): ReturnType<typeof toServeOptions> =>
  toServeOptions(values(...args), env);

describe('defaults', () => {
  test('stdio, loopback, workspace-write, the default list', () => {
    expect(served([])).toEqual({
      transport: 'stdio',
      host: '127.0.0.1',
      port: 3000,
      token: undefined,
      conformance: false,
    });
    const made = config();
    expect(made.access).toBe('workspace-write');
    expect(made.cwd).toBe(process.cwd());
    expect(made.maxOutput).toBe(32_768);
    expect(Object.isFrozen(made)).toBe(true);
  });

  test('HOST and HANZO_MCP_TOKEN are read where no flag says otherwise', () => {
    const env = { HOST: '::1', HANZO_MCP_TOKEN: 'a-token-of-sixteen-or-more' };
    expect(served([], env)).toMatchObject({ host: '::1', token: 'a-token-of-sixteen-or-more' });
    expect(served([], { HOST: '' }).host).toBe('127.0.0.1');
    expect(served(['--host', 'localhost', '--no-auth'], env)).toMatchObject({ host: 'localhost', token: null });
  });
});

describe('refusals name the mend', () => {
  test.each([
    [['--porrt', '1'], 'did you mean --port?'],
    [['--transport', 'sse'], "--transport is stdio or http, not 'sse'"],
    [['--port', '70000'], "--port takes a whole number from 0 to 65535, not '70000'"],
    [['--port', '3000x'], "not '3000x'"],
    [['--port', ''], '--port is empty'],
    [['--tools', ''], '--tools is empty'],
    [['--tools='], '--tools is empty'],
    [['--tools', 'fs', '--tools', ' '], '--tools is empty'],
    [['--tools', ','], '--tools is empty'],
    [['--disable-tools', ''], '--disable-tools is empty'],
    [['--root', ''], '--root is empty'],
    [['--allow-secret', ''], '--allow-secret is empty'],
    [['--host', '', '--transport', 'http'], '--host is empty'],
    [['--tools fs'], "'--tools fs' arrived as one quoted word; write --tools fs as separate words"],
    [['--tools', 'xyz'], "no tool 'xyz'. It has: fs, exec"],
    [['--core-only'], 'unknown flag --core-only (hanzo-mcp help'],
    [['-t', 'http', '--host', '0.0.0.0', '--no-auth'], 'leave --no-auth out, or serve on --host 127.0.0.1'],
    [['--access', 'all'], "--access is read-only, workspace-write or full, not 'all'"],
    [['--tools', 'fs,fetc'], "did you mean 'fetch'?"],
    [['--tools', 'browser'], 'not in this version yet: browser; serving nothing'],
    [['--root', '/does/not/exist'], '/does/not/exist is not a directory'],
    [['--max-output', '5'], '--max-output takes a whole number from 1024'],
    [['--token', 'short'], 'at least 16 printable characters'],
    [['--no-auth', '--token', 'x'.repeat(20)], 'exclude each other'],
  ])('%j', (args, message) => {
    const attempt = (): unknown => [config(...(args as string[])), served(args as string[])];
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(message as string);
  });
});

test('lists are written with commas or by repeating the flag; roots repeat', () => {
  expect(config('--tools', 'fs,jq', '--tools', 'exec').tools).toEqual(['fs', 'exec', 'jq']);
  const tmp = realpathSync(tmpdir());
  expect(config('--root', tmp, '--root', '/').roots).toEqual([tmp, '/']);
});

describe('--sandbox', () => {
  test.each([
    [[], 'off'],
    [['--sandbox'], 'on'],
    [['--sandbox', '--json-only'], 'on'],
    [['--sandbox=strict'], 'strict'],
    [['--sandbox', 'strict'], 'strict'],
    [['--sandbox=off'], 'off'],
    [['--sandbox-domains', 'example.com,*.example.org'], 'on'],
  ])('%j is %s', (args, mode) => {
    expect(config(...args).sandbox).toBe(mode);
  });

  test.each([
    [['--sandbox=strong'], "--sandbox is off, on or strict, not 'strong'"],
    [['--sandbox=off', '--sandbox-domains', 'a.b'], '--sandbox-domains needs a sandbox'],
    [['--sandbox-domains', 'http://a.b'], "not 'http://a.b'"],
  ])('%j is refused', (args, message) => {
    expect(() => config(...args)).toThrow(message);
  });
});
