// Files that are either the old ones or the new ones, whatever happens in between.
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** what killed writers leave behind ends in this */
export const TEMPORARY = '.tmp';

/** Writes the parts to a name of their own, waits until they are on disk, and gives them the name at last. */
export function replaceFile(file: string, parts: readonly Uint8Array[]): void {
  renameSync(writeTemporary(file, parts), file);
  syncFolder(dirname(file));
}

/** The same, if nothing has the name yet; false when something has. */
export function createFile(file: string, parts: readonly Uint8Array[]): boolean {
  const temporary = writeTemporary(file, parts);
  try {
    linkSync(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // a file system without links: its writers have only the lock to keep them apart
    if (existsSync(file)) return false;
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
  syncFolder(dirname(file));
  return true;
}

function writeTemporary(file: string, parts: readonly Uint8Array[]): string {
  const temporary = `${file}.${process.pid}${TEMPORARY}`;
  const fd = openSync(temporary, 'w', 0o600);
  try {
    for (const part of parts) {
      for (let done = 0; done < part.length;) done += writeSync(fd, part, done, part.length - done);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return temporary;
}

/** Makes the names in a folder durable. Windows has no such thing and does not need it; some file systems refuse. */
export function syncFolder(folder: string): void {
  let fd: number;
  try {
    fd = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch {
    // a file system that cannot: what it keeps after a power cut is checked by sums when it is read
  } finally {
    closeSync(fd);
  }
}

/** The system's code of an error, as `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
