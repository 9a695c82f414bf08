// The files below a directory that a search reads, found as ripgrep finds them.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { compileRule, type Rule } from './glob.ts';
import { enter, globalRules, type Level, levelsDownTo, verdict } from './ignore.ts';

/** What the kernel shows as files; reading some of them waits for ever. Only a search that starts inside goes there. */
const KERNEL: ReadonlySet<string> = new Set(['/proc', '/sys', '/dev']);

export interface WalkOptions {
  readonly glob: string | undefined;
  /** true for a file that may not be read at all */
  readonly secret: (file: string) => boolean;
  /** asked between directories; true ends the walk early */
  readonly stop: () => boolean;
}

/**
 * Yields absolute paths of regular files below `root` (a real path), in no particular order. Left out: what the ignore
 * files name, hidden entries that no rule brings back, links, key material. A `glob` overrides all rules for the files it
 * matches, as ripgrep's `-g` does; with `!` it leaves out instead.
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<string> {
  const glob = readGlob(options.glob);
  const global = await globalRules(root);
  const pending: { directory: string; above: Level | undefined }[] = [{ directory: root, above: undefined }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (options.stop()) return;
    const { directory } = next;
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    const level =
      directory === root
        ? await levelsDownTo(root)
        : await enter(directory, next.above, new Set(entries.map((each) => each.name)));
    for (const entry of entries) {
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      const full = path.join(directory, entry.name);
      if (!wanted(level, entry.name, isDirectory, full.slice(root === '/' ? 1 : root.length + 1), glob, global))
        continue;
      if (KERNEL.has(full) || options.secret(full)) continue;
      if (isDirectory) pending.push({ directory: full, above: level });
      else yield full;
    }
  }
}

function wanted(
  level: Level,
  name: string,
  directory: boolean,
  relative: string,
  glob: Rule | undefined,
  global: Parameters<typeof verdict>[3],
): boolean {
  if (glob) {
    const matched = (!glob.directoryOnly || directory) && glob.matches(relative, name);
    if (matched) return !glob.negated;
    if (!glob.negated && !directory) return false;
  }
  const ruled = verdict(level, name, directory, global);
  if (ruled !== undefined) return ruled === 'keep';
  return !name.startsWith('.');
}

function readGlob(glob: string | undefined): Rule | undefined {
  if (glob === undefined) return undefined;
  const negated = glob.startsWith('!');
  const pattern = negated ? glob.slice(1) : glob;
  if (pattern === '' || pattern.includes('\0')) {
    throw new ToolError('INVALID_PARAMS', "'glob' is empty or not usable; give a file glob such as *.ts or src/**", {
      param: 'glob',
    });
  }
  try {
    return compileRule(pattern, negated);
  } catch (error) {
    throw new ToolError('INVALID_PARAMS', `'glob': ${(error as Error).message}`, { param: 'glob' });
  }
}
