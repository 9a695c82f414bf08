// The database as files: made for their owner alone, told from one another, and moved out of the way when damaged.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

/** The file by what the system knows it by, whatever its name is now; undefined when there is none. */
export function identityOf(file: string): string | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}

/** An empty file of mode 0600 in a folder of mode 0700, unless it is there. What SQLite puts beside it gets its mode. */
export function makePrivate(file: string): void {
  const folder = path.dirname(file);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat) {
    // Not opened: closing any descriptor of a file gives up this process' locks on it (POSIX).
    if ((stat.mode & 0o077) !== 0) chmodSync(file, 0o600);
    return;
  }
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Moves the database and its log to `<file>.corrupt-<time>` and returns the sentence that says so. Nothing happens when
 * the file is no longer the one that was found damaged (''): another process was faster.
 */
export function setAside(file: string, identity: string | undefined, why: string): string {
  if (identityOf(file) !== identity) return '';
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  let name = `${file}.corrupt-${time}`;
  for (let i = 2; existsSync(name) || existsSync(`${name}-wal`); i++) name = `${file}.corrupt-${time}-${i}`;
  // The log first: left behind, it would be deleted with the next database.
  for (const part of ['-wal', '-shm', '']) {
    if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${name}${part}`);
  }
  return `${file} was damaged (${why}); it was set aside as ${name}, and an empty one was begun`;
}
