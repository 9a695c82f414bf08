// Files that are either the old ones or the new ones, whatever happens in between.
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** what killed writers leave behind ends in this */
export const TEMPORARY = '.tmp';

/** Writes the parts to a name of their own, waits until they are on disk, and gives them the name at last. */
export function replaceFile(file: string, parts: readonly Uint8Array[]): void {
  const temporary = file + TEMPORARY;
  const fd = openSync(temporary, 'w', 0o600);
  try {
    for (const part of parts) {
      for (let done = 0; done < part.length;) done += writeSync(fd, part, done, part.length - done);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, file);
  syncFolder(dirname(file));
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
