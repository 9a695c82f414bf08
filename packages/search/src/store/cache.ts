// Where indexes lie: one folder per root below a cache folder of this user's, made, bounded and cleaned here. Nothing is
// touched that does not carry our mark.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { codeOf, replaceFile } from './files.ts';
import { isLocked, takeLock } from './lock.ts';

/** the mark of a folder of ours; it names the root, and its time is when the index was last used */
const MARK = 'hanzo-search.json';
const MARK_KIND = 'hanzo-search index';
const STAMP_EVERY_MS = 3_600_000;
const REMOVED = /^removed-[0-9a-f]{16}-[0-9a-f]{16}$/;
const FOLDER = /^[0-9a-f]{16}$/;

/** The cache folder of this system and user, `hanzo/search` in it. */
export function defaultCache(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  return join(baseOf(env, platform, home), 'hanzo', 'search');
}

function baseOf(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform, home: string): string {
  const xdg = env['XDG_CACHE_HOME'];
  // the specification has relative values ignored
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (platform === 'darwin') return join(home, 'Library', 'Caches');
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
  return join(home, '.cache');
}

/** The folder of a root (a real path) in the cache folder. */
export const folderOf = (cache: string, root: string): string =>
  join(cache, createHash('sha256').update(root).digest('hex').slice(0, 16));

/** Makes the folder of a root, for its user alone, and tries to write in it. A reason is a sentence for people. */
export function prepareFolder(cache: string, root: string): { readonly folder: string } | { readonly reason: string } {
  const folder = folderOf(cache, root);
  try {
    makeFolder(folder);
    const { uid, mode } = statSync(folder);
    // a link somebody put there would lead what is written, and later removed, to a place of their choice
    if (lstatSync(folder).isSymbolicLink()) return { reason: `${folder} is a link, not a folder` };
    if (process.getuid && uid !== process.getuid()) return { reason: `${folder} belongs to another user` };
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) chmodSync(folder, 0o700);
    const mark = readMark(folder);
    if (mark !== undefined && mark.root !== root) return { reason: `${folder} is the index of ${mark.root}` };
    if (mark === undefined && readdirSync(folder).length > 0 && !isOurUnmarked(folder)) {
      return { reason: `${folder} holds what is not an index` };
    }
    // written each time: this is how a full or read-only disk shows now and not at the end of a build
    if (mark === undefined || Date.now() - mark.usedAt > STAMP_EVERY_MS) writeMark(folder, root);
    else replaceFile(join(folder, 'probe'), []);
    return { folder };
  } catch (error) {
    return { reason: reasonOf(error, folder) };
  }
}

/** Node's own way to make a path does not end where the system says of every part that it is not there, as in /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(folder)) || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

/** Notes that the index was used, at most once an hour. */
export function stampUse(folder: string): void {
  const file = join(folder, MARK);
  try {
    const now = new Date();
    if (now.getTime() - statSync(file).mtimeMs > STAMP_EVERY_MS) utimesSync(file, now, now);
  } catch {
    // a folder that cannot be written is used all the same
  }
}

/**
 * Removes indexes whose roots are gone, and then those used longest ago until all take `limit` bytes or less. `keep` and
 * indexes that are being built are left alone. Returns the roots whose indexes were removed. Never throws.
 */
export function cleanCache(cache: string, limit: number, keep?: string): string[] {
  for (const name of listed(cache)) if (REMOVED.test(name)) finishRemoval(join(cache, name));
  const entries = listed(cache)
    .filter((name) => FOLDER.test(name))
    .flatMap((name) => {
      const folder = join(cache, name);
      const mark = readMark(folder);
      return mark !== undefined && folderOf(cache, mark.root) === folder
        ? [{ folder, ...mark, bytes: bytesIn(folder) }]
        : [];
    })
    .sort((a, b) => a.usedAt - b.usedAt);
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: string[] = [];
  for (const { folder, root, bytes } of [...entries.filter(isOrphan), ...entries.filter((entry) => !isOrphan(entry))]) {
    if (folder === keep || (total <= limit && !isOrphan({ root })) || !removeIndex(cache, folder)) continue;
    total -= bytes;
    removed.push(root);
  }
  return removed;
}

/** Out of sight by one rename, for whoever opens it meanwhile; and only while nobody builds there. */
function removeIndex(cache: string, folder: string): boolean {
  try {
    if (isLocked(folder)) return false;
    const lock = takeLock(folder);
    if (lock === undefined) return false;
    const away = join(cache, `removed-${folder.slice(-16)}-${randomBytes(8).toString('hex')}`);
    try {
      renameSync(folder, away);
    } finally {
      lock.release();
    }
    finishRemoval(away);
    return true;
  } catch {
    return false;
  }
}

/** The mark goes last, so that what a killed process leaves of this is still known as ours. */
function finishRemoval(folder: string): void {
  try {
    const names = readdirSync(folder);
    if (names.length > 0 && !names.includes(MARK)) return;
    for (const name of names) if (name !== MARK) rmSync(join(folder, name), { recursive: true, force: true });
    rmSync(join(folder, MARK), { force: true });
    rmdirSync(folder);
  } catch {
    // another time
  }
}

/** Gone is only what the system says is not there; a root that cannot be looked at may come back. */
function isOrphan({ root }: { readonly root: string }): boolean {
  try {
    statSync(root);
    return false;
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
  }
}

function readMark(folder: string): { readonly root: string; readonly usedAt: number } | undefined {
  try {
    const file = join(folder, MARK);
    const mark: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof mark !== 'object' || mark === null || !('kind' in mark) || !('root' in mark)) return undefined;
    if (mark.kind !== MARK_KIND || typeof mark.root !== 'string') return undefined;
    // the folder is named after its root: a mark that says another was damaged, or is not this folder's
    if (folderOf(dirname(folder), mark.root) !== folder) return undefined;
    return { root: mark.root, usedAt: statSync(file).mtimeMs };
  } catch {
    return undefined;
  }
}

function writeMark(folder: string, root: string): void {
  replaceFile(join(folder, MARK), [new TextEncoder().encode(`${JSON.stringify({ kind: MARK_KIND, root })}\n`)]);
}

/** A power cut may lose the mark of a folder that holds nothing but what we put there. */
function isOurUnmarked(folder: string): boolean {
  return listed(folder).every((name) =>
    /^(CURRENT|LOCK-\d+|gen-\d+\.bin|seg-[\w-]+|probe|.*\.tmp|hanzo-search\.json)$/.test(name),
  );
}

function bytesIn(folder: string): number {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
    }
  } catch {
    // being changed; the next time will be right
  }
  return bytes;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'is on a read-only disk',
  EACCES: 'may not be written',
  EPERM: 'may not be written',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is over its quota',
  ENOTDIR: 'cannot be made: something on the way is no folder',
  EEXIST: 'cannot be made: a file is in its place',
};

/** Why an index cannot be kept, as a sentence; what is no error of the disk is said as it is. */
export function reasonOf(error: unknown, folder: string): string {
  const code = codeOf(error);
  const known = code === undefined ? undefined : REASONS[code];
  return known === undefined ? String(error instanceof Error ? error.message : error) : `${folder} ${known} (${code})`;
}
