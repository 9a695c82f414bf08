// The processes that belong to a command, however far they ran from it, and signals to them.
import { look, type Marks, type Running, runningPid, type Snapshot, startOf } from './scan.ts';

/** How a command's processes are recognised. `known` grows with every look. */
export interface Trace {
  /** the process that leads the command's session and group */
  readonly leader: number;
  /** its start; nothing older belongs to the command */
  readonly start: number;
  readonly marks: Marks;
  /** pid -> start of every process seen to belong */
  readonly known: Map<number, number>;
  /** the leader only holds the others together and ends with them: it gets no signal but SIGKILL */
  readonly keeper: boolean;
}

const UNMARKED: Marks = { env: undefined, limit: undefined };

/** A trace of a process that was just started with `detached: true`. */
export function traceOf(pid: number, marks: Marks = UNMARKED, keeper = false): Trace {
  const start = startOf(pid) ?? 0;
  return { leader: pid, start, marks, known: new Map([[pid, start]]), keeper };
}

/**
 * The live processes of a command: those seen before, those that carry its mark, all their children, and all that share
 * a session with one of them. A session counts only while a process known to be in it lives, so that a number which
 * the system has given out again is never taken for ours.
 */
export function members(trace: Trace, now: Snapshot = look()): Running[] {
  const mine = new Map<number, Running>();
  const rest: Running[] = [];
  for (const each of now.all.values()) {
    if (each.start < trace.start || each.pid === process.pid) continue;
    if (trace.known.get(each.pid) === each.start || isMarked(trace.marks, now, each.pid)) mine.set(each.pid, each);
    else rest.push(each);
  }
  addRelatives(mine, rest);
  for (const each of mine.values()) trace.known.set(each.pid, each.start);
  return [...mine.values()];
}

function isMarked(wanted: Marks, now: Snapshot, pid: number): boolean {
  if (wanted.env === undefined && wanted.limit === undefined) return false;
  const { env, limit } = now.marks(pid);
  return (env !== undefined && env === wanted.env) || (limit !== undefined && limit === wanted.limit);
}

/** The session of this process, which never changes: it is nobody's but the server's. */
let ownSession: number | undefined;

function addRelatives(mine: Map<number, Running>, rest: readonly Running[]): void {
  if (mine.size > 0) ownSession ??= runningPid(process.pid)?.session;
  for (let grew = mine.size > 0; grew;) {
    grew = false;
    const sessions = new Set([...mine.values()].map((each) => each.session));
    if (ownSession !== undefined) sessions.delete(ownSession);
    for (const each of rest) {
      if (mine.has(each.pid) || !(mine.has(each.parent) || sessions.has(each.session))) continue;
      mine.set(each.pid, each);
      grew = true;
    }
  }
}

/** Sends `signal` to each process that still is the one that was seen. Returns how many were reached. */
export function signalAll(processes: readonly Running[], signal: NodeJS.Signals): number {
  let reached = 0;
  for (const each of processes) {
    if (runningPid(each.pid)?.start !== each.start) continue;
    try {
      process.kill(each.pid, signal);
      reached++;
    } catch {
      // It ended in between, or it changed its user: then it is found among the survivors.
    }
  }
  return reached;
}

/** SIGKILL to everything of these commands before returning: for the moments in which nothing can be awaited. */
export function killNow(traces: readonly Trace[]): void {
  for (let round = 0; round < 100; round++) {
    const now = look();
    const left = traces.flatMap((trace) => members(trace, now));
    if (left.length === 0) return;
    signalAll(left, 'SIGKILL');
  }
}
