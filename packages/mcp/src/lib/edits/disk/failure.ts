// From what the operating system answers to what a caller can act on.
import { lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { nearest, ToolError } from '@hanzo/tool';
import { toUri } from '../../path.ts';
import { endless } from './open.ts';

/** Most directory entries looked at for near names. */
const NEAR_NAMES = 5000;

/** NOT_FOUND for a path that is not there, with the names nearest to the first component that is missing. */
export async function missing(file: string): Promise<ToolError> {
  let child = file;
  for (let dir = path.dirname(file); ; child = dir, dir = path.dirname(dir)) {
    const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => error.code);
    if (names === 'ENOTDIR') {
      return new ToolError('NOT_FOUND', `${file} does not exist: ${dir} is a file, not a directory`, {
        uri: toUri(file),
      });
    }
    if (!Array.isArray(names)) {
      if (dir !== path.dirname(dir) && names === 'ENOENT') continue;
      return new ToolError('NOT_FOUND', `${file} does not exist`, { uri: toUri(file) });
    }
    const near = nearNames(path.basename(child), names.slice(0, NEAR_NAMES));
    const where = child === file ? '' : ` (nor does ${child})`;
    const hint = near.length > 0 ? `; near it: ${near.map((name) => JSON.stringify(name)).join(', ')}` : '';
    return new ToolError('NOT_FOUND', `${file} does not exist${where}${hint}`, {
      uri: toUri(file),
      nearest: near.map((name) => toUri(path.join(dir, name))),
    });
  }
}

function nearNames(wanted: string, names: readonly string[]): string[] {
  const left = new Set(names);
  const near: string[] = [];
  while (near.length < 3) {
    const next = nearest(wanted, left);
    if (next === undefined) break;
    near.push(next);
    left.delete(next);
  }
  return near;
}

/** The ToolError for a failed system call on `file`; anything that is none passes through. */
export async function explain(error: unknown, file: string): Promise<unknown> {
  if (error instanceof ToolError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const details = { uri: toUri(file) };
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return missing(file);
    case 'EACCES':
    case 'EPERM':
      return new ToolError('PERMISSION_DENIED', `the system refuses access to ${file} (${code})`, details);
    case 'EROFS':
      return new ToolError('PERMISSION_DENIED', `${file} is on a read-only file system`, details);
    case 'ETXTBSY':
    case 'EBUSY':
      return new ToolError('CONFLICT', `${file} is in use (${code}); try again when it is not`, details);
    case 'EAGAIN':
      return endless(file);
    case 'ENAMETOOLONG':
      return new ToolError('INVALID_PARAMS', 'the path is too long for this system', {});
    case 'EISDIR':
      return new ToolError('INVALID_PARAMS', `${file} is a directory; list shows what is in it`, details);
    case 'ENOSPC':
    case 'EDQUOT':
      return new ToolError('INTERNAL_ERROR', `no space left to write ${file} (${code}); nothing was changed`, details);
    case undefined:
      return error;
    default:
      return new ToolError('INTERNAL_ERROR', `${file}: ${(error as Error).message}`, details);
  }
}

/** Runs `work` and turns what the system refuses on `file` into a ToolError. */
export async function on<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await explain(error, file);
  }
}

/**
 * Makes a directory and its parents; gives the topmost one made, undefined if all were there. Rejects with CONFLICT naming
 * what stands where a directory was to be.
 */
export async function makeDirectories(directory: string): Promise<string | undefined> {
  try {
    return await mkdir(directory, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const link = await lstat(directory).catch(() => undefined);
    if (code === 'ENOENT' && link?.isSymbolicLink()) {
      const why = 'is a symbolic link to a missing place; remove the link or name its target';
      throw new ToolError('CONFLICT', `${directory} ${why}`, { uri: toUri(directory) });
    }
    if (code === 'EEXIST' || code === 'ENOTDIR') throw await inTheWay(directory);
    throw await explain(error, directory);
  }
}

async function inTheWay(directory: string): Promise<ToolError> {
  let at = directory;
  while (at !== path.dirname(at) && !(await lstat(at).catch(() => undefined))) at = path.dirname(at);
  return new ToolError('CONFLICT', `${at} exists and is not a directory`, { uri: toUri(at) });
}
