// A new file with the directories it needs, and those directories taken away again.
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectories } from './failure.ts';
import { createFile } from './replace.ts';

/** Creates the file and what is missing above it; gives the topmost directory made. If it fails, nothing of it stays. */
export async function create(file: string, bytes: Buffer, mode?: number): Promise<string | undefined> {
  const directory = path.dirname(file);
  const made = await makeDirectories(directory);
  try {
    await createFile(file, bytes, mode);
    return made;
  } catch (error) {
    if (made !== undefined) await removeEmpty(directory, made);
    throw error;
  }
}

/** Removes the empty directories from `directory` up to and with `top`. */
export async function removeEmpty(directory: string, top: string): Promise<void> {
  for (let at = directory; ; at = path.dirname(at)) {
    const gone = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!gone || at === top || at === path.dirname(at)) return;
  }
}
