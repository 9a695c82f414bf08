// What a manifest says about its package: name, version, members, and the commands that build, test and check it.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** The commands of a project by purpose: `{test: 'npm test'}`. */
export type Commands = Record<string, string>;

export interface Manifest {
  readonly file: string;
  readonly type: string;
  readonly name?: string;
  readonly version?: string;
  /** patterns of member packages */
  readonly workspaces?: readonly string[];
}

export interface Reading {
  readonly manifest: Manifest;
  readonly commands: Commands;
  readonly languages?: readonly string[];
  readonly test?: readonly string[];
  /** a manager the manifest itself names */
  readonly manager?: string;
}

/** Larger files are no manifests a person wrote. Bytes. */
const MAX_MANIFEST = 2 * 1024 * 1024;

/** Purposes an agent asks for, each with the script names people give them, best first. */
const PURPOSES: readonly (readonly [purpose: string, names: readonly string[]])[] = [
  ['build', ['build', 'compile']],
  ['test', ['test', 'tests', 'check']],
  ['lint', ['lint', 'eslint']],
  ['format', ['format', 'fmt', 'prettier']],
  ['typecheck', ['typecheck', 'type-check', 'types', 'tsc']],
  ['start', ['start', 'dev', 'serve']],
];

/** `npm init` writes this for a package that has no tests. */
const NO_TEST = /no test specified/;

/** Chooses a command for each purpose among named tasks. */
export function chooseCommands(tasks: ReadonlyMap<string, string>, run: (name: string) => string): Commands {
  const commands: Commands = {};
  for (const [purpose, names] of PURPOSES) {
    const name = names.find((each) => tasks.has(each) && !NO_TEST.test(tasks.get(each) ?? ''));
    if (name !== undefined) commands[purpose] = run(name);
  }
  return commands;
}

/** Text of a manifest. Rejects when it is too large or no file. */
export async function manifestText(file: string): Promise<string> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error('is not a file');
  if (found.size > MAX_MANIFEST) throw new Error(`is larger than ${MAX_MANIFEST} bytes`);
  return (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
}

/**
 * Reads one manifest. `manager` is the package manager found by lock file. Rejects with the parser's message where the
 * manifest is broken.
 */
export async function readManifest(folder: string, file: string, type: string, manager?: string): Promise<Reading> {
  const text = await manifestText(path.join(folder, file));
  if (type === 'npm') return npm(file, record(JSON.parse(text)), manager);
  if (type === 'deno') return deno(file, text);
  if (type === 'go') return go(file, text);
  const { parse } = await import('smol-toml');
  const toml = record(parse(text));
  return type === 'cargo' ? cargo(file, toml) : python(file, toml, manager);
}

function npm(file: string, json: Record<string, unknown>, found: string | undefined): Reading {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(word(json['packageManager']) ?? '')?.[1];
  const manager = named ?? found ?? 'npm';
  const scripts = new Map(Object.entries(record(json['scripts'])).map(([key, value]) => [key, String(value)]));
  const dependencies = new Map(
    [...Object.entries(record(json['dependencies'])), ...Object.entries(record(json['devDependencies']))].map(
      ([key, value]) => [key, String(value)],
    ),
  );
  const members = json['workspaces'];
  const workspaces = strings(Array.isArray(members) ? members : record(members)['packages']);
  const test = ['jest', 'vitest', 'mocha', 'ava', 'tap', 'jasmine', 'cypress'].filter((each) => dependencies.has(each));
  if (dependencies.has('@playwright/test')) test.push('playwright');
  if (/(^|\s)node (.* )?--test\b/.test(scripts.get('test') ?? '')) test.push('node:test');
  return {
    manifest: {
      file,
      type: 'npm',
      ...identity(json),
      ...(workspaces.length > 0 ? { workspaces } : {}),
    },
    commands: chooseCommands(scripts, (name) =>
      manager === 'npm' && (name === 'test' || name === 'start') ? `npm ${name}` : `${manager} run ${name}`,
    ),
    ...(dependencies.has('typescript') ? { languages: ['typescript'] } : {}),
    test,
    manager,
  };
}

function deno(file: string, text: string): Reading {
  // deno.jsonc may hold comments; the tasks are read from what plain JSON can be made of by dropping whole comment lines.
  const json = record(JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')));
  const tasks = new Map(Object.entries(record(json['tasks'])).map(([key, value]) => [key, String(value)]));
  return {
    manifest: { file, type: 'deno', ...identity(json) },
    commands: { test: 'deno test', lint: 'deno lint', ...chooseCommands(tasks, (name) => `deno task ${name}`) },
  };
}

function go(file: string, text: string): Reading {
  const name = /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
  return {
    manifest: { file, type: 'go', ...(name === undefined ? {} : { name }) },
    commands: { build: 'go build ./...', test: 'go test ./...', lint: 'go vet ./...' },
  };
}

function cargo(file: string, toml: Record<string, unknown>): Reading {
  const workspaces = strings(record(toml['workspace'])['members']);
  const all = workspaces.length > 0 ? ' --workspace' : '';
  return {
    manifest: {
      file,
      type: 'cargo',
      ...identity(record(toml['package'])),
      ...(workspaces.length > 0 ? { workspaces } : {}),
    },
    commands: {
      build: `cargo build${all}`,
      test: `cargo test${all}`,
      lint: `cargo clippy${all}`,
      format: 'cargo fmt',
    },
  };
}

function python(file: string, toml: Record<string, unknown>, found: string | undefined): Reading {
  const tools = record(toml['tool']);
  const project = record(toml['project']);
  const poetry = record(tools['poetry']);
  const has = (name: string): boolean => Object.hasOwn(tools, name);
  const manager = found ?? (has('uv') ? 'uv' : has('poetry') ? 'poetry' : has('pdm') ? 'pdm' : undefined);
  const prefix = manager === undefined ? '' : `${manager} run `;
  const wanted = JSON.stringify([
    project['dependencies'],
    project['optional-dependencies'],
    toml['dependency-groups'],
    poetry,
  ]);
  const test = has('pytest') || /\bpytest\b/.test(wanted) ? ['pytest'] : [];
  const ruff = has('ruff') || /\bruff\b/.test(wanted);
  const mypy = has('mypy') || /\bmypy\b/.test(wanted);
  const workspaces = strings(record(record(tools['uv'])['workspace'])['members']);
  return {
    manifest: {
      file,
      type: 'python',
      ...identity(Object.keys(project).length > 0 ? project : poetry),
      ...(workspaces.length > 0 ? { workspaces } : {}),
    },
    commands: {
      ...(test.length > 0 ? { test: `${prefix}pytest` } : {}),
      ...(ruff ? { lint: `${prefix}ruff check`, format: `${prefix}ruff format` } : {}),
      ...(mypy ? { typecheck: `${prefix}mypy .` } : {}),
    },
    test,
    ...(manager === undefined ? {} : { manager }),
  };
}

/** The plain targets of a makefile. */
export function makeTargets(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/^([A-Za-z0-9][\w-]*)\s*:(?![:=])/gm)].map((match) => [match[1] as string, '']));
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string').slice(0, 100) : [];
}

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 300 ? value : undefined;

function identity(from: Record<string, unknown>): { name?: string; version?: string } {
  const name = word(from['name']);
  const version = word(from['version']);
  return { ...(name === undefined ? {} : { name }), ...(version === undefined ? {} : { version }) };
}
