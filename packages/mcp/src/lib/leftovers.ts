// Files of servers that were killed while they wrote: temporary ones, and those a patch was about to delete.
import { readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import process from 'node:process';

const TEMPORARY = /^\.hanzo-(\d+)-[0-9a-f]{12}\.tmp$/;
const ASIDE = /^\.hanzo-(\d+)-[0-9a-f]{12}\.deleted$/;
/** Nothing younger is taken for left behind, whatever its process seems to be. */
const LEAST_AGE_MS = 600_000;
/** Directories looked at are remembered, up to this many. */
const REMEMBERED = 1000;

const seen = new Set<string>();

/** A name for a temporary file in a directory, by which it is known later whose it was. */
export function temporaryName(directory: string): string {
  return ownName(directory, 'tmp');
}

/** A name for a file that is about to be deleted, and may come back. No sweep removes it. */
export function asideName(directory: string): string {
  return ownName(directory, 'deleted');
}

function ownName(directory: string, ending: string): string {
  return path.join(directory, `.hanzo-${process.pid}-${randomBytes(6).toString('hex')}.${ending}`);
}

/** Paths in these directories of what patches of servers that are gone had put aside to delete. Never rejects. */
export async function leftAside(directories: Iterable<string>): Promise<string[]> {
  const left: string[] = [];
  for (const directory of new Set(directories)) {
    for (const name of await readdir(directory).catch(() => [])) {
      const pid = ASIDE.exec(name)?.[1];
      if (pid !== undefined && !isAlive(Number(pid))) left.push(path.join(directory, name));
    }
  }
  return left;
}

/** Removes what dead servers left in a directory; looks once per directory. Never rejects. */
export async function sweep(directory: string, now = Date.now()): Promise<void> {
  if (seen.has(directory)) return;
  if (seen.size >= REMEMBERED) seen.clear();
  seen.add(directory);
  for (const name of await readdir(directory).catch(() => [])) {
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const file = path.join(directory, name);
    const what = await stat(file).catch(() => undefined);
    if (what?.isFile() && now - what.mtimeMs > LEAST_AGE_MS) await unlink(file).catch(() => undefined);
  }
}

/** True if a process of that number runs, as far as this user can see. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
