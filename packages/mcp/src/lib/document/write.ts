// A document written whole or not at all.
import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, mkdir, rename, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { toUri } from '../path.ts';

/**
 * The whole file or none of it, for its owner alone; over another only where `over` says so. CONFLICT when one is there,
 * PERMISSION_DENIED or INTERNAL_ERROR when it cannot be written.
 */
export async function writeWhole(file: string, text: string, over: boolean): Promise<void> {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    if (over) await rename(temporary, file);
    else await link(temporary, file).catch((error: unknown) => withoutLinks(error, temporary, file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const details = { file: toUri(file) };
    if (code === 'EEXIST') throw new ToolError('CONFLICT', `${file} is there; name a new file`, details);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
      throw new ToolError('PERMISSION_DENIED', `${file} cannot be written (${code})`, details);
    }
    throw new ToolError('INTERNAL_ERROR', `${file} was not written: ${message}`, details);
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

/** Where there are no hard links the file is copied, and still over none. */
async function withoutLinks(error: unknown, temporary: string, file: string): Promise<void> {
  if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
  await copyFile(temporary, file, constants.COPYFILE_EXCL);
}
