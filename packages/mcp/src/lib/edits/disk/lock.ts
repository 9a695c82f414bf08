// One edit of a file at a time: a queue per file in this process, a lock file against the other servers of this user.
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive } from '../../leftovers.ts';

const queues = new Map<string, Promise<unknown>>();

/** Age after which a lock is taken for left behind, though its process lives; an edit holds one for milliseconds. */
const STALE_MS = 30_000;
/** Age after which a lock without a holder's number is left behind: a lock appears whole, this one was made otherwise. */
const EMPTY_MS = 1000;
/** How long to wait for another server. Then the edit goes on: what guards it is the look at the file before the rename. */
const PATIENCE_MS = 10_000;

/** The keys of files: their real paths, and what they share with other names where there are several. */
export function lockKeys(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    try {
      const { nlink, dev, ino } = lstatSync(file);
      return nlink > 1 ? [file, `inode ${dev}:${ino}`] : [file];
    } catch {
      return [file];
    }
  });
}

/**
 * Runs `work` when every earlier holder of any of `keys` is done, in this process and in other servers of the same user.
 * Keys are those of `lockKeys`; they are taken in one order, so that nobody waits in a circle.
 */
export async function locked<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = [...new Set(keys)].sort();
  if (first === undefined) return work();
  const before = queues.get(first) ?? Promise.resolve();
  const turn = (): Promise<T> => held(first, () => locked(rest, work));
  const mine = before.then(turn, turn);
  queues.set(first, mine);
  try {
    return await mine;
  } finally {
    if (queues.get(first) === mine) queues.delete(first);
  }
}

async function held<T>(key: string, work: () => Promise<T>): Promise<T> {
  const lock = lockFile(key);
  if (lock === undefined || !(await acquire(lock))) return work();
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** The lock file of a key; undefined where the folder for locks cannot be had for this user alone. */
export function lockFile(key: string): string | undefined {
  const { uid } = userInfo();
  const folder = path.join(tmpdir(), `hanzo-mcp-locks-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const what = lstatSync(folder);
    if (!what.isDirectory() || (uid >= 0 && what.uid !== uid)) return undefined;
    sweepDrafts(folder);
    return path.join(folder, createHash('sha256').update(key).digest('hex').slice(0, 32));
  } catch {
    return undefined;
  }
}

const DRAFT = /^[0-9a-f]{32}\.(\d+)-[0-9a-f]{12}$/;
let swept = false;

/** Removes, once, what killed servers left of locks they were about to take. */
function sweepDrafts(folder: string): void {
  if (swept) return;
  swept = true;
  for (const name of readdirSync(folder)) {
    const pid = DRAFT.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(path.join(folder, name), { force: true });
  }
}

/** Written under a name of its own and linked into place, so that there is no lock without its holder's number. */
function take(lock: string): void {
  const draft = `${lock}.${process.pid}-${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, String(process.pid), { flag: 'wx', mode: 0o600 });
    linkSync(draft, lock);
  } finally {
    rmSync(draft, { force: true });
  }
}

async function acquire(lock: string): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  for (let pause = 1; performance.now() < end; pause = Math.min(pause * 2, 16)) {
    try {
      take(lock);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
    if (isLeft(lock)) rmSync(lock, { force: true });
    else await wait(pause + Math.random() * pause);
  }
  return false;
}

function isLeft(lock: string): boolean {
  try {
    const age = Date.now() - lstatSync(lock).mtimeMs;
    if (age > STALE_MS) return true;
    const holder = Number(readFileSync(lock, 'utf8'));
    if (!Number.isInteger(holder) || holder <= 0) return age > EMPTY_MS;
    return !isAlive(holder);
  } catch {
    return false;
  }
}
