// One builder per index. Locks are numbered files: to take over is to create the next number, which only one can, and who
// has the highest number holds the lock. The file of the highest number is never removed.
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { codeOf, replaceFile } from './files.ts';
import { prune } from './prune.ts';

const BEAT_MS = 5_000;
const DEAD_AFTER_MS = 30_000;
/** numbers behind the highest that are left in place, so that one who lists the folder meanwhile cannot miss them all */
const TRAIL = 4;
const FREE = 'free';

/** The right to build. */
export interface Lock {
  /** Says that the holder lives; done every five seconds by itself. False once the lock is someone else's. */
  beat(): boolean;
  release(): void;
}

/** What a lock file says of its holder. */
interface Holder {
  readonly pid: number;
  /** when the process started, as the system counts; '' where it does not tell */
  readonly start: string;
  /** machine, boot and process namespace: only within these does a pid mean anything */
  readonly where: string;
  readonly nonce: string;
}

/**
 * Takes the lock of an index's folder, and removes what a killed holder left unfinished. Undefined when another holds it:
 * its process lives and has given a sign in the last 30 seconds. Throws what the disk says (EROFS, ENOSPC, ...).
 */
export function takeLock(folder: string): Lock | undefined {
  const highest = highestOf(folder);
  if (highest > 0 && isHeld(join(folder, lockName(highest)))) return undefined;
  const number = highest + 1;
  const file = join(folder, lockName(number));
  const nonce = randomBytes(8).toString('hex');
  const holder: Holder = { pid: process.pid, start: startOf(process.pid), where: here(), nonce };
  try {
    const fd = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(fd, JSON.stringify(holder));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
  // one who judged by an older list may create a number that was used up since
  if (highestOf(folder) !== number) {
    rmSync(file, { force: true });
    return undefined;
  }
  for (const name of readdirSync(folder)) {
    const old = numberIn(name);
    if (old !== undefined && old < number - TRAIL) rmSync(join(folder, name), { force: true });
  }
  prune(folder, 'left');
  return new HeldLock(folder, number, nonce);
}

/** Does a living process hold the lock of this folder? */
export function isLocked(folder: string): boolean {
  const highest = highestOf(folder);
  return highest > 0 && isHeld(join(folder, lockName(highest)));
}

class HeldLock implements Lock {
  readonly #folder: string;
  readonly #number: number;
  readonly #nonce: string;
  readonly #timer: NodeJS.Timeout;
  #released = false;

  constructor(folder: string, number: number, nonce: string) {
    this.#folder = folder;
    this.#number = number;
    this.#nonce = nonce;
    this.#timer = setInterval(() => this.beat(), BEAT_MS);
    this.#timer.unref();
  }

  beat(): boolean {
    if (!this.#isOurs()) return false;
    try {
      const now = new Date();
      utimesSync(this.#file, now, now);
      return true;
    } catch {
      return false;
    }
  }

  release(): void {
    if (this.#released) return;
    const ours = this.#isOurs();
    this.#released = true;
    clearInterval(this.#timer);
    try {
      if (ours) replaceFile(this.#file, [new TextEncoder().encode(FREE)]);
    } catch {
      // it is free as soon as this process ends, or in 30 seconds
    }
  }

  get #file(): string {
    return join(this.#folder, lockName(this.#number));
  }

  #isOurs(): boolean {
    if (this.#released) return false;
    try {
      if (highestOf(this.#folder) !== this.#number) return false;
      const holder = holderIn(readFileSync(this.#file, 'utf8'));
      return typeof holder === 'object' && holder.nonce === this.#nonce;
    } catch {
      return false;
    }
  }
}

const lockName = (number: number): string => `LOCK-${number}`;

function numberIn(name: string): number | undefined {
  const digits = /^LOCK-(\d{1,15})$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function highestOf(folder: string): number {
  return readdirSync(folder).reduce((highest, name) => Math.max(highest, numberIn(name) ?? 0), 0);
}

function isHeld(file: string): boolean {
  let text: string;
  let age: number;
  try {
    text = readFileSync(file, 'utf8');
    age = Math.abs(Date.now() - statSync(file).mtimeMs);
  } catch (error) {
    // removed because a higher number is there
    return codeOf(error) === 'ENOENT';
  }
  const holder = holderIn(text);
  if (holder === FREE || age > DEAD_AFTER_MS) return false;
  // just made, and not written yet
  if (holder === undefined || holder.where !== here()) return true;
  return isAlive(holder.pid) && startOf(holder.pid) === holder.start;
}

function holderIn(text: string): Holder | typeof FREE | undefined {
  if (text === FREE) return FREE;
  try {
    const said: unknown = JSON.parse(text);
    if (typeof said !== 'object' || said === null) return undefined;
    const { pid, start, where, nonce } = said as Partial<Record<keyof Holder, unknown>>;
    const whole =
      typeof pid === 'number' && typeof start === 'string' && typeof where === 'string' && typeof nonce === 'string';
    return whole ? { pid, start, where, nonce } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Field 22 of proc(5)'s stat, counted from behind the name, which may hold anything. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

let place: string | undefined;
function here(): string {
  return (place ??= [
    hostname(),
    orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')),
    orNothing(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' '));
}

function orNothing(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return '';
  }
}
