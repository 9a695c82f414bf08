// A file that comes into being whole or not at all: written beside its place, then moved there.
import { createHash } from 'node:crypto';
import { chmod, link, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { sweep, temporaryName } from '../../lib/leftovers.ts';

export interface Saved {
  readonly size: number;
  /** `sha256:` and 64 hex digits */
  readonly hash: string;
  /** a file was there before */
  readonly replaced: boolean;
}

/**
 * Writes `chunks` to `file` (absolute, already allowed). Creating is exclusive: without `overwrite` an existing file is
 * CONFLICT, even one that appears meanwhile. With it the file keeps its mode. Nothing is left behind on failure.
 */
export async function save(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  overwrite: boolean,
  onBytes: (total: number) => void = () => undefined,
): Promise<Saved> {
  const before = await mustBeFree(file, overwrite);
  const made = await mkdir(path.dirname(file), { recursive: true }).catch(explainFolder(file));
  // A name by which a later write into this directory knows what a killed server left.
  await sweep(path.dirname(file));
  const temporary = temporaryName(path.dirname(file));
  const hash = createHash('sha256');
  let size = 0;
  try {
    const handle = await open(temporary, 'wx');
    try {
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        hash.update(chunk);
        size += chunk.length;
        onBytes(size);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (before !== undefined) await chmod(temporary, before);
    if (overwrite) await rename(temporary, file);
    else await place(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    if (made !== undefined) await removeEmpty(path.dirname(file), made);
    throw explained(error, file);
  }
  await rm(temporary, { force: true });
  return { size, hash: `sha256:${hash.digest('hex')}`, replaced: before !== undefined };
}

/** The mode of the file that `save` would replace, undefined when there is none; CONFLICT where it may not. */
export async function mustBeFree(file: string, overwrite: boolean): Promise<number | undefined> {
  const there = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENAMETOOLONG')
      throw new ToolError('INVALID_PARAMS', 'the name of the file is too long for this disk', { param: 'output' });
    return undefined;
  });
  if (there?.isDirectory()) {
    throw new ToolError('INVALID_PARAMS', `${file} is a directory; give the path of the file`, {
      param: 'output',
      path: file,
    });
  }
  if (there && !overwrite) throw taken(file);
  return there ? there.mode & 0o7777 : undefined;
}

function taken(file: string): ToolError {
  return new ToolError('CONFLICT', `${file} exists; choose another path, or say overwrite: true`, { path: file });
}

/** Gives the temporary file its name, unless something has that name by now. */
async function place(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken(file);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    // A file system without hard links: take the name exclusively, then move over it.
    const placeholder = await open(file, 'wx').catch((reason: NodeJS.ErrnoException) => {
      throw reason.code === 'EEXIST' ? taken(file) : reason;
    });
    await placeholder.close();
    await rename(temporary, file);
  }
}

/** Takes back the directories that were made for a file that did not come. */
async function removeEmpty(from: string, upTo: string): Promise<void> {
  for (let at = from; at.length >= upTo.length; at = path.dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}

function explainFolder(file: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === 'EEXIST' || error.code === 'ENOTDIR') {
      throw new ToolError('INVALID_PARAMS', `a part of ${path.dirname(file)} is a file, not a directory`, {
        path: file,
      });
    }
    throw explained(error, file);
  };
}

/** What the disk says, as a tool's error; anything else as it is. */
function explained(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new ToolError('PERMISSION_DENIED', `${path.dirname(file)} cannot be written by this user (${code})`, {
      path: file,
    });
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ToolError('INTERNAL_ERROR', `the disk of ${file} is full (${code}); nothing was kept`, { path: file });
  }
  return error;
}
