// When the write-ahead log of a busy SQLite database is carried into its file.
import type { Worker } from 'node:worker_threads';
import { startThread } from '../core/thread.ts';

/** Writes after which it is carried. A plane that writes less than this starts no thread. */
const WRITES = 200;

export class Checkpoints {
  readonly #file: string;
  #worker: Promise<Worker | undefined> | undefined;
  #writes = 0;
  #busy = false;
  #closed = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** To be told of each transaction that was committed. */
  wrote(): void {
    this.#writes += 1;
    if (this.#writes < WRITES || this.#busy || this.#closed) return;
    this.#writes = 0;
    this.#busy = true;
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    void this.#worker.then((worker) => worker?.postMessage('carry'));
  }

  async #start(): Promise<Worker | undefined> {
    const { CHECKPOINTER, url } = await import('./checkpointer.ts');
    if (this.#closed) return undefined;
    const worker = startThread(url, { name: CHECKPOINTER, workerData: { [CHECKPOINTER]: this.#file } });
    worker.on('message', () => (this.#busy = false));
    // without it the writer carries the log, at its own limit
    worker.on('error', () => undefined);
    return worker;
  }

  /** Resolves when the thread has let go of the file. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const worker = await this.#worker;
    if (worker === undefined || worker.threadId === -1) return;
    const exited = new Promise((resolve) => void worker.once('exit', resolve));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    worker.postMessage('end');
    await exited;
  }
}
