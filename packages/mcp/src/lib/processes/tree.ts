// The processes that belong to a command, however far they ran from it, and how all of them are ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { carries, type Marks, type Running, runningNow, runningPid } from './scan.ts';

/** How a command's processes are recognised. `known` grows with every look. */
export interface Trace {
  /** the process that leads the command's session and group */
  readonly leader: number;
  /** its start; nothing older belongs to the command */
  readonly start: number;
  readonly marks: Marks | undefined;
  /** pid -> start of every process seen to belong */
  readonly known: Map<number, number>;
}

/** A trace of a process that was just started with `detached: true`. */
export function traceOf(pid: number, marks: Marks | undefined): Trace {
  const start = runningPid(pid)?.start ?? 0;
  return { leader: pid, start, marks, known: new Map([[pid, start]]) };
}

/**
 * The live processes of a command: those seen before, those that carry its mark, all their children, and all that share
 * a session with one of them. A session counts only while a process known to be in it lives, so that a number which
 * the system has given out again is never taken for ours. `foreign` collects what does not belong, to be passed over.
 */
export function members(trace: Trace, foreign?: Set<number>): Running[] {
  const all = runningNow(foreign);
  const mine = new Map<number, Running>();
  const rest: Running[] = [];
  for (const each of all.values()) {
    if (each.pid === process.pid) continue;
    const seen = trace.known.get(each.pid) === each.start;
    if (seen || (each.start >= trace.start && trace.marks !== undefined && carries(each.pid, trace.marks))) {
      mine.set(each.pid, each);
    } else if (each.start >= trace.start) rest.push(each);
  }
  addRelatives(mine, rest);
  for (const each of mine.values()) trace.known.set(each.pid, each.start);
  for (const each of all.keys()) if (!mine.has(each)) foreign?.add(each);
  return [...mine.values()];
}

function addRelatives(mine: Map<number, Running>, rest: readonly Running[]): void {
  const own = runningPid(process.pid)?.session;
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
      // It ended in between, or it changed its user: the caller sees it among the survivors.
    }
  }
  return reached;
}

/**
 * Ends every process of a command: `signal` first, SIGKILL for what is left after `graceMs`. New processes that appear
 * meanwhile are ended too. Resolves to what could not be ended within two seconds of the SIGKILL (another user's, or stuck in
 * the kernel): normally nothing.
 */
export async function endTree(trace: Trace, signal: NodeJS.Signals, graceMs: number): Promise<Running[]> {
  let left = members(trace);
  if (signal !== 'SIGKILL') {
    const told = new Map<number, number>();
    const until = performance.now() + graceMs;
    for (let pause = 4; left.length > 0; pause = Math.min(pause * 2, 50)) {
      const fresh = left.filter((each) => told.get(each.pid) !== each.start);
      for (const each of fresh) told.set(each.pid, each.start);
      signalAll(fresh, signal);
      signalAll(fresh, 'SIGCONT'); // a stopped process takes no signal but SIGKILL
      if (performance.now() >= until) break;
      await sleep(pause);
      left = members(trace);
    }
  }
  // What was foreign a moment ago is foreign still: only new processes are looked at, so that one which forks faster
  // than the whole table can be read is caught all the same.
  let foreign = new Set<number>();
  const until = performance.now() + 2000;
  for (let round = 1; left.length > 0 && performance.now() < until; round++) {
    signalAll(left, 'SIGKILL');
    await sleep(round < 5 ? 1 : 10);
    if (round % 50 === 0) foreign = new Set();
    left = members(trace, foreign);
  }
  return members(trace);
}

/** SIGKILL to everything of these commands before returning: for the moments in which nothing can be awaited. */
export function killNow(traces: readonly Trace[]): void {
  for (let round = 0; round < 50; round++) {
    const left = traces.flatMap((trace) => members(trace));
    if (left.length === 0) return;
    signalAll(left, 'SIGKILL');
  }
}
