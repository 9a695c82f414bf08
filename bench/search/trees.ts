// The two trees that are searched: a large one that is given or unpacked, and a medium one made of this checkout's packages. Nothing else is written.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
/** git ignores it, and so do the compiler and the linter */
const TREES = path.join(ROOT, '.cache', 'trees');
/** Debian's linux-source package. */
const TARBALLS = '/usr/src';

const TEXT = /\.(?:[cm]?[jt]sx?|md|json|h|cc|c|txt|ya?ml|html|css)$/;
const LARGEST = 1_000_000;

export interface Tree {
  readonly kind: 'large' | 'medium';
  readonly root: string;
}

/** `given`, or what linux-source holds; undefined if there is neither. */
export function largeTree(given: string | undefined): Tree | undefined {
  if (given !== undefined) return { kind: 'large', root: path.resolve(given) };
  const tarball = existsSync(TARBALLS)
    ? readdirSync(TARBALLS).find((name) => /^linux-source-[\d.]+\.tar\.xz$/.test(name))
    : undefined;
  if (tarball === undefined) return undefined;
  const root = path.join(TREES, tarball.replace('.tar.xz', ''));
  if (!existsSync(root)) {
    process.stderr.write(`bench: unpacking ${tarball} (once)\n`);
    const half = `${root}.half`;
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true });
    const { status } = spawnSync('tar', ['-xf', path.join(TARBALLS, tarball), '-C', half, '--strip-components=1'], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`${tarball} could not be unpacked`);
    // Debian's package leaves everything out by a rule for git
    writeFileSync(path.join(half, '.gitignore'), '*.o\n*.ko\n.*\n');
    mkdirSync(path.join(half, '.git'));
    renameSync(half, root);
  }
  return { kind: 'large', root };
}

/** The text files of all packages in the lock file: the same for the same lock file. */
export function mediumTree(): Tree {
  const root = path.join(TREES, 'packages');
  if (!existsSync(root)) {
    process.stderr.write('bench: copying the medium tree (once)\n');
    const half = `${root}.half`;
    rmSync(half, { recursive: true, force: true });
    mkdirSync(path.join(half, '.git'), { recursive: true });
    copyTexts(path.join(ROOT, 'node_modules'), half);
    renameSync(half, root);
  }
  return { kind: 'medium', root };
}

function copyTexts(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.name.startsWith('.') || entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) copyTexts(source, target);
    else if (TEXT.test(entry.name) && statSync(source).size <= LARGEST) {
      mkdirSync(to, { recursive: true });
      copyFileSync(source, target);
    }
  }
}
