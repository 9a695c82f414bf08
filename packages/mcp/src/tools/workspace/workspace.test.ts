import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import type { Local } from '../../local.ts';
import { workspace } from './index.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'hanzo-ws-')));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function files(name: string, content: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(content)) {
    const at = path.join(root, name, file);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, text);
  }
  return path.join(root, name);
}

// oxlint-disable-next-line typescript/no-explicit-any -- a client sees plain JSON
async function call(args: Record<string, unknown>): Promise<any> {
  const config = defaultConfig({ cwd: root });
  const access = createAccess({ level: 'workspace-write', cwd: root, roots: [], allowSecrets: [] });
  const env = {
    config,
    access,
    surface: { listed: () => ['fs', 'workspace'] },
    indexes: { indexed: true },
  } as unknown as Local;
  const context = {
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
    clientCapabilities: {},
    ask: () => Promise.reject(new Error('nobody to ask')),
  };
  const result = await workspace.call(args, { env, context });
  return JSON.parse(result.content[0]?.type === 'text' ? result.content[0].text : '');
}

const detect = async (name: string): Promise<Record<string, unknown>> =>
  (await call({ action: 'detect', path: path.join(root, name) })).data;

describe('detect', () => {
  it('an npm project: manager from the lock file, commands from its scripts', async () => {
    const at = files('npm', {
      'package.json': JSON.stringify({
        name: 'demo',
        version: '1.2.3',
        scripts: { build: 'tsc', test: 'vitest', lint: 'eslint .', dev: 'vite' },
        devDependencies: { typescript: '5', vitest: '3' },
      }),
      'tsconfig.json': '{}',
      'package-lock.json': '{}',
    });
    expect(await detect('npm')).toEqual({
      root: pathToFileURL(at).href,
      languages: ['javascript', 'typescript'],
      build: ['npm'],
      test: ['vitest'],
      vcs: null,
      package_manager: 'npm',
      commands: { build: 'npm run build', test: 'npm test', lint: 'npm run lint', start: 'npm run dev' },
      manifests: [{ file: 'package.json', type: 'npm', name: 'demo', version: '1.2.3' }],
    });
  });

  it.each([
    ['pnpm', 'pnpm-lock.yaml', 'pnpm run test'],
    ['yarn', 'yarn.lock', 'yarn run test'],
    ['bun', 'bun.lock', 'bun run test'],
  ])('%s is known by its lock file', async (manager, lock, test) => {
    files(`lock-${manager}`, { 'package.json': '{"scripts":{"test":"x"}}', [lock]: '' });
    expect(await detect(`lock-${manager}`)).toMatchObject({ package_manager: manager, commands: { test } });
  });

  it('packageManager in the manifest wins over a lock file left behind', async () => {
    files('named', { 'package.json': '{"packageManager":"pnpm@9.1.0"}', 'package-lock.json': '{}' });
    expect(await detect('named')).toMatchObject({ package_manager: 'pnpm' });
  });

  it('the test script npm writes for a package without tests is no command', async () => {
    files('notest', { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' });
    expect((await detect('notest'))['commands']).toEqual({});
  });

  it('a member of a monorepo: root is the repository, commands are its own', async () => {
    const top = files('mono', {
      'package.json': '{"name":"top","workspaces":["packages/*"],"scripts":{"test":"all","lint":"lint all"}}',
      'pnpm-lock.yaml': '',
      'packages/a/package.json': '{"name":"a","scripts":{"test":"mine"}}',
      'packages/a/src/x.js': '',
    });
    execFileSync('git', ['init', '-q'], { cwd: top });
    expect(await detect('mono/packages/a/src')).toMatchObject({
      root: pathToFileURL(top).href,
      project: pathToFileURL(path.join(top, 'packages/a')).href,
      vcs: 'git',
      package_manager: 'pnpm',
      commands: { test: 'pnpm run test' },
      root_commands: { test: 'pnpm run test', lint: 'pnpm run lint' },
      manifests: [
        { file: 'packages/a/package.json', type: 'npm', name: 'a' },
        { file: 'package.json', type: 'npm', name: 'top', workspaces: ['packages/*'] },
      ],
    });
  });

  it('pnpm members stand in their own file', async () => {
    files('pnpm-ws', {
      'package.json': '{}',
      'pnpm-workspace.yaml': "packages:\n  - 'apps/*'\n  - libs/** # all\nother: 1\n",
    });
    expect((await detect('pnpm-ws'))['workspaces']).toEqual(['apps/*', 'libs/**']);
  });

  it('a Python project with uv, pytest and ruff', async () => {
    files('py', {
      'pyproject.toml':
        '[project]\nname = "demo"\nversion = "0.1"\n[dependency-groups]\ndev = ["pytest>=8", "ruff"]\n[tool.mypy]\nstrict = true\n',
      'uv.lock': '',
    });
    expect(await detect('py')).toMatchObject({
      languages: ['python'],
      build: ['uv'],
      test: ['pytest'],
      package_manager: 'uv',
      commands: {
        test: 'uv run pytest',
        lint: 'uv run ruff check',
        format: 'uv run ruff format',
        typecheck: 'uv run mypy .',
      },
      manifests: [{ file: 'pyproject.toml', type: 'python', name: 'demo', version: '0.1' }],
    });
  });

  it('Rust, Go and make', async () => {
    files('rust', { 'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n' });
    expect(await detect('rust')).toMatchObject({ languages: ['rust'], commands: { test: 'cargo test --workspace' } });
    files('go', {
      'go.mod': 'module example.com/x\n\ngo 1.22\n',
      Makefile: 'BIN := x\nbuild: deps\n\tgo build\nlint:\n\tx\nformat:\n',
    });
    expect(await detect('go')).toMatchObject({
      languages: ['go'],
      build: ['go', 'make'],
      commands: { build: 'go build ./...', test: 'go test ./...', lint: 'go vet ./...', format: 'make format' },
      manifests: [{ file: 'go.mod', type: 'go', name: 'example.com/x' }],
    });
  });

  it('a broken manifest is named and does not hide the rest', async () => {
    files('broken', { 'package.json': '{', 'go.mod': 'module m\n' });
    const data = await detect('broken');
    expect(data['problems']).toMatchObject([{ file: 'package.json' }]);
    expect(data['languages']).toEqual(['javascript', 'go']);
  });

  it('hostile names in a manifest are data', async () => {
    files('hostile', {
      'package.json': '{"name":"x","scripts":{"__proto__":"a","constructor":"b","test":"t"},"__proto__":{"y":1}}',
    });
    expect((await detect('hostile'))['commands']).toEqual({ test: 'npm test' });
  });

  it('an empty folder is its own root; a missing and a relative one are refused', async () => {
    const at = files('empty', { 'x/y': '' });
    expect(await detect('empty/x')).toMatchObject({
      root: pathToFileURL(path.join(at, 'x')).href,
      languages: [],
      vcs: null,
    });
    expect((await call({ action: 'detect', path: path.join(root, 'none') })).error.code).toBe('NOT_FOUND');
    files('near-by', { 'package.json': '{}' });
    const { error } = await call({ action: 'detect', path: path.join(root, 'naer-by') });
    expect(error).toMatchObject({ code: 'NOT_FOUND', nearest: pathToFileURL(path.join(root, 'near-by')).href });
    expect(error.message).toContain(`did you mean ${path.join(root, 'near-by')}?`);
    expect((await call({ action: 'detect', path: 'npm' })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'path',
    });
  });
});

describe('capabilities', () => {
  it('names the served tools, this runtime, the search engine and the roots', async () => {
    const { data } = await call({ action: 'capabilities' });
    expect(data).toMatchObject({
      vcs: 'git',
      tools: ['fs', 'workspace'],
      access: 'workspace-write',
      search: 'trigram',
    });
    expect(data.runtimes.node).toMatch(/^\d+\.\d+\.\d+/);
    expect(Object.keys(data.runtimes).slice(0, 3)).toEqual(['node', 'python', 'rust']);
    expect(data.roots).toContain(pathToFileURL(root).href);
  });

  it('a runtime that fails or is missing is null', async () => {
    const bin = path.join(root, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'rustc'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const before = process.env['PATH'];
    process.env['PATH'] = bin;
    try {
      const { data } = await call({ action: 'capabilities' });
      expect(data).toMatchObject({ vcs: null, runtimes: { node: null, python: null, rust: null } });
    } finally {
      process.env['PATH'] = before;
    }
  });
});
