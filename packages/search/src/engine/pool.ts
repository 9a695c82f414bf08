// The threads of one engine: started when they are first needed, ended when they have had nothing to do for a while.
// They never keep a process alive by themselves.
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../worker.ts';
import type { Excerpt, ExcerptJob } from './excerpt.ts';
import type { SearchJob } from './job.ts';
import { type Answer, END, type Order, type Value } from './orders.ts';
import type { NamedJob, NamedResult } from './pieces.ts';
import { Stock } from './stock.ts';
import { type WalkChunk, type WalkJob, WalkTask } from './walks.ts';

/** Idle threads are ended after this time. */
const IDLE_MS = 60_000;
/** How long the event loop is held at once. */
const SLICE_MS = 8;
/** A thread that has not ended by itself after this time is ended. */
const PATIENCE_MS = 1000;

interface Waiting {
  left: number;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: Error) => void;
  readonly onChunk: ((chunk: WalkChunk) => void) | undefined;
}

interface Thread {
  readonly worker: Worker;
  /** orders that it has not answered */
  readonly open: Set<number>;
}

export class Pool {
  readonly size: number;
  readonly stock = new Stock();
  #threads: Thread[] = [];
  #starting: Promise<void> | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #ids = 0;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(size: number) {
    this.size = size;
  }

  /** True when orders are taken up without waiting for threads to start. */
  get running(): boolean {
    return this.#threads.length > 0;
  }

  /** Lets every thread work on the job; resolves when all of them have nothing left to claim. */
  async search(job: SearchJob): Promise<void> {
    await this.#start();
    await this.#send('all', (id) => ({ id, kind: 'search', job }));
  }

  async excerpt(job: ExcerptJob): Promise<Excerpt> {
    await this.#start();
    const value = await this.#send('one', (id) => ({ id, kind: 'excerpt', job }));
    if (!value) throw new Error('a thread gave no excerpt');
    return value;
  }

  /** Searches one file, of whatever size, on one thread. */
  async named(job: NamedJob): Promise<NamedResult> {
    await this.#start();
    const value = await this.#send('one', (id) => ({ id, kind: 'named', job }));
    if (!value || !('count' in value)) throw new Error('a thread gave no result');
    return value;
  }

  /**
   * Walks a tree; `onChunk` gets what it finds while it goes on. On a thread, but on the calling one, in slices, where none
   * is running: most trees are walked before one has started.
   */
  async walk(job: WalkJob, onChunk: (chunk: WalkChunk) => void): Promise<void> {
    if (this.running) await this.#send('one', (id) => ({ id, kind: 'walk', job }), onChunk);
    else await this.#walkHere(job, onChunk);
  }

  async #walkHere(job: WalkJob, onChunk: (chunk: WalkChunk) => void): Promise<void> {
    const task = await WalkTask.start(job, onChunk);
    while (task.step(performance.now() + SLICE_MS)) {
      // there is work for them soon
      this.#start().catch(() => undefined);
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      if (this.#closed) throw new Error('the pool is closed');
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#starting?.catch(() => undefined);
    await this.#end();
  }

  async #end(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    this.#starting = undefined;
    await Promise.all(threads.map(({ worker }) => ended(worker)));
  }

  #start(): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the pool is closed'));
    this.#starting ??= this.#create();
    return this.#starting;
  }

  async #create(): Promise<void> {
    const { THREAD, url } = await import('./thread.ts');
    if (this.#closed) throw new Error('the pool is closed');
    this.#threads = Array.from({ length: this.size }, () => {
      const worker = startWorker(url, { workerData: { [THREAD]: true } });
      const thread: Thread = { worker, open: new Set() };
      worker.on('message', (answer: Answer) => this.#answered(thread, answer));
      worker.on('error', (error: Error) => this.#lost(thread, error));
      worker.on('exit', () => this.#lost(thread, new Error('a search thread ended')));
      worker.unref();
      return thread;
    });
  }

  #send(
    to: 'all' | 'one',
    order: (id: number) => Order,
    onChunk?: (chunk: WalkChunk) => void,
  ): Promise<Value | undefined> {
    const id = ++this.#ids;
    const threads = to === 'all' ? this.#threads : [leastBusy(this.#threads)];
    if (threads.length === 0) return Promise.reject(new Error('the pool is closed'));
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { left: threads.length, resolve, reject, onChunk });
      for (const { worker, open } of threads) {
        open.add(id);
        worker.ref();
        worker.postMessage(order(id), []);
      }
    });
  }

  #answered(thread: Thread, answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (answer.kind === 'chunk') {
      waiting?.onChunk?.(answer.chunk);
      return;
    }
    thread.open.delete(answer.id);
    if (thread.open.size === 0) thread.worker.unref();
    if (!waiting) return;
    if (answer.kind === 'failed') {
      this.#waiting.delete(answer.id);
      const error = new Error(answer.message);
      if (answer.stack !== undefined) error.stack = answer.stack;
      waiting.reject(error);
    } else if (--waiting.left === 0) {
      this.#waiting.delete(answer.id);
      waiting.resolve(answer.value);
    }
    if (this.#waiting.size === 0 && !this.#closed) {
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS);
      this.#idle.unref();
    }
  }

  /** A thread that ended takes the others with it: all are started anew by the next order. */
  #lost(thread: Thread, error: Error): void {
    if (!this.#threads.includes(thread)) {
      if (!this.#closed) return;
    } else void this.#end();
    for (const [id, waiting] of this.#waiting) {
      this.#waiting.delete(id);
      waiting.reject(error);
    }
  }
}

/**
 * Ends a thread, and resolves when it is gone. It is asked to first: a thread that is terminated while it is at work can
 * take the process with it, or never tell that it is gone.
 */
function ended(worker: Worker): Promise<void> {
  if (worker.threadId < 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => void worker.terminate().then(() => resolve()), PATIENCE_MS);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    // who waits for the end must not lose the process over a thread that does not hold it
    worker.ref();
    worker.postMessage(END, []);
  });
}

function leastBusy(threads: readonly Thread[]): Thread {
  return threads.reduce((best, each) => (each.open.size < best.open.size ? each : best));
}
