// What runs on this machine, read from /proc or, where there is none, from ps. Looks only; signals nothing.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';

/** One live process. `pid` and `start` together name it for as long as the machine is up. */
export interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** clock ticks since boot under /proc; seconds since the epoch from ps */
  readonly start: number;
}

/** What a process inherited of the marks that `mark.ts` puts on commands. */
export interface Marks {
  /** value of `HANZO_MCP_PROC` */
  readonly env: string | undefined;
  /** hard RLIMIT_LOCKS */
  readonly limit: number | undefined;
}

/** Every live process at one moment; zombies are left out. */
export interface Snapshot {
  readonly all: ReadonlyMap<number, Running>;
  /** the marks on a process, read on first use; none where it cannot be read */
  marks(pid: number): Marks;
}

/** The variable that marks a command's processes. */
export const MARK_VARIABLE = 'HANZO_MCP_PROC';

/** True where processes are read from /proc. */
export const HAS_PROC = existsSync('/proc/self/stat');

/** Looks at every process; `skip` are pids not worth it. */
export function look(skip?: ReadonlySet<number>): Snapshot {
  const cache = new Map<number, Marks>();
  const environments = HAS_PROC ? undefined : new Lazy(psEnvironments);
  return {
    all: HAS_PROC ? fromProc(skip) : fromPs(),
    marks(pid) {
      const known = cache.get(pid);
      if (known) return known;
      const environment = environments ? environments.get().get(pid) : readProc(pid, 'environ');
      const env = new RegExp(`(?:^|[\\0 ])${MARK_VARIABLE}=([^\\0 ]+)`).exec(environment ?? '')?.[1];
      const found = { env, limit: HAS_PROC ? lockLimit(pid) : undefined };
      cache.set(pid, found);
      return found;
    },
  };
}

let soon: Promise<Snapshot> | undefined;

/** A look a moment from now, one for all who ask until then: many commands end, or are asked about, at the same time. */
export function lookSoon(): Promise<Snapshot> {
  soon ??= new Promise((resolve, reject) => {
    setImmediate(() => {
      soon = undefined;
      try {
        resolve(look());
      } catch (error) {
        reject(error as Error);
      }
    });
  });
  return soon;
}

/** The process `pid` if it is live. */
export function runningPid(pid: number): Running | undefined {
  return HAS_PROC ? procStat(pid) : fromPs().get(pid);
}

/** When process `pid` started, even if it is a zombie by now; undefined if there is none. */
export function startOf(pid: number): number | undefined {
  return HAS_PROC ? procStat(pid, true)?.start : fromPs().get(pid)?.start;
}

/**
 * The hard RLIMIT_LOCKS of a process; undefined where it is unlimited or cannot be read. Linux enforced this limit only
 * before 2.4.25 (getrlimit(2)), yet hands it on across fork and exec.
 */
export function lockLimit(pid: number | 'self'): number | undefined {
  const row = /^Max file locks\s+\S+\s+(\d+)/m.exec(readProc(pid, 'limits') ?? '');
  return row ? Number(row[1]) : undefined;
}

/** True if the process sits in a read of its standard input: it waits to be written to. */
export function readsStdin(pid: number): boolean {
  if (!HAS_PROC) return false;
  // read(2) in the system call tables of the two architectures
  const read = process.arch === 'arm64' ? '63' : '0';
  const [call, descriptor] = (readProc(pid, 'syscall') ?? '').split(' ');
  return call === read && descriptor === '0x0';
}

/** Listings of one look at most: a machine on which processes begin all the time must not hold it up for ever. */
const LISTINGS = 50;

/**
 * Listed until a listing shows nothing new. One that forks and leaves, again and again, is gone when it is read and its child not in
 * the same list; but the child, or what it has left, is in the next.
 */
function fromProc(skip?: ReadonlySet<number>): Map<number, Running> {
  const found = new Map<number, Running>();
  const seen = new Set<string>();
  for (let listing = 0, before = -1; listing < LISTINGS && seen.size > before; listing++) {
    before = seen.size;
    for (const name of readdirSync('/proc')) {
      const first = name.charCodeAt(0);
      if (first < 0x31 || first > 0x39 || seen.has(name)) continue;
      seen.add(name);
      const pid = Number(name);
      if (skip?.has(pid)) continue;
      const each = procStat(pid);
      if (each) found.set(pid, each);
    }
  }
  return found;
}

function procStat(pid: number, zombies = false): Running | undefined {
  const text = readProc(pid, 'stat');
  if (text === undefined) return undefined;
  // The name in parentheses may hold blanks and parentheses itself (proc_pid_stat(5)); the fields start after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (!zombies && (fields[0] === 'Z' || fields[0] === 'X')) return undefined;
  return { pid, parent: Number(fields[1]), session: Number(fields[3]), start: Number(fields[19]) };
}

let scratch = Buffer.allocUnsafe(32_768);

/** A file of /proc as Latin-1. Read by hand: for files without a size, readFileSync takes a new large buffer each time. */
function readProc(pid: number | 'self', file: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(`/proc/${pid}/${file}`, 'r');
    let length = 0;
    for (let count = 1; count > 0; length += count) {
      if (length === scratch.length) scratch = Buffer.concat([scratch, scratch]);
      count = readSync(fd, scratch, length, scratch.length - length, null);
    }
    return scratch.toString('latin1', 0, length);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function fromPs(): Map<number, Running> {
  const found = new Map<number, Running>();
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' });
  for (const line of (stdout ?? '').split('\n')) {
    const row = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line);
    if (!row || row[4]?.startsWith('Z')) continue;
    // ps has no session id on every system; a group is the nearest thing, and it is inherited too.
    const pid = Number(row[1]);
    const start = Date.parse(row[5] as string) / 1000;
    found.set(pid, { pid, parent: Number(row[2]), session: Number(row[3]), start });
  }
  return found;
}

function psEnvironments(): Map<number, string> {
  const { stdout } = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return new Map((stdout ?? '').split('\n').map((line) => [Number.parseInt(line, 10), line]));
}

class Lazy<T> {
  readonly #make: () => T;
  #made: { value: T } | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get(): T {
    this.#made ??= { value: this.#make() };
    return this.#made.value;
  }
}
