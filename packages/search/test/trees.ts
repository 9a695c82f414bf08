// The trees that both engines are tried on: real sources out of node_modules, copied, and one tree made to be hard. Asserts nothing.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HOSTILE_FILES } from './hostile.ts';

export interface Tree {
  readonly name: string;
  readonly root: string;
}

/** Which parts of which packages (all of them in the lock file) make a tree, and rules that leave some of it out. */
const REAL: readonly { name: string; parts: readonly string[]; ignore: Readonly<Record<string, string>> }[] = [
  {
    name: 'zod',
    parts: ['zod/src'],
    ignore: {
      '.gitignore': 'benchmarks/\n*.bak\n',
      'zod/src/.ignore': 'v3/tests/\n',
      'zod/.hidden.ts': 'export const return_ = 1;\n',
    },
  },
  {
    name: 'assemblyscript',
    parts: ['assemblyscript/std', 'assemblyscript/dist'],
    ignore: { '.gitignore': '*.map\ndist/assemblyscript.*\n!importmap.json\n' },
  },
  {
    name: 'sdk',
    parts: ['@modelcontextprotocol/sdk/dist/esm'],
    ignore: { '.ignore': 'experimental\n', '.git/info/exclude': 'examples/server\n' },
  },
  { name: 'typescript', parts: ['typescript'], ignore: { '.rgignore': 'bin\n' } },
];

/** Copies the real trees into `parent`. */
export function realTrees(parent: string): Tree[] {
  const modules = path.join(path.dirname(createRequire(import.meta.url).resolve('vitest/package.json')), '..');
  return REAL.map(({ name, parts, ignore }) => {
    const root = path.join(parent, name);
    repository(root);
    for (const part of parts) {
      const target = path.join(root, ...part.split('/').filter((step) => !step.startsWith('@') && step !== 'esm'));
      cpSync(path.join(modules, part), target, { recursive: true });
    }
    for (const [file, content] of Object.entries(ignore)) write(path.join(root, file), content);
    return { name, root };
  });
}

/** Every way of being text, or nearly text, that the table in hostile.ts has, and entries that are no text files at all. */
export function hostileTree(parent: string): Tree & { close(): void } {
  const root = path.join(parent, 'hostile');
  repository(root);
  for (const [file, content] of HOSTILE_FILES) write(path.join(root, file), content);
  const deep = path.join(root, 'deep', ...Array.from({ length: 30 }, (_, i) => `level-${i}`));
  write(path.join(deep, 'bottom.txt'), 'needle at the bottom\n');
  symlinkSync('../plain.txt', path.join(root, 'names', 'link-to-file.txt'));
  symlinkSync('..', path.join(root, 'names', 'link-to-folder'));
  symlinkSync('nowhere', path.join(root, 'names', 'broken-link'));
  spawnSync('mkfifo', [path.join(root, 'names', 'fifo')]);
  spawnSync('chmod', ['000', path.join(root, 'unreadable.txt')]);
  truncateSync(path.join(root, 'sparse.bin'), 20 * 1024 * 1024);
  const socket = createServer().listen(path.join(root, 'names', 'socket'));
  return { name: 'hostile', root, close: () => void socket.close() };
}

/** A folder of its own under the system's, with no link in its path. */
export function temporary(name: string): { readonly folder: string; remove(): void } {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `search-${name}-`)));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

/** What makes ignore rules count: the parts of a repository that a walker looks at. */
export function repository(root: string): void {
  mkdirSync(path.join(root, '.git', 'info'), { recursive: true });
  mkdirSync(path.join(root, '.git', 'objects'));
  mkdirSync(path.join(root, '.git', 'refs'));
  writeFileSync(path.join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(path.join(root, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n');
}

/** Writes a file and the folders above it. */
export function write(file: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
