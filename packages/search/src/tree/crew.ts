// The threads that sweep and walk for one tree: started when there is work, ended when there has been none for a while.
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../worker.ts';
import type { UserPlaces } from './sources.ts';
import { isDone, type SweepJob, work } from './sweep.ts';
import type { TreeAnswer, TreeTask } from './thread.ts';
import type { Walked } from './walk.ts';

/** Milliseconds without work after which threads end. */
const IDLE = 10_000;
/** Milliseconds that the main thread works before it lets others have a turn. */
const SLICE = 5;
/** Fewer entries are looked at on the spot. */
const FEW = 512;

export class Crew {
  readonly #size: number;
  readonly #shareMain: boolean;
  #threads: Worker[] = [];
  #idle: NodeJS.Timeout | undefined;
  #closed = false;
  #tasks = 0;

  /** `size` threads; with `shareMain` the caller's thread works with them. */
  constructor(size: number, shareMain: boolean) {
    this.#size = shareMain ? size - 1 : size;
    this.#shareMain = shareMain;
  }

  /** Starts the threads ahead of their work: they take longer to start than much of what is done meanwhile. */
  async warm(): Promise<void> {
    if (this.#size === 0) return;
    await this.#start();
    this.#rest();
  }

  /** Resolves when every entry of the jobs was looked at. Threads that run begin before this returns. */
  async sweep(jobs: readonly SweepJob[]): Promise<void> {
    const total = jobs.reduce((sum, job) => sum + job.table.count, 0);
    if (total > FEW && this.#size > 0) {
      const threads = this.#threads.length < this.#size ? await this.#start() : this.#threads;
      const answers = threads.map((each) => ask(each, { id: this.#tasks++, sweep: jobs }));
      // in slices all the same: what the caller does beside the sweep comes first, and the threads are at work already
      if (this.#shareMain) await this.#share(jobs);
      // a thread that is still starting need not be waited for
      if (!jobs.every(isDone)) await Promise.all(answers);
      this.#rest();
      if (jobs.every(isDone) || this.#closed) return;
      // a thread ended over its work: what it had taken is not known, and all is looked at again
      for (const job of jobs) Atomics.store(job.next, 0, 0);
    }
    await this.#share(jobs);
  }

  async #share(jobs: readonly SweepJob[]): Promise<void> {
    for (const job of jobs) {
      do await new Promise((resolve) => setImmediate(resolve));
      while (!work(job, performance.now() + SLICE));
    }
  }

  async walk(root: string, places: UserPlaces): Promise<Walked> {
    if (this.#size > 0 && !this.#shareMain) {
      const [thread] = await this.#start();
      const answer = await ask(thread!, { id: this.#tasks++, walk: { root, places } });
      this.#rest();
      if (answer?.walked) return answer.walked;
    }
    const { walk } = await import('./walk.ts');
    return walk(root, { places });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#idle);
    for (const thread of this.#threads.splice(0)) void thread.terminate();
  }

  async #start(): Promise<Worker[]> {
    clearTimeout(this.#idle);
    const { url, TREE_THREAD } = await import('./thread.ts');
    while (!this.#closed && this.#threads.length < this.#size) {
      const thread = startWorker(url, { workerData: { [TREE_THREAD]: true } });
      thread.unref();
      // one pair for each task that is not answered yet
      thread.setMaxListeners(0);
      const forget = (): void => {
        this.#threads = this.#threads.filter((each) => each !== thread);
      };
      thread.on('error', forget);
      thread.on('exit', forget);
      this.#threads.push(thread);
    }
    return [...this.#threads];
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      for (const thread of this.#threads.splice(0)) void thread.terminate();
    }, IDLE);
    this.#idle.unref();
  }
}

/** The answer of a thread; undefined if it ended instead. */
function ask(thread: Worker, task: TreeTask): Promise<TreeAnswer | undefined> {
  return new Promise((resolve) => {
    const end = (answer?: TreeAnswer): void => {
      thread.off('message', hear);
      thread.off('exit', gone);
      if (thread.listenerCount('message') === 0) thread.unref();
      resolve(answer);
    };
    const hear = (answer: TreeAnswer): void => {
      if (answer.id === task.id) end(answer);
    };
    const gone = (): void => end();
    // the process must not end over an answer that is waited for
    thread.ref();
    thread.on('message', hear);
    thread.on('exit', gone);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    thread.postMessage(task);
  });
}
