// Moving without ever replacing: within a file system by name, between two by a verified copy.
import { cp, link, lstat, mkdtemp, readdir, readlink, rename, rm, unlink } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { toUri } from '../../path.ts';
import { hasher } from './hash.ts';
import { on } from './failure.ts';
import { openToRead } from './open.ts';
import { exists, syncDirectory } from './replace.ts';

/** Moves `source` to `destination`, where nothing may be. Rejects with CONFLICT if something is. */
export async function moveExclusive(source: string, destination: string, what: Stats): Promise<void> {
  try {
    await on(source, () => byName(source, destination, what.isDirectory()));
  } catch (error) {
    if (!(error instanceof OtherDevice)) throw error;
    await on(destination, () => byCopy(source, destination, what));
  }
  await syncDirectory(path.dirname(destination));
  if (path.dirname(source) !== path.dirname(destination)) await syncDirectory(path.dirname(source));
}

class OtherDevice extends Error {}

async function byName(source: string, destination: string, directory: boolean): Promise<void> {
  try {
    if (!directory) {
      const linked = await hardLink(source, destination);
      if (linked) {
        await unlink(source).catch(async (error: unknown) => {
          // the old name cannot go, so the new one must
          await unlink(destination);
          throw error;
        });
        return;
      }
    }
    // rename replaces an empty directory at most, should one appear after this look
    if (await lstat(destination).catch(() => undefined)) throw await exists(destination);
    await rename(source, destination);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EXDEV') throw new OtherDevice();
    if (code === 'EEXIST' || code === 'ENOTEMPTY') throw await exists(destination);
    throw error;
  }
}

/** False where the file system has no hard links or the kernel forbids this one. */
async function hardLink(source: string, destination: string): Promise<boolean> {
  return link(source, destination).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EACCES'].includes(error.code ?? '')) return false;
      throw error;
    },
  );
}

/** Copies beside the destination, verifies, puts in place, and only then removes the source. */
async function byCopy(source: string, destination: string, what: Stats): Promise<void> {
  await refuseSpecial(source);
  const staging = await mkdtemp(path.join(path.dirname(destination), '.hanzo-move-'));
  try {
    const copy = path.join(staging, 'copy');
    await cp(source, copy, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      errorOnExist: true,
      force: false,
    });
    await verify(source, copy);
    await byName(copy, destination, what.isDirectory());
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  await rm(source, { recursive: what.isDirectory() });
}

/** A pipe, socket or device is no bytes that could be copied. */
async function refuseSpecial(file: string): Promise<void> {
  const what = await lstat(file);
  if (what.isDirectory()) {
    for (const name of await readdir(file)) await refuseSpecial(path.join(file, name));
  } else if (!what.isFile() && !what.isSymbolicLink()) {
    const kind = what.isFIFO() ? 'a pipe' : what.isSocket() ? 'a socket' : 'a device';
    throw new ToolError(
      'CONFLICT',
      `${file} is ${kind}, which cannot be moved to another file system; remove it first or move the rest`,
      { uri: toUri(file) },
    );
  }
}

async function verify(source: string, copy: string): Promise<void> {
  const [a, b] = await Promise.all([lstat(source), lstat(copy)]);
  const fail = (): never => {
    throw new ToolError('INTERNAL_ERROR', `the copy of ${source} differs from it; nothing was moved`, {
      uri: toUri(source),
    });
  };
  if ((a.mode & 0o170_000) !== (b.mode & 0o170_000)) fail();
  if (a.isSymbolicLink()) {
    if ((await readlink(source)) !== (await readlink(copy))) fail();
  } else if (a.isDirectory()) {
    const [ours, theirs] = await Promise.all([readdir(source), readdir(copy)]);
    if (ours.length !== theirs.length) fail();
    for (const name of ours) await verify(path.join(source, name), path.join(copy, name));
  } else if (a.isFile()) {
    if ((await digest(source)) !== (await digest(copy, true))) fail();
  }
}

async function digest(file: string, flush = false): Promise<string> {
  const handle = await openToRead(file);
  try {
    if (flush) await handle.sync();
    const hash = hasher();
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
    return hash.digest();
  } finally {
    await handle.close();
  }
}
