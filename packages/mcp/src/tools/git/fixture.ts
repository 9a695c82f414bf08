// Real repositories for the tests: made in a temporary folder, with a home and a config of their own.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { CallContext } from '@hanzo/tool';
import { type AccessLevel, defaultConfig } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import type { Local } from '../../local.ts';
import { git as tool } from './index.ts';

/** The tests' git: no config but the identity given here, the same dates every time. */
const ENV: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.test',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.test',
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
};

// oxlint-disable-next-line typescript/no-explicit-any -- answers are JSON of many shapes, and tests look at them as a client does
type Data = any;

export interface Answer {
  readonly ok: boolean;
  readonly data: Data;
  readonly error: Data;
  readonly meta: Data;
  /** body texts by key */
  readonly bodies: Readonly<Record<string, string>>;
}

export interface Bench {
  /** a real path; everything of the test lies below it */
  readonly root: string;
  /** makes a folder below root */
  folder(name: string): string;
  /** writes a file below root, folders included */
  write(name: string, content: string | Uint8Array): string;
  /** runs git itself in a folder below root, to arrange */
  raw(folder: string, ...args: readonly string[]): string;
  /** the same with `input` on its standard input */
  feed(folder: string, input: string, ...args: readonly string[]): string;
  /** a repository `name` on branch main with one commit of a.txt */
  repo(name: string): string;
  /** calls the tool */
  call(action: string, args?: Readonly<Record<string, unknown>>, options?: CallSettings): Promise<Answer>;
  dispose(): void;
}

interface CallSettings {
  readonly access?: AccessLevel;
  readonly maxOutput?: number;
  readonly roots?: readonly string[];
  readonly signal?: AbortSignal;
}

export function bench(): Bench {
  for (const [name, value] of Object.entries(ENV)) process.env[name] = value;
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'hanzo-git-')));
  mkdirSync(path.join(root, 'home'));
  process.env['HOME'] = path.join(root, 'home');
  let made = false;
  const folder = (name: string): string => {
    mkdirSync(path.join(root, name), { recursive: true });
    return path.join(root, name);
  };
  const write = (name: string, content: string | Uint8Array): string => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const raw = (where: string, ...args: readonly string[]): string =>
    execFileSync('git', [...args], {
      cwd: path.join(root, where),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const feed = (where: string, input: string, ...args: readonly string[]): string =>
    execFileSync('git', [...args], { cwd: path.join(root, where), encoding: 'utf8', input });
  return {
    root,
    folder,
    write,
    raw,
    feed,
    repo(name) {
      // Made once and copied: a test file needs dozens.
      if (!made) {
        made = true;
        folder('template');
        raw('template', 'init', '-q', '-b', 'main');
        write('template/a.txt', 'one\ntwo\nthree\n');
        raw('template', 'add', '-A');
        raw('template', 'commit', '-qm', 'first');
      }
      cpSync(path.join(root, 'template'), path.join(root, name), { recursive: true });
      return path.join(root, name);
    },
    async call(action, args = {}, options = {}) {
      const level = options.access ?? 'workspace-write';
      const config = defaultConfig({ cwd: root, access: level });
      const access = createAccess({ level, cwd: root, roots: options.roots ?? [], allowSecrets: [] });
      // The git tool uses neither processes nor surface.
      const env = { config, access } as unknown as Local;
      const context: CallContext = {
        signal: options.signal ?? new AbortController().signal,
        progress: () => {},
        log: () => {},
        clientCapabilities: {},
        ask: () => Promise.reject(new Error('nobody to ask')),
      };
      const result = await tool.call({ action, ...args }, { env, context, maxOutput: options.maxOutput ?? 32_768 });
      const [first, ...rest] = result.content.map((each) => (each.type === 'text' ? each.text : ''));
      const envelope = JSON.parse(first as string) as Omit<Answer, 'bodies'>;
      const bodies: Record<string, string> = {};
      for (const [key, value] of Object.entries((envelope.data ?? {}) as Record<string, unknown>)) {
        if (value !== null && typeof value === 'object' && 'block' in value)
          bodies[key] = rest[Number(value.block) - 1] as string;
      }
      return { ...envelope, bodies };
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}
