// The one resource of the local server: what an agent should know about this machine and project.
import { readFile, stat } from 'node:fs/promises';
import { homedir, release, userInfo } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { DEFAULT_MODE } from './lib/modes/modes.ts';
import { run } from './lib/run.ts';
import type { Local } from './local.ts';

/** How `resources/list` shows it. */
export const SYSTEM_PROMPT = {
  uri: 'hanzo://system-prompt',
  name: 'System Prompt',
  description: 'Environment, repository, project files, tools and guidelines of this server',
  mimeType: 'text/plain',
} as const;

/** File names that tell what a project is. */
const PROJECT_FILES = [
  'package.json',
  'tsconfig.json',
  'pyproject.toml',
  'requirements.txt',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'Makefile',
  'Dockerfile',
  'README.md',
];

const FRAMEWORKS = ['next', 'nuxt', 'react', 'vue', 'svelte', '@angular/core', 'express', 'fastify', 'hono', 'vite'];

/** The text as it is now; made anew at every read. */
export async function systemPrompt(env: Local): Promise<string> {
  const { cwd } = env.config;
  const sections = [
    ['Time', new Date().toISOString()],
    ['Environment', environment(cwd)],
    ['Git', await repository(cwd)],
    ['Project', await project(cwd)],
    ['Tools', tools(env)],
    ...modeSection(env),
    ['Guidelines', guidelines(env.surface.listed())],
  ];
  return `${sections.map(([title, body]) => `# ${title}\n${body}`).join('\n\n')}\n`;
}

/** Only where a mode was chosen: what it is for, what it hides, and the way back. */
function modeSection({ modes, connection, surface }: Local): [string, string][] {
  const { mode, restricts } = modes.of(connection);
  if (mode.name === DEFAULT_MODE) return [];
  const hidden = surface.served().filter((name) => surface.isEnabled(name) && !surface.listed().includes(name));
  const rest = restricts && hidden.length > 0 ? [`not listed meanwhile: ${hidden.join(', ')}`] : [];
  return [['Mode', [`${mode.name}: ${mode.summary}`, ...rest, `back: mode activate name=${DEFAULT_MODE}`].join('\n')]];
}

/** What to do, and which tools the advice speaks of: it is given where all of them are served. */
const GUIDELINES: readonly (readonly [advice: string, ...needs: string[]])[] = [
  ['Call `help` on a tool for its actions and parameters.'],
  ['Read before you edit; edit with fs apply_patch and the hash the read returned.', 'fs'],
  ['Long commands go on in the background: wait for them with exec wait, end them with exec kill.', 'exec'],
  ['Refer to code as file:line, for example src/index.ts:42.'],
];

/** The advice that fits the tools of these names. */
function guidelines(listed: readonly string[]): string {
  const fitting = GUIDELINES.filter(([, ...needs]) => needs.every((name) => listed.includes(name)));
  return fitting.map(([advice]) => advice).join('\n');
}

function environment(cwd: string): string {
  return [
    `os: ${process.platform} ${release()} (${process.arch})`,
    `node: ${process.versions.node}`,
    `working directory: ${cwd}`,
    `user: ${userInfo().username}`,
    `home: ${homedir()}`,
  ].join('\n');
}

async function repository(cwd: string): Promise<string> {
  const git = async (...args: string[]): Promise<string | undefined> => {
    try {
      const result = await run(['git', ...args], {
        cwd,
        timeoutMs: 5000,
        maxBytes: 16_384,
        env: { GIT_OPTIONAL_LOCKS: '0' },
      });
      return result.code === 0 ? result.stdout.toString('utf8').trimEnd() : undefined;
    } catch {
      return undefined;
    }
  };
  const status = await git('-c', 'core.fsmonitor=', 'status', '--porcelain', '--branch');
  if (status === undefined) return 'not a git repository';
  const [branch = '', ...changes] = status.split('\n');
  const remote = await git('remote', 'get-url', 'origin');
  return [
    `branch: ${branch.replace(/^## /, '')}`,
    `remote: ${remote === undefined ? 'none' : withoutCredentials(remote)}`,
    changes.length === 0 ? 'clean' : `modified:\n${changes.slice(0, 50).join('\n')}`,
  ].join('\n');
}

/** A remote may carry a token in its user part; an answer never does. */
function withoutCredentials(remote: string): string {
  return remote.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');
}

async function project(cwd: string): Promise<string> {
  const found = await Promise.all(
    PROJECT_FILES.map(async (name) => {
      const there = await stat(path.join(cwd, name)).catch(() => undefined);
      return there?.isFile() ? name : undefined;
    }),
  );
  const names = found.filter((name) => name !== undefined);
  const lines = [`files: ${names.join(', ') || 'none of the known ones'}`];
  if (names.includes('package.json')) lines.push(...(await packageFacts(path.join(cwd, 'package.json'))));
  return lines.join('\n');
}

async function packageFacts(file: string): Promise<string[]> {
  try {
    const { name, dependencies, devDependencies } = JSON.parse(await readFile(file, 'utf8')) as {
      name?: unknown;
      dependencies?: object;
      devDependencies?: object;
    };
    const known = new Set([...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})]);
    const framework = FRAMEWORKS.find((each) => known.has(each));
    return [`package: ${String(name ?? 'unnamed')}`, ...(framework ? [`framework: ${framework}`] : [])];
  } catch {
    return ['package: package.json is not readable JSON'];
  }
}

function tools(env: Local): string {
  const names = env.surface.listed();
  return `${names.length}: ${names.join(', ')}`;
}
