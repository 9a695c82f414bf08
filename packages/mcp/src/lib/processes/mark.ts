// The marks that a command hands on to every process it starts, so that none of them is lost sight of.
//
// Two of them. An environment variable: seen everywhere, but a program may clear its environment. A value of RLIMIT_LOCKS: Linux
// has not enforced this limit since 2.4.25 (getrlimit(2)), but it is inherited across fork, exec, setsid and `env -i`, its
// hard value cannot be raised again, and /proc/PID/limits shows it. Together they find what has left the group, the session, its
// parent and its environment behind.
import { spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { findProgram } from '../program.ts';
import { HAS_PROC, lockLimit, MARK_VARIABLE, type Marks } from './scan.ts';

/** Commands of one server that can be told apart by their limit; the watchdog relies on it being a power of ten. */
const SPAN = 1_000_000;
/** Limits are decimal numbers below this, so that a JavaScript number holds them exactly. */
const HIGHEST = 9_000_000_000_000_000;

/** Marks the commands of one server. */
export interface Marker {
  /** what the environment mark of every command of this server begins with */
  readonly envPrefix: string;
  /** what the limit of every command of this server begins with, in decimal, before six more digits; '' without that mark */
  readonly limitPrefix: string;
  /** the marks of the command with this number */
  marks(number: number): Marks;
  /** the argv that starts `argv` with its limit set */
  wrap(argv: readonly string[], marks: Marks): readonly string[];
}

/** Finds out which marks this machine can carry; `byLimit: false` leaves the limit alone. */
export function createMarker(byLimit = true): Marker {
  const server = randomBytes(12).toString('hex');
  const setter = byLimit && HAS_PROC ? limitSetter() : undefined;
  const base = setter ? limitBase() : undefined;
  return {
    envPrefix: `${MARK_VARIABLE}=${server}.`,
    limitPrefix: base === undefined ? '' : String(base / SPAN),
    marks: (number) => ({
      env: `${server}.${number}`,
      limit: base === undefined ? undefined : base + (number % SPAN),
    }),
    wrap: (argv, { limit }) => (setter && limit !== undefined ? [...setter(limit), ...argv] : argv),
  };
}

/** A number for this server below the mark that it carries itself, if it runs under another one: a limit only goes down. */
function limitBase(): number | undefined {
  const ceiling = Math.floor(Math.min(lockLimit('self') ?? HIGHEST, HIGHEST) / SPAN);
  return ceiling < 1000 ? undefined : randomInt(Math.floor(ceiling / 2), ceiling) * SPAN;
}

/** The argv before which a program starts with a limit: util-linux has prlimit, bash has ulimit -x. */
function limitSetter(): ((limit: number) => readonly string[]) | undefined {
  const prlimit = findProgram('prlimit');
  const bash = findProgram('bash');
  const ways: ((limit: number) => readonly string[])[] = [];
  if (prlimit) ways.push((limit) => [prlimit, `--locks=${limit}:${limit}`]);
  if (bash) ways.push((limit) => [bash, '-c', 'ulimit -x "$0" && exec "$@"', String(limit)]);
  const now = lockLimit('self') ?? HIGHEST;
  return ways.find((way) => {
    const [program = '', ...args] = way(now);
    return spawnSync(program, [...args, '/bin/sh', '-c', ':'], { stdio: 'ignore' }).status === 0;
  });
}
