// Has the index built: after the first answer, when much has changed, or when it is asked for. Queries never wait for it.
import type { Generation } from '../store/types.ts';
import { type Progress, SearchError, type Status } from '../types.ts';
import { buildDelta, buildWhole, type Site, TooLarge } from './building.ts';
import type { Current, Held } from './held.ts';

/** More files than this that differ are worth a segment of their own. */
const WORTH_A_SEGMENT = 256;
/** Segments, and part of the files in those after the first, at which the index is built anew. */
const MOST_SEGMENTS = 8;
const MOST_IN_DELTAS = 0.2;
/** How long a failed build is not tried again by itself. */
const AGAIN_MS = 60_000;
/** How soon it is looked whether another process's build is done. */
const LOCKED_MS = 500;

type Listener = (progress: Progress) => void;

export interface BuildOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: Listener;
}

export class Builder {
  readonly #site: Site;
  readonly #current: Current;
  readonly #auto: boolean;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<Listener>();
  #running: Promise<void> | undefined;
  #progress: Progress | undefined;
  /** why there is none */
  #reason: string | undefined;
  #failed = false;
  #notBefore = 0;

  constructor(site: Site, current: Current, auto: boolean) {
    this.#site = site;
    this.#current = current;
    this.#auto = auto;
  }

  /** Builds or renews; resolves when what was built is in use. */
  async build({ signal, onProgress }: BuildOptions): Promise<void> {
    if (onProgress) this.#listeners.add(onProgress);
    try {
      await this.#running?.catch(() => undefined);
      while (!(await this.#start(signal))) await this.#pause(signal);
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  /** After an answer: is it time to build? */
  consider(held: Held | undefined): void {
    if (!this.#auto || this.#running || this.#closing.signal.aborted || Date.now() < this.#notBefore) return;
    if (held && held.freshness.dirty <= WORTH_A_SEGMENT) return;
    this.#notBefore = Date.now() + LOCKED_MS;
    // what goes wrong is told by the status
    setImmediate(() => void this.#start(undefined).catch(() => undefined)).unref();
  }

  /** The index was found damaged. */
  damaged(error: Error): void {
    this.#reason = error.message;
    this.#notBefore = 0;
  }

  status(held: Held | undefined): Omit<Status, 'root' | 'freshness' | 'dirty'> {
    const { folder } = this.#site;
    const reason = this.#reason === undefined ? {} : { reason: this.#reason };
    const progress = this.#progress ? { progress: this.#progress } : {};
    if (!held) {
      const index = this.#running ? ('building' as const) : this.#failed ? ('off' as const) : ('none' as const);
      return { index, folder, ...reason, ...progress };
    }
    const { generation } = held;
    return {
      index: 'ready',
      folder,
      generation: generation.number,
      files: filesIn(generation),
      bytes: generation.bytes,
      builtAt: generation.builtAt,
      ...reason,
      ...progress,
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running?.catch(() => undefined);
  }

  /** False if another process builds. */
  async #start(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#running) {
      await this.#running;
      return true;
    }
    const ended = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    if (ended.aborted) throw this.#endedBy(signal);
    let built = false;
    this.#running = this.#work(ended).then((done) => {
      built = done;
    });
    try {
      await this.#running;
      this.#failed = false;
      if (built) this.#reason = undefined;
    } catch (error) {
      if (ended.aborted) throw this.#endedBy(signal);
      this.#failed = true;
      this.#reason = error instanceof Error ? error.message : String(error);
      this.#notBefore = error instanceof TooLarge ? Infinity : Date.now() + AGAIN_MS;
      throw error;
    } finally {
      this.#running = undefined;
      this.#progress = undefined;
    }
    return built;
  }

  async #work(signal: AbortSignal): Promise<boolean> {
    const { takeLock } = await import('../store/lock.ts');
    const site = this.#site;
    site.prepare();
    const lock = takeLock(site.folder);
    if (!lock) return false;
    try {
      await this.#current.settle();
      const { held } = this.#current;
      const told = (progress: Progress): void => this.#tell(progress);
      held?.enter();
      try {
        if (held && !this.#isWorn(held)) await buildDelta(site, held, lock, signal, told);
        else await buildWhole(site, lock, signal, told);
      } finally {
        held?.leave();
      }
    } finally {
      lock.release();
    }
    await this.#current.settle();
    site.tidy();
    return true;
  }

  /** Are there so many changes that all is better built anew? */
  #isWorn({ generation, freshness }: Held): boolean {
    const [, ...deltas] = generation.segments;
    const later = deltas.reduce((sum, segment) => sum + segment.files.count, freshness.dirty);
    return (
      generation.segments.length >= MOST_SEGMENTS ||
      later > MOST_IN_DELTAS * Math.max(filesIn(generation), WORTH_A_SEGMENT)
    );
  }

  #tell(progress: Progress): void {
    this.#progress = progress;
    for (const listener of this.#listeners) listener(progress);
  }

  #endedBy(signal: AbortSignal | undefined): SearchError {
    return signal?.aborted
      ? new SearchError('ABORTED', 'the build was ended')
      : new SearchError('CLOSED', 'the index is closed');
  }

  async #pause(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted || this.#closing.signal.aborted) throw this.#endedBy(signal);
    await new Promise<void>((resolve) => {
      setTimeout(resolve, LOCKED_MS);
    });
  }
}

/** Files that a generation answers for. */
function filesIn(generation: Generation): number {
  let count = 0;
  for (const [at, { files }] of generation.segments.entries()) {
    count += files.count;
    for (let bits of generation.dead[at]!) for (; bits !== 0; bits &= bits - 1) count--;
  }
  return count;
}
