// Which tree's index serves a search: the server and the command share indexes by choosing the same roots.
import { existsSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { within } from '../path.ts';

/**
 * The root whose engine serves a directory: the widest of the server's roots it lies in, else the repository it lies in,
 * else the directory itself. What holds everything a user has is no root: a search below it has one of its own.
 */
export function rootOf(directory: string, roots: readonly string[]): string {
  const wide = tooWide();
  const [widest] = roots
    .filter((root) => !wide.has(root) && within(directory, root))
    .sort((a, b) => a.length - b.length);
  if (widest !== undefined) return widest;
  for (let at = directory; !wide.has(at) && at !== path.dirname(at); at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return at;
  }
  return directory;
}

/** Folders that an index is never made of: the home directory, the temporary ones, and all above them. */
export function tooWide(): ReadonlySet<string> {
  const wide = new Set<string>();
  for (const each of [homedir(), tmpdir(), '/tmp', '/usr', '/var']) {
    for (let at = real(each); !wide.has(at); at = path.dirname(at)) wide.add(at);
  }
  return wide;
}

function real(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return path.resolve(folder);
  }
}
