// Runs one search to its end, its deadline or its signal: on the calling thread while it is small, else on the pool's.
import type { Progress, SearchOptions } from '../types.ts';
import { DONE, type How, KNOWN, type Lot, makeControl, type SearchJob, STOP } from './job.ts';
import type { Pool } from './pool.ts';
import type { Part } from './rank.ts';
import { SearchTask } from './task.ts';
import { extrasFor, scannerFor } from './work.ts';
import { Verifier } from './verify.ts';

const DEADLINE_MS = 10_000;
/** Below both of these a search is done before threads are told of it. */
const SMALL_FILES = 48;
const SMALL_BYTES = 8 * 1024 * 1024;
/** How long the event loop is held at once. */
const SLICE_MS = 8;
/** A search that takes longer than this on the calling thread is worth starting threads for. */
const ALONE_MS = 40;
const PROGRESS_MS = 100;

export class Run {
  /** the deadline or the signal came first */
  partial = false;
  readonly #pool: Pool;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  readonly #controls: Int32Array[] = [];
  readonly #stops: (() => void)[] = [];
  #lent: Pick<SearchJob, 'results' | 'control'>[] = [];
  readonly #deadline: NodeJS.Timeout;
  readonly #ticker: NodeJS.Timeout | undefined;
  /** how many files there are, once that is known */
  total: number | undefined;
  /** a walk goes on, which is what takes the time */
  walking = false;

  constructor(pool: Pool, options: SearchOptions) {
    this.#pool = pool;
    this.#signal = options.signal;
    this.#onProgress = options.onProgress;
    this.#signal?.addEventListener('abort', this.#stop);
    this.#deadline = setTimeout(this.#stop, options.deadlineMs ?? DEADLINE_MS);
    if (this.#onProgress) this.#ticker = setInterval(() => this.#tick(), PROGRESS_MS);
    if (this.#signal?.aborted) this.#stop();
  }

  /** Everything that is under way ends as soon as it can. */
  readonly #stop = (): void => {
    this.partial = true;
    for (const control of this.#controls) Atomics.store(control, STOP, 1);
    for (const each of this.#stops.splice(0)) each();
  };

  /** Calls `stop` when the deadline or the signal comes, or now if it has come. */
  onStop(stop: () => void): void {
    if (this.partial) stop();
    else this.#stops.push(stop);
  }

  /** The answer is made: results are not read any more. */
  end(): void {
    // where a search was stopped, or failed, a thread may still write
    for (const { results, control } of this.#lent) {
      if (Atomics.load(control, DONE) === control[KNOWN]) this.#pool.stock.give(results);
    }
    this.#lent = [];
    clearTimeout(this.#deadline);
    clearInterval(this.#ticker);
    this.#signal?.removeEventListener('abort', this.#stop);
  }

  /** A control block that is stopped with this run. */
  control(items: number): Int32Array {
    const control = makeControl(items);
    if (this.partial) control[STOP] = 1;
    this.#controls.push(control);
    return control;
  }

  /** Searches the lots, of about `bytes` bytes together. */
  async search(how: How, lots: readonly Lot[], bytes: number): Promise<Part> {
    const items = lots.reduce((sum, lot) => sum + lot.files.length, 0);
    const results = this.#pool.stock.take(items, how.symbol !== undefined);
    const job: SearchJob = { how, lots, results, control: this.control(items) };
    this.#lent.push(job);
    if (items === 0) return { lots, results };
    const small = items <= SMALL_FILES && bytes <= SMALL_BYTES;
    if (small || !this.#pool.running) await this.#here(job, small);
    else await this.#pool.search(job);
    return { lots, results };
  }

  /** Searches on this thread, in slices; where that takes long, threads are started and help. */
  async #here(job: SearchJob, small: boolean): Promise<void> {
    const { how, control } = job;
    const task = new SearchTask(job, new Verifier(how, scannerFor(how), await extrasFor(how)));
    const begun = performance.now();
    let helpers: Promise<void> | undefined;
    while (task.step(performance.now() + SLICE_MS)) {
      if (!helpers && !small && performance.now() - begun > ALONE_MS) {
        helpers = this.#pool.search(job);
        helpers.catch(() => undefined);
      }
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
    if (helpers && Atomics.load(control, DONE) < control[KNOWN]!) await helpers;
  }

  #tick(): void {
    let done = 0;
    for (const control of this.#controls) done += Atomics.load(control, DONE);
    this.#onProgress?.({ phase: this.walking ? 'walk' : 'scan', done, total: this.total });
  }
}
