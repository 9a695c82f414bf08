// The processes that belong to a command, however far they ran from it, and how all of them are ended.
import { setTimeout as sleep } from 'node:timers/promises';
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

function addRelatives(mine: Map<number, Running>, rest: readonly Running[]): void {
  const own = mine.size > 0 ? runningPid(process.pid)?.session : undefined;
  for (let grew = mine.size > 0; grew;) {
    grew = false;
    const sessions = new Set([...mine.values()].map((each) => each.session));
    if (own !== undefined) sessions.delete(own);
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

/**
 * Ends every process of the commands: `signal` first, SIGKILL for what is left after `graceMs`. Processes that appear
 * meanwhile are ended too. Resolves to what could not be ended within two seconds of the SIGKILL (another user's, or stuck in
 * the kernel): normally nothing.
 */
export async function endTrees(traces: readonly Trace[], signal: NodeJS.Signals, graceMs: number): Promise<Running[]> {
  // What was foreign a moment ago is foreign still: after the first look only new processes are looked at. That is cheap, and
  // quick enough to catch one that forks faster than the whole table can be read.
  let foreign = new Set<number>();
  let rounds = 0;
  const find = (): Running[] => {
    if (++rounds % 100 === 0) foreign = new Set(); // numbers are given out again
    const now = look(foreign);
    const found = traces.flatMap((trace) => members(trace, now));
    const ours = new Set(found.map((each) => each.pid));
    for (const pid of now.all.keys()) if (!ours.has(pid)) foreign.add(pid);
    return found;
  };
  const keepers = new Map(traces.filter((each) => each.keeper).map((each) => [each.leader, each.start]));
  let left = find();
  if (signal !== 'SIGKILL') {
    const told = new Map(keepers);
    const until = performance.now() + graceMs;
    for (let pause = 4; left.length > 0; pause = Math.min(pause * 2, 50)) {
      const fresh = left.filter((each) => told.get(each.pid) !== each.start);
      for (const each of fresh) told.set(each.pid, each.start);
      signalAll(fresh, signal);
      signalAll(fresh, 'SIGCONT'); // a stopped process takes no signal but SIGKILL
      if (performance.now() >= until) break;
      await sleep(pause);
      left = find();
    }
  }
  const until = performance.now() + 2000;
  for (let round = 1; left.length > 0 && performance.now() < until; round++) {
    signalAll(left, 'SIGKILL');
    await sleep(round < 5 ? 1 : 10);
    left = find();
  }
  foreign = new Set();
  return find();
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
