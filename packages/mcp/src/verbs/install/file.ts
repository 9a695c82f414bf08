// A configuration file on disk: read as text, written as a whole or not at all, with what was there kept beside it.
import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';

const BOM = '\ufeff';

/** A configuration file as it was read. `text` is without the byte order mark. */
export interface ConfigFile {
  readonly file: string;
  readonly exists: boolean;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly bom: boolean;
}

/** A file that cannot be read or written as it should; the message is a whole sentence without the file's name. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** Somebody else wrote the file since it was read; nothing was done. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

/** Reads a file that may be missing. Throws FileError where it is no readable UTF-8 text. */
export async function loadConfig(file: string): Promise<ConfigFile> {
  const bytes = await readBytes(file);
  if (bytes === undefined) return { file, exists: false, bytes: new Uint8Array(), text: '', bom: false };
  let decoded: string;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FileError('it is not UTF-8 text; save it as UTF-8 first');
  }
  if (decoded.includes('\0'))
    throw new FileError('it is not UTF-8 text (it holds NUL characters); save it as UTF-8 first');
  const bom = decoded.startsWith(BOM);
  return { file, exists: true, bytes, text: bom ? decoded.slice(1) : decoded, bom };
}

/**
 * Puts `text` in the place of what `before` held, keeping the mark, the mode, the owner and the links that lead there.
 * What was there is first copied beside it, as `<file>.bak-<time>`; the copy's name is the result (undefined when there was
 * nothing to keep). Throws ChangedError if the file is no longer what `before` says, FileError if it cannot be written.
 */
export async function saveConfig(before: ConfigFile, text: string, now: Date): Promise<string | undefined> {
  try {
    const target = before.exists ? await realpath(before.file) : await resolveMissing(before.file);
    const backup = before.bytes.length > 0 ? await keep(before.file, now) : undefined;
    await mkdir(path.dirname(target), { recursive: true });
    const current = (await readBytes(target)) ?? new Uint8Array();
    if (Buffer.compare(current, before.bytes) !== 0) {
      if (backup) await rm(backup);
      throw new ChangedError(before.file);
    }
    await replace(target, Buffer.from((before.bom ? BOM : '') + text, 'utf8'), before.exists);
    return backup;
  } catch (error) {
    if (error instanceof ChangedError) throw error;
    throw new FileError(reason(error));
  }
}

async function readBytes(file: string): Promise<Uint8Array | undefined> {
  try {
    // Asked first, because opening a pipe would wait for a writer.
    const found = await stat(file);
    if (!found.isFile() && !found.isDirectory()) throw new FileError('it is not a regular file');
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new FileError(reason(error));
  }
}

/** The path a dangling link leads to, or the file itself: what is written must appear where the client looks. */
async function resolveMissing(file: string): Promise<string> {
  const link = await readlink(file).catch(() => undefined);
  return link === undefined ? file : path.resolve(path.dirname(file), link);
}

async function keep(file: string, now: Date): Promise<string> {
  const stamp = now.toISOString().replaceAll(/[-:]/g, '').replace(/\..*/, '');
  for (let attempt = 1; ; attempt++) {
    const copy = `${file}.bak-${stamp}${attempt === 1 ? '' : `-${attempt}`}`;
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      await chmod(copy, (await stat(file)).mode & 0o777);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 99) throw error;
    }
  }
}

async function replace(target: string, bytes: Uint8Array, exists: boolean): Promise<void> {
  // Configurations hold tokens: a new one is the user's alone.
  const known = exists ? await stat(target) : undefined;
  if (known && known.nlink > 1) return overwrite(target, bytes);
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      if (known) {
        await handle.chown(known.uid, known.gid).catch(() => undefined);
        await handle.chmod(known.mode & 0o7777);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** In place, because a rename would part the file from its other names. */
async function overwrite(target: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(target, 'r+');
  try {
    await handle.writeFile(bytes);
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function reason(error: unknown): string {
  if (error instanceof FileError) return error.message;
  const { code, syscall, path: where } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : REASONS.get(code);
  if (known === undefined) return error instanceof Error ? error.message : String(error);
  return `${known} (${code}${syscall ? `, ${syscall}` : ''}${where ? ` ${where}` : ''})`;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'the system does not permit it'],
  ['EROFS', 'the file system is read-only'],
  ['EISDIR', 'it is a directory'],
  ['ENOTDIR', 'a part of its path is not a directory'],
  ['ELOOP', 'its symbolic links form a loop'],
  ['ENOSPC', 'the disk is full'],
]);
