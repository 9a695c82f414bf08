// Putting bytes where a file is or is to be: never half of them, never over what somebody else just wrote.
import { appendFile, constants, type FileHandle, link, lstat, open, stat, unlink } from 'node:fs/promises';
import { type BigIntStats, lstatSync, renameSync, type Stats } from 'node:fs';
import path from 'node:path';
import { access } from 'node:fs/promises';
import { ToolError } from '@hanzo/tool';
import { toUri } from '../../path.ts';
import { on } from './failure.ts';
import { sweep, temporaryName } from '../../leftovers.ts';
import { openToRead } from './open.ts';
import { readAll, sameState, type Snapshot } from './snapshot.ts';

/** The file is no longer what it was when it was read; the caller reads again and decides anew. */
export class Changed extends Error {}

/**
 * Replaces the content of an existing file. Mode and owner stay; a file with several hard links, or one a rename could
 * not keep as it is, is written in place. Rejects with Changed if the file is not the snapshot's any more.
 */
export function replaceContent(before: Snapshot, bytes: Buffer): Promise<void> {
  return on(before.file, async () => {
    const { file, stat: was } = before;
    await refuseReadOnly(file, Number(was.mode));
    if (was.nlink > 1n) return writeInPlace(before, bytes);
    const old = await openToRead(file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new Changed() : error;
    });
    try {
      const staged = await stageLike(before, bytes);
      const swapped = staged === undefined ? undefined : await swapIn(staged, before);
      if (!swapped) return await writeInPlace(before, bytes);
      await keepLateWrites(before, old, swapped);
    } finally {
      await old.close();
    }
  });
}

function stageLike({ file, stat: was }: Snapshot, bytes: Buffer): Promise<string | undefined> {
  return stage(file, bytes, Number(was.mode) & 0o7777, { uid: Number(was.uid), gid: Number(was.gid) });
}

/** Renames the staged file over the snapshot's and gives what it is; undefined where that cannot be done here. */
async function swapIn(staged: string, { file, stat: was }: Snapshot): Promise<BigIntStats | undefined> {
  try {
    const ours = lstatSync(staged, { bigint: true });
    // Nothing lies between the look and the rename, so that hardly anybody writes there.
    if (!sameState(was, lstatSync(file, { bigint: true }))) throw new Changed();
    renameSync(staged, file);
    return ours;
  } catch (error) {
    await unlink(staged).catch(() => undefined);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Changed();
    // a mount point of its own cannot be renamed over
    if (code === 'EBUSY' || code === 'EXDEV') return undefined;
    throw error;
  }
}

/**
 * A second look at the file that was replaced: who had it open may have written into it at the last moment. What was
 * added at its end goes to the end of the new one; after any other change the old bytes come back, and it is Changed.
 */
async function keepLateWrites(before: Snapshot, old: FileHandle, swapped: BigIntStats): Promise<void> {
  const { file, bytes, stat: was } = before;
  const now = await old.stat({ bigint: true });
  if (now.ino !== was.ino || (now.size === was.size && now.mtimeNs === was.mtimeNs)) return;
  const late = await readAll(old, Number(now.size));
  if (late.subarray(0, bytes.length).equals(bytes)) {
    await appendFile(file, late.subarray(bytes.length));
    return;
  }
  const staged = await stageLike(before, late);
  if (staged === undefined) return;
  const there = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  // what came after this edit stays, whatever was written before it
  if (there?.ino !== swapped.ino || there.size !== swapped.size || there.mtimeNs !== swapped.mtimeNs) {
    await unlink(staged);
    return;
  }
  renameSync(staged, file);
  throw new Changed();
}

/** A file nobody may write is not written, whoever asks: the bits say what its owner wants. */
async function refuseReadOnly(file: string, mode: number): Promise<void> {
  const octal = (mode & 0o7777).toString(8).padStart(4, '0');
  const refused = await access(file, constants.W_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new Changed();
      // not the file's bits forbid it but its mount
      if (error.code === 'EROFS') throw error;
      return true;
    },
  );
  const writable = (mode & 0o222) !== 0 && !refused;
  if (writable) return;
  throw new ToolError('PERMISSION_DENIED', `${file} is read-only (mode ${octal}); make it writable first`, {
    uri: toUri(file),
    mode: octal,
  });
}

/**
 * Writes `bytes` to a temporary file beside `file`, flushed and verified. Undefined if the directory takes no new file
 * or the owner cannot be kept: then only writing in place is left.
 */
async function stage(
  file: string,
  bytes: Buffer,
  mode: number,
  owner?: { uid: number; gid: number },
): Promise<string | undefined> {
  const temporary = temporaryName(path.dirname(file));
  await sweep(path.dirname(file));
  let handle: FileHandle;
  try {
    handle = await open(temporary, 'wx', owner ? 0o600 : mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (owner && (code === 'EACCES' || code === 'EPERM' || code === 'ENAMETOOLONG')) return undefined;
    throw error;
  }
  try {
    await writeAll(handle, bytes);
    const made = await verifyLength(handle, file, bytes.length);
    if (owner) {
      if (made.uid !== owner.uid || made.gid !== owner.gid) await handle.chown(owner.uid, owner.gid);
      if ((made.mode & 0o7777) !== mode) await handle.chmod(mode);
    }
    await handle.sync();
    await handle.close();
    return temporary;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
    if (owner && (error as NodeJS.ErrnoException).code === 'EPERM') return undefined;
    throw error;
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, at);
    at += bytesWritten;
  }
}

async function verifyLength(handle: FileHandle, file: string, wanted: number): Promise<Stats> {
  const arrived = await handle.stat();
  const { size } = arrived;
  if (size === wanted) return arrived;
  throw new ToolError('INTERNAL_ERROR', `${file}: ${wanted} bytes were written and ${size} arrived; nothing was kept`, {
    uri: toUri(file),
  });
}

/** The same inode gets the new bytes; if that fails half-way, the old ones are put back. */
async function writeInPlace(before: Snapshot, bytes: Buffer): Promise<void> {
  const handle = await open(before.file, 'r+');
  try {
    if (!sameState(before.stat, await handle.stat({ bigint: true }))) throw new Changed();
    try {
      await writeAll(handle, bytes);
      await handle.truncate(bytes.length);
      await handle.sync();
      await verifyLength(handle, before.file, bytes.length);
    } catch (error) {
      await writeAll(handle, before.bytes).catch(() => undefined);
      await handle.truncate(before.bytes.length).catch(() => undefined);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

/**
 * Creates a file that must not exist yet, with all its bytes or not at all. Rejects with CONFLICT if something is there,
 * a dangling symbolic link included.
 */
export function createFile(file: string, bytes: Buffer, mode = 0o666): Promise<void> {
  return on(file, async () => {
    const staged = await stage(file, bytes, mode);
    if (staged === undefined) throw new Error('a new file is always staged');
    try {
      await link(staged, file);
      await unlink(staged);
    } catch (error) {
      await unlink(staged).catch(() => undefined);
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw await exists(file);
      // file systems without hard links
      if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK') throw error;
      await createPlainly(file, bytes, mode);
    }
    await syncDirectory(path.dirname(file));
  });
}

async function createPlainly(file: string, bytes: Buffer, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode).catch(async (error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? await exists(file) : error;
  });
  try {
    await writeAll(handle, bytes);
    await handle.sync();
    await verifyLength(handle, file, bytes.length);
  } catch (error) {
    await unlink(file).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

/** CONFLICT for a path where a new file was to be. */
export async function exists(file: string): Promise<ToolError> {
  const what = await lstat(file).catch(() => undefined);
  const target = what?.isSymbolicLink() ? await stat(file).catch(() => undefined) : what;
  const details = { uri: toUri(file) };
  if (what?.isSymbolicLink() && !target) {
    return new ToolError(
      'CONFLICT',
      `${file} is a symbolic link to a missing file; remove the link or name its target`,
      details,
    );
  }
  if (target?.isDirectory()) return new ToolError('CONFLICT', `${file} is a directory`, details);
  return new ToolError(
    'CONFLICT',
    `${file} already exists; edit it with apply_patch, or replace it by giving base_hash, the hash a read returned`,
    details,
  );
}

/** Makes a rename or a creation last through a power cut, where the file system can. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
