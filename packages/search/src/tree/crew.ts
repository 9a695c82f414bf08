// The threads that sweep and walk for one tree: started when there is work, ended when there has been none for a while.
import { Worker } from 'node:worker_threads';
import { type UserPlaces } from './sources.ts';
import { isDone, type SweepJob, work } from './sweep.ts';
import type { TreeAnswer, TreeTask } from './thread.ts';
import { walk, type Walked } from './walk.ts';

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

  /** `size` threads; with `shareMain` the caller's thread works with them, and is blocked meanwhile. */
  constructor(size: number, shareMain: boolean) {
    this.#size = shareMain ? size - 1 : size;
    this.#shareMain = shareMain;
  }

  /** Resolves when every entry of the jobs was looked at. */
  async sweep(jobs: readonly SweepJob[]): Promise<void> {
    const total = jobs.reduce((sum, job) => sum + job.table.count, 0);
    if (total > FEW && this.#size > 0) {
      const threads = await this.#start();
      const answers = threads.map((each) => ask(each, { id: this.#tasks++, sweep: jobs }));
      if (this.#shareMain) for (const job of jobs) work(job);
      // a thread that is still starting need not be waited for
      if (!jobs.every(isDone)) await Promise.all(answers);
      this.#rest();
      if (jobs.every(isDone) || this.#closed) return;
      // a thread ended over its work: what it had taken is not known, and all is looked at again
      for (const job of jobs) Atomics.store(job.next, 0, 0);
    }
    for (const job of jobs) {
      while (!work(job, this.#shareMain ? Infinity : performance.now() + SLICE)) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  async walk(root: string, places: UserPlaces): Promise<Walked> {
    if (this.#size > 0 && !this.#shareMain) {
      const [thread] = await this.#start();
      const answer = await ask(thread!, { id: this.#tasks++, walk: { root, places } });
      this.#rest();
      if (answer?.walked) return answer.walked;
    }
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
      const thread = new Worker(new URL(url), {
        workerData: { [TREE_THREAD]: true },
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true,
      });
      thread.unref();
      // one pair for each task that is not answered yet
      thread.setMaxListeners(0);
      thread.stdout.resume();
      thread.stderr.resume();
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
