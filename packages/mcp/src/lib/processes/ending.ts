// Ending all processes of commands. However many commands are being ended, one sweep looks after them all: a look at
// everything that runs costs milliseconds, and one for each command would leave the server no time for anything else.
import { setTimeout as sleep } from 'node:timers/promises';
import { look, type Running, type Snapshot } from './scan.ts';
import { members, signalAll, type Trace } from './tree.ts';

/** Milliseconds after the first SIGKILL after which what still lives is given up. */
const GIVE_UP = 2000;

/** Commands that one caller wants ended. */
interface Ending {
  readonly traces: readonly Trace[];
  readonly signal: NodeJS.Signals;
  /** who has had the signal: pid -> start */
  readonly told: Map<number, number>;
  /** `performance.now()` at which SIGKILL follows, and after the first one, at which it is over */
  readonly killAt: number;
  giveUpAt: number;
  /** sweeps so far in which something was signalled */
  rounds: number;
  /** true once a look at everything was about this one too */
  seen: boolean;
  /** true while nothing is found: a look at everything has to confirm that */
  quiet: boolean;
  readonly resolve: (left: Running[]) => void;
}

const endings = new Set<Ending>();
let sweeping = false;
/** Pids that belong to none of the endings that were seen, so that they need no second look. */
let foreign = new Set<number>();

/**
 * Ends every process of the commands: `signal` first, SIGKILL for what is left after `graceMs`. Processes that appear
 * meanwhile are ended too. Resolves to what could not be ended within two seconds of the SIGKILL (another user's, or stuck in
 * the kernel): normally nothing. Never rejects.
 */
export function endTrees(traces: readonly Trace[], signal: NodeJS.Signals, graceMs: number): Promise<Running[]> {
  if (traces.length === 0) return Promise.resolve([]);
  const { promise, resolve } = Promise.withResolvers<Running[]>();
  const killAt = performance.now() + (signal === 'SIGKILL' ? 0 : graceMs);
  // In a namespace the first process gets no signal but SIGKILL: it counts as told.
  const told = new Map(traces.filter((each) => each.keeper).map((each) => [each.leader, each.start]));
  endings.add({ traces, signal, told, killAt, giveUpAt: Infinity, rounds: 0, seen: false, quiet: false, resolve });
  if (!sweeping) void sweep();
  return promise;
}

async function sweep(): Promise<void> {
  sweeping = true;
  await Promise.resolve(); // whoever ends several at once has them all in the first look
  let wholeAt = 0;
  for (let count = 1; endings.size > 0; count++) {
    const begun = performance.now();
    const known = [...endings].filter((each) => each.seen);
    let pause = known.length > 0 ? step(known, false) : 50;
    const spent = performance.now() - begun;
    // Looks at everything are for those that begin or seem to be over, and now and then for all, as numbers are given out again.
    const due = count % 100 === 0 || [...endings].some((each) => !each.seen || each.quiet);
    if (due) pause = Math.min(pause, Math.max(wholeAt - performance.now(), 0));
    if (due && performance.now() >= wholeAt) {
      const before = performance.now();
      pause = step([...endings], true);
      wholeAt = performance.now() + 4 * (performance.now() - before);
    }
    await sleep(Math.max(pause, spent));
  }
  sweeping = false;
}

/** One look, and what follows of it for these endings. Returns the milliseconds until the next one is due. */
function step(these: readonly Ending[], whole: boolean): number {
  const now = tryLook(whole ? new Set() : foreign);
  if (!now) {
    giveUp();
    return 50;
  }
  const ours = new Set<number>();
  let pause = 50;
  for (const each of these) {
    const left = each.traces.flatMap((trace) => members(trace, now));
    for (const { pid } of left) ours.add(pid);
    pause = Math.min(pause, attend(each, left, whole));
  }
  // What was foreign a moment ago is foreign still: then only new processes are looked at. That is cheap, and quick enough to
  // catch one that forks faster than the whole table can be read.
  if (whole) foreign = new Set();
  for (const pid of now.all.keys()) if (!ours.has(pid)) foreign.add(pid);
  return pause;
}

/** A look, unless the system is out of descriptors: then there will be another one. */
function tryLook(skip: ReadonlySet<number>): Snapshot | undefined {
  try {
    return look(skip);
  } catch {
    return undefined;
  }
}

/** Without a look nothing is known, and no one waits for that for ever. */
function giveUp(): void {
  for (const each of endings) {
    if (performance.now() < each.killAt + GIVE_UP) continue;
    endings.delete(each);
    each.resolve([]);
  }
}

/** One step of one ending, given what lives of it. Returns the milliseconds until the next one is due. */
function attend(ending: Ending, left: readonly Running[], whole: boolean): number {
  const now = performance.now();
  if (whole && (left.length === 0 || now >= ending.giveUpAt)) {
    endings.delete(ending);
    ending.resolve([...left]);
    return 50;
  }
  ending.seen = true;
  ending.quiet = left.length === 0 || now >= ending.giveUpAt;
  if (ending.quiet) return 50;
  const round = ending.rounds++;
  if (now >= ending.killAt) {
    signalAll(left, 'SIGKILL');
    if (ending.giveUpAt === Infinity) ending.giveUpAt = now + GIVE_UP;
    return round < 5 ? 1 : 10;
  }
  const fresh = left.filter((each) => ending.told.get(each.pid) !== each.start);
  for (const each of fresh) ending.told.set(each.pid, each.start);
  signalAll(fresh, ending.signal);
  signalAll(fresh, 'SIGCONT'); // a stopped process takes no signal but SIGKILL
  return Math.min(4 * 2 ** Math.min(round, 4), 50, Math.max(ending.killAt - now, 1));
}
