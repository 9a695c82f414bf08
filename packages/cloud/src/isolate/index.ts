// Runs organizations' small JavaScript functions: a few threads, each a QuickJS WebAssembly engine, taking turns between organizations.
// A thread and not slices by the interrupt handler: one built-in (a sort, a join, a large regular expression) can hold an engine far
// longer than a slice without asking it, and a thread that does not answer can be ended.
import type { Worker } from 'node:worker_threads';
import { startThread } from '../core/thread.ts';
import type { Done, FailureKind, Task } from './worker.ts';

export interface IsolateOptions {
  /** threads; started when they are needed, ended when they have had nothing to do. Default 2 */
  readonly threads?: number;
  /** time of one call. Default 2000 */
  readonly milliseconds?: number;
  /** heap of one call, about. Default 16 MiB */
  readonly memoryBytes?: number;
  /** default 256 KiB */
  readonly stackBytes?: number;
  /** of an answer as JSON. Default 1 MiB */
  readonly outputBytes?: number;
}

export type Outcome =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly kind: FailureKind; readonly error: string };

export interface Isolates {
  /** Calls the default export of `source` with `input`. Rejects only with the signal's reason, and when it is closed. */
  run(org: string, source: string, input: unknown, signal: AbortSignal): Promise<Outcome>;
  /** Whether `source` can be run: what is wrong with it, or undefined. */
  check(org: string, source: string, signal: AbortSignal): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Job {
  readonly org: string;
  readonly task: Task;
  finish(done: Done): void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
  ready: boolean;
  watch: ReturnType<typeof setTimeout> | undefined;
}

type Code = typeof import('./worker.ts');

/** What a thread may take beyond a call's own time before it is ended: the time to copy in and out on a loaded machine. */
const GRACE_MS = 1000;
const IDLE_MS = 60_000;

export function createIsolates(options: IsolateOptions = {}): Isolates {
  const most = options.threads ?? 2;
  const limits = {
    milliseconds: options.milliseconds ?? 2000,
    memoryBytes: options.memoryBytes ?? 16 * 1_048_576,
    stackBytes: options.stackBytes ?? 262_144,
    outputBytes: options.outputBytes ?? 1_048_576,
  };
  const threads = new Set<Thread>();
  /** by organization, in the order of their turns */
  const waiting = new Map<string, Job[]>();
  let module: Promise<Code> | undefined;
  let closed = false;

  function start(code: Code): void {
    const worker = startThread(code.url, {
      name: code.WORKER,
      workerData: code.WORKER,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    const thread: Thread = { worker, job: undefined, ready: false, watch: undefined };
    threads.add(thread);
    worker.on('message', (message: 'ready' | Done) => {
      clearTimeout(thread.watch);
      thread.ready = true;
      const { job } = thread;
      thread.job = undefined;
      if (message !== 'ready') job?.finish(message);
      turn(code);
      if (thread.job === undefined) {
        thread.watch = setTimeout(() => end(code, thread), IDLE_MS);
        thread.watch.unref();
      }
    });
    const lost = (error?: Error): void => {
      if (!threads.has(thread)) return;
      end(code, thread, {
        ok: false,
        kind: 'error',
        error: `its thread ended${error === undefined ? '' : `: ${error.message}`}`,
      });
    };
    worker.on('error', lost);
    worker.on('exit', () => lost());
  }

  function end(code: Code, thread: Thread, done?: Done): void {
    threads.delete(thread);
    clearTimeout(thread.watch);
    void thread.worker.terminate();
    const { job } = thread;
    thread.job = undefined;
    if (done !== undefined) {
      // one that cannot start would be started for ever
      const failed = thread.ready ? job : shift();
      failed?.finish(done);
    }
    turn(code);
  }

  /** The next job: organizations one after another, so that one with many does not hold up the others. */
  function shift(): Job | undefined {
    const [next] = waiting;
    if (next === undefined) return undefined;
    const [org, jobs] = next;
    const job = jobs.shift();
    waiting.delete(org);
    if (jobs.length > 0) waiting.set(org, jobs);
    return job;
  }

  function turn(code: Code): void {
    if (closed) return;
    for (const thread of threads) {
      if (!thread.ready || thread.job !== undefined) continue;
      const job = shift();
      if (job === undefined) return;
      thread.job = job;
      clearTimeout(thread.watch);
      thread.watch = setTimeout(() => {
        end(code, thread, { ok: false, kind: 'time', error: `it ran longer than ${job.task.milliseconds} ms` });
      }, job.task.milliseconds + GRACE_MS);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
      thread.worker.postMessage(job.task);
    }
    const starting = [...threads].filter(({ ready }) => !ready).length;
    const wanted = [...waiting.values()].reduce((sum, jobs) => sum + jobs.length, 0);
    for (let n = starting; n < wanted && threads.size < most; n++) start(code);
  }

  async function ask(org: string, task: Task, signal: AbortSignal): Promise<Done> {
    // loaded here as well, so that a build gives the thread a file of its own and knows where it is
    module ??= import('./worker.ts');
    const code = await module;
    return new Promise((resolve, reject) => {
      if (closed) throw new Error('the isolates are closed');
      signal.throwIfAborted();
      const job: Job = {
        org,
        task,
        finish(done) {
          signal.removeEventListener('abort', drop);
          resolve(done);
        },
      };
      function drop(): void {
        reject(signal.reason as Error);
        const jobs = waiting.get(org)?.filter((each) => each !== job) ?? [];
        if (jobs.length > 0) waiting.set(org, jobs);
        else waiting.delete(org);
        const busy = [...threads].find((each) => each.job === job);
        if (busy !== undefined) end(code, busy);
      }
      signal.addEventListener('abort', drop, { once: true });
      waiting.set(org, [...(waiting.get(org) ?? []), job]);
      turn(code);
    });
  }

  return {
    async run(org, source, input, signal) {
      const done = await ask(org, { ...limits, source, input: JSON.stringify(input ?? null) }, signal);
      return done.ok ? { ok: true, output: JSON.parse(done.output) as unknown } : done;
    },
    async check(org, source, signal) {
      const done = await ask(org, { ...limits, source }, signal);
      return done.ok ? undefined : done.error;
    },
    async close() {
      closed = true;
      const done: Done = { ok: false, kind: 'error', error: 'the plane is ending' };
      for (let job = shift(); job !== undefined; job = shift()) job.finish(done);
      await Promise.all(
        [...threads].map((thread) => {
          thread.job?.finish(done);
          threads.delete(thread);
          clearTimeout(thread.watch);
          return thread.worker.terminate();
        }),
      );
    },
  };
}
