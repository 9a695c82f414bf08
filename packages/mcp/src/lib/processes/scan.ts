// What runs on this machine, read from /proc or, where there is none, from ps. Looks only; signals nothing.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** One live process. `pid` and `start` together name it for as long as the machine is up. */
export interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** clock ticks since boot under /proc; seconds since the epoch from ps */
  readonly start: number;
}

/** The marks a command's processes inherit; see `mark.ts`. */
export interface Marks {
  readonly env: string;
  readonly limit: number | undefined;
}

/** True where processes are read from /proc. */
export const HAS_PROC = existsSync('/proc/self/stat');

/** Processes that were live at the moment of the call; zombies are left out. `skip` are pids not worth a look. */
export function runningNow(skip?: ReadonlySet<number>): Map<number, Running> {
  return HAS_PROC ? fromProc(skip) : fromPs();
}

/** The process `pid` if it is live. */
export function runningPid(pid: number): Running | undefined {
  return HAS_PROC ? procStat(pid) : fromPs().get(pid);
}

/** True if the process carries one of the marks. False where it cannot be read. */
export function carries(pid: number, marks: Marks): boolean {
  if (!HAS_PROC) return psEnvironment(pid).includes(marks.env);
  if (marks.limit !== undefined && lockLimit(pid) === marks.limit) return true;
  const environment = readProc(pid, 'environ');
  return environment !== undefined && `\0${environment}`.includes(`\0${marks.env}\0`);
}

/**
 * The hard RLIMIT_LOCKS of a process; undefined where it is unlimited or cannot be read. The kernel stopped enforcing this
 * limit in 2.4.25 (getrlimit(2)) but still inherits it across fork and exec, which makes it a mark.
 */
export function lockLimit(pid: number | 'self'): number | undefined {
  const row = /^Max file locks\s+\S+\s+(\d+)/m.exec(readProc(pid, 'limits') ?? '');
  return row ? Number(row[1]) : undefined;
}

/** True if the process sits in a read of its standard input: it waits for what `write` sends. */
export function readsStdin(pid: number): boolean {
  if (!HAS_PROC) return false;
  const number = process.arch === 'arm64' ? '63' : '0';
  const [call, descriptor] = (readProc(pid, 'syscall') ?? '').split(' ');
  return call === number && descriptor === '0x0';
}

function fromProc(skip?: ReadonlySet<number>): Map<number, Running> {
  const found = new Map<number, Running>();
  for (const name of readdirSync('/proc')) {
    const first = name.charCodeAt(0);
    if (first < 0x31 || first > 0x39) continue;
    const pid = Number(name);
    if (skip?.has(pid)) continue;
    const each = procStat(pid);
    if (each) found.set(pid, each);
  }
  return found;
}

function procStat(pid: number): Running | undefined {
  const text = readProc(pid, 'stat');
  if (text === undefined) return undefined;
  // The name in parentheses may hold blanks and parentheses itself (proc_pid_stat(5)); the fields start after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return { pid, parent: Number(fields[1]), session: Number(fields[3]), start: Number(fields[19]) };
}

function readProc(pid: number | 'self', file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}

function fromPs(): Map<number, Running> {
  const found = new Map<number, Running>();
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' });
  for (const line of (stdout ?? '').split('\n')) {
    const row = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line);
    if (!row || row[4]?.startsWith('Z')) continue;
    // ps has no session id on every system; a group is the nearest thing and, like a session, is inherited.
    found.set(Number(row[1]), {
      pid: Number(row[1]),
      parent: Number(row[2]),
      session: Number(row[3]),
      start: Date.parse(row[5] as string) / 1000,
    });
  }
  return found;
}

function psEnvironment(pid: number): string {
  return spawnSync('ps', ['-Eww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}
