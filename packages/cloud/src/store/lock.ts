// One plane for an embedded database: a lock of the operating system's that ends with its process, however that ends.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes the lock beside `file`, or throws an Error that names the process which has it. It is a byte-range lock held through
 * SQLite's own file layer, so there is nothing stale after kill -9. Not to be relied on where the file system has no such
 * locks (some network mounts).
 */
export function lockFile(file: string): { release(): void } {
  const path = `${file}.lock`;
  const owner = `${file}.pid`;
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    throw new Error(`${file} is in use by ${nameOf(owner)}: one plane at a time may have an embedded database open`, {
      cause: error,
    });
  }
  writeFileSync(owner, `${process.pid}\n`);
  return { release: () => lock.close() };
}

function nameOf(owner: string): string {
  try {
    const pid = readFileSync(owner, 'utf8').trim();
    return /^\d+$/.test(pid) ? `process ${pid}` : 'another process';
  } catch {
    return 'another process';
  }
}
