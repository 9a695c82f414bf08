// Watchers on directories, and the fence that makes a hint of them into knowledge: all watchers of a thread share one queue
// of the kernel, so when the event of a file that was just made arrives, every earlier event has.
import { unlinkSync, watch, writeFileSync, type FSWatcher } from 'node:fs';
import path from 'node:path';

/**
 * So many events without a return to the loop may mean that the kernel's queue (16,384 events by default) ran over, which
 * nothing reports.
 */
const BURST = 8192;
/** Names that are remembered; beyond it a sweep is cheaper. */
const MOST_NAMES = 20_000;
/** Milliseconds to wait for the fence's event. */
const PATIENCE = 250;

export type WatchFunction = (
  directory: string,
  options: { persistent: boolean },
  listener: (event: string, name: string | null) => void,
) => FSWatcher;

/** What was told about one directory. */
export interface Touched {
  /** entries, and whether they came or went (true) or only changed */
  readonly names: Map<string, boolean>;
  /** the directory itself */
  self: boolean;
}

export class Watchers {
  readonly #watch: WatchFunction;
  readonly #fenceFolder: string;
  readonly #watchers = new Map<string, FSWatcher>();
  #fenceWatcher: FSWatcher | undefined;
  readonly #waiting = new Map<string, () => void>();
  #touched = new Map<string, Touched>();
  #names = 0;
  #burst = 0;
  #counting = false;
  #fences = 0;
  /** events may have been lost: only a sweep tells */
  lost = false;
  /** a watcher failed: none can be relied on */
  failed = false;

  constructor(fenceFolder: string, watchFunction: WatchFunction = watch) {
    this.#fenceFolder = fenceFolder;
    this.#watch = watchFunction;
  }

  /** Throws where there cannot be more watchers. */
  open(): void {
    this.#fenceWatcher = this.#watch(this.#fenceFolder, { persistent: false }, (_, name) => {
      this.#count();
      if (name !== null) this.#waiting.get(name)?.();
    });
    this.#fenceWatcher.on('error', () => (this.failed = true));
  }

  has(directory: string): boolean {
    return this.#watchers.has(directory);
  }

  /** Watches `directory` (its key) at `full`. A directory that is not there is passed over; throws where there is no room. */
  add(directory: string, full: string): void {
    if (this.#watchers.has(directory)) return;
    const own = path.basename(full);
    let watcher: FSWatcher;
    try {
      watcher = this.#watch(full, { persistent: false }, (event, name) => this.#note(directory, own, event, name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // what cannot be read has nothing to tell; that it can be read again is told by the directory above
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return;
      throw error;
    }
    watcher.on('error', () => (this.failed = true));
    this.#watchers.set(directory, watcher);
  }

  remove(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }

  /** What was told since the last call. */
  take(): Map<string, Touched> {
    const touched = this.#touched;
    this.#touched = new Map();
    this.#names = 0;
    return touched;
  }

  /** Resolves to true when all events of changes before the call have arrived, to false if that cannot be known. */
  async fence(): Promise<boolean> {
    const name = `fence-${process.pid}-${process.hrtime.bigint()}-${this.#fences++}`;
    const file = path.join(this.#fenceFolder, name);
    let timer: NodeJS.Timeout | undefined;
    try {
      const arrived = new Promise<boolean>((resolve) => {
        this.#waiting.set(name, () => resolve(true));
        timer = setTimeout(() => {
          // a busy loop runs its timers before it looks at events: they get one more chance
          setImmediate(() => setImmediate(() => resolve(false)));
        }, PATIENCE);
      });
      writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
      unlinkSync(file);
      return await arrived;
    } catch {
      this.failed = true;
      return false;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(name);
    }
  }

  close(): void {
    this.#fenceWatcher?.close();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #note(directory: string, own: string, event: string, name: string | null): void {
    this.#count();
    let touched = this.#touched.get(directory);
    if (!touched) this.#touched.set(directory, (touched = { names: new Map(), self: false }));
    // an event of the directory itself carries its own name
    if (name === null || name === own) touched.self = true;
    if (name === null) return;
    const moved = event === 'rename';
    if (!touched.names.has(name)) {
      if (++this.#names > MOST_NAMES) {
        this.lost = true;
        this.take();
        return;
      }
    }
    if (moved || !touched.names.has(name)) touched.names.set(name, moved);
  }

  #count(): void {
    if (++this.#burst >= BURST) this.lost = true;
    if (this.#counting) return;
    this.#counting = true;
    setImmediate(() => {
      this.#counting = false;
      this.#burst = 0;
    });
  }
}
