// Keeps the state of a tree up to date: by watchers behind a fence where that is possible, else by looking at everything.
// It answers `sync` only when every change made before the call is known.
import path from 'node:path';
import type { Generation } from '../store/types.ts';
import { SearchError } from '../types.ts';
import { Crew } from './crew.ts';
import { lstatOf } from './disk.ts';
import { RULE_NAMES, ruleStamp, userPlaces, type UserPlaces } from './sources.ts';
import { TreeState } from './state.ts';
import { makeJob, SAME, type SweepJob } from './sweep.ts';
import { type FileStat, makeFileTable, pathOf } from './table.ts';
import type { Freshness, Overlay } from './types.ts';
import { Walker } from './walk.ts';
import { Watchers, type Touched, type WatchFunction } from './watch.ts';

export interface FreshnessOptions {
  /** absolute path */
  readonly root: string;
  /** what is compared with the tree; without one every file is `added` */
  readonly generation: Generation | undefined;
  /** false: look at every file in each `sync`. Watchers are used on Linux only: elsewhere nothing proves that they told all */
  readonly watch: boolean;
  /** threads for sweeps; 0 does all on the caller's */
  readonly threads: number;
  /** the caller's thread takes part in sweeps, and is blocked by them: for processes that do nothing else meanwhile */
  readonly shareMain?: boolean;
  /** the threads, if they are shared with others: then it is they who end them */
  readonly crew?: Crew;
  /** a folder (not in the tree) in which the fence makes its files */
  readonly cookieFolder: string;
  readonly places?: UserPlaces;
  /** stands for `fs.watch` */
  readonly watchFunction?: WatchFunction;
  /** milliseconds after which a query with watchers is followed by a sweep all the same; default 60,000 */
  readonly sweepEvery?: number;
}

/** How long the event loop may be held while watchers are set up. */
const SLICE = 5;
/** Milliseconds before watchers are tried again. */
const RETRY = 60_000;

export function createFreshness(options: FreshnessOptions): Promise<Freshness> {
  const fresh = new Fresh(options);
  fresh.start();
  return Promise.resolve(fresh);
}

class Fresh implements Freshness {
  readonly #options: FreshnessOptions;
  readonly #places: UserPlaces;
  readonly #state: TreeState;
  readonly #crew: Crew;
  #walker: Walker;
  #watchers: Watchers | undefined;
  /** all watchers stand, and a sweep came after */
  #standing = false;
  #triedAt = 0;
  #sweptAt = 0;
  #closed = false;
  /** the tree must be walked anew: rules or the root are not what they were */
  #stale: boolean;
  #rootId = '';
  #unwatched: { readonly rules: unknown; readonly size: number; readonly files: readonly string[] } | undefined;
  #running: Promise<Overlay> | undefined;
  #following: Promise<Overlay> | undefined;

  constructor(options: FreshnessOptions) {
    this.#options = options;
    this.#places = options.places ?? userPlaces();
    this.#state = new TreeState(options.generation);
    this.#crew = options.crew ?? new Crew(options.threads, options.shareMain === true);
    this.#walker = new Walker(options.root, this.#places);
    this.#stale = options.generation === undefined;
    this.#rootId = idOf(lstatOf(this.#walker.root));
  }

  get mode(): 'watch' | 'sweep' {
    return this.#standing ? 'watch' : 'sweep';
  }

  get dirty(): number {
    return this.#state.pending;
  }

  start(): void {
    if (this.#options.watch && process.platform === 'linux') void this.#watchAll();
  }

  sync(signal?: AbortSignal): Promise<Overlay> {
    if (this.#closed) return Promise.reject(new SearchError('CLOSED', 'the index is closed'));
    if (signal?.aborted) return Promise.reject(aborted());
    const answer = this.#next();
    if (!signal) return answer;
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(aborted());
      signal.addEventListener('abort', stop, { once: true });
      answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  noteChanged(segment: number, file: number): void {
    this.#state.noteChanged(segment, file);
  }

  facts(): ReturnType<Freshness['facts']> {
    return this.#state.facts();
  }

  close(): void {
    this.#closed = true;
    this.#dropWatchers();
    if (!this.#options.crew) this.#crew.close();
  }

  /** An update that begins after now: the one that runs may have looked before. All who wait share the next. */
  #next(): Promise<Overlay> {
    if (!this.#running) {
      const running = this.#update().finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
      return (this.#running = running);
    }
    const before = this.#running;
    this.#following ??= before
      .catch(() => undefined)
      .then(() => {
        this.#following = undefined;
        return this.#next();
      });
    return this.#following;
  }

  async #update(): Promise<Overlay> {
    this.#checkRoot();
    if (this.#watchers?.failed) this.#dropWatchers();
    const watchers = this.#standing ? this.#watchers : undefined;
    if (watchers && (await watchers.fence()) && !watchers.lost && !watchers.failed) {
      for (const file of this.#unwatchedRules()) this.#checkRule(file);
      if (!this.#stale && this.#drain(watchers)) {
        if (performance.now() - this.#sweptAt > (this.#options.sweepEvery ?? RETRY)) this.#sweepLater();
        return this.#state.overlay();
      }
    }
    await this.#sweep();
    if (this.#options.watch && !this.#watchers && performance.now() - this.#triedAt > RETRY) this.start();
    return this.#state.overlay();
  }

  #sweepLater(): void {
    this.#sweptAt = performance.now();
    setImmediate(() => {
      if (this.#closed) return;
      // in turn with the updates: they must not change the state at the same time
      const running = (this.#running ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => this.#sweep())
        .then(() => this.#state.overlay())
        .finally(() => {
          if (this.#running === running) this.#running = undefined;
        });
      this.#running = running;
      running.catch(() => undefined);
    });
  }

  #checkRoot(): void {
    if (this.#closed) throw new SearchError('CLOSED', 'the index is closed');
    const stat = lstatOf(this.#walker.root);
    if (!stat?.isDirectory()) {
      this.#stale = true;
      this.#dropWatchers();
      throw new SearchError('NOT_FOUND', `${this.#options.root} is not there any more, or not a directory`);
    }
    const id = idOf(stat);
    if (id === this.#rootId) return;
    this.#rootId = id;
    this.#stale = true;
    this.#dropWatchers();
  }

  /** Is a rule file another than the one that was read? */
  #checkRule(file: string): void {
    const now = ruleStamp(file);
    const known = this.#state.rules.get(file);
    if (now.ctime !== (known?.ctime ?? 0) || now.ino !== (known?.ino ?? 0)) this.#stale = true;
  }

  /** Rule files that no watcher tells of: those outside the watched directories, and links, which may lead there. */
  #unwatchedRules(): readonly string[] {
    const { rules } = this.#state;
    if (this.#unwatched?.rules !== rules || this.#unwatched.size !== rules.size) {
      const inTree = (file: string): boolean => {
        const relative = path.relative(this.#walker.root, path.dirname(file));
        return this.#state.hasDirectory(relative) && lstatOf(file)?.isSymbolicLink() === false;
      };
      this.#unwatched = { rules, size: rules.size, files: [...rules.keys()].filter((file) => !inTree(file)) };
    }
    return this.#unwatched.files;
  }

  /** Looks at everything. */
  async #sweep(): Promise<void> {
    const { root } = this.#walker;
    for (;;) {
      if (this.#closed) throw new SearchError('CLOSED', 'the index is closed');
      const watchers = this.#watchers;
      if (watchers) watchers.lost = false;
      if (this.#stale) await this.#walkAnew();
      const { segments, gone } = this.#state;
      const jobs = segments.map(({ files }, i) => makeJob(root, files, false, gone[i]));
      // the threads are at work on the files while the rest is made ready
      const files = this.#crew.sweep(jobs);
      for (const file of this.#state.rules.keys()) this.#checkRule(file);
      const known = this.#state.directories();
      const directories = makeFileTable(
        known.map((each) => each.path),
        known.map(({ ctime, ino }) => ({ ctime, ino, size: 0 })),
      );
      const above = makeJob(root, directories, true);
      await Promise.all([files, this.#crew.sweep([above])]);
      // rules are other ones: a walk tells what is searched by them, and files it brings were not looked at
      if (this.#stale) continue;
      if (this.#closed) throw new SearchError('CLOSED', 'the index is closed');
      for (let i = 0; i < known.length; i++) {
        const directory = known[i]!.path;
        if (above.found[i] === SAME || !this.#state.hasDirectory(directory)) continue;
        // if it is another directory of the same name, the watcher is still with the old one
        watchers?.remove(directory);
        this.#read(directory, false);
      }
      for (const [segment, job] of jobs.entries()) await this.#take(segment, job);
      await this.#lookAtDirty();
      if (this.#stale) continue;
      this.#sweptAt = performance.now();
      return;
    }
  }

  async #take(segment: number, job: SweepJob): Promise<void> {
    const { files } = this.#state.segments[segment]!;
    let until = performance.now() + SLICE;
    for (let i = 0; i < files.count; i++) {
      if (job.found[i] === SAME) continue;
      this.#look(pathOf(files, i));
      if (performance.now() > until) until = await this.#pause();
    }
  }

  /** Lets others have a turn; resolves to when the next one is due. */
  async #pause(): Promise<number> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#closed) throw new SearchError('CLOSED', 'the index is closed');
    return performance.now() + SLICE;
  }

  /** Looks at one file that was searched so far. */
  #look(file: string): void {
    if (!this.#state.hasFile(file)) return;
    const stat = this.#statOf(file);
    if (stat === undefined) this.#state.dropFile(file);
    else this.#state.putFile(file, stat, Date.now());
  }

  async #lookAtDirty(): Promise<void> {
    let until = performance.now() + SLICE;
    // a copy: looking puts files in their places anew
    for (const file of Array.from(this.#state.dirty.keys())) {
      this.#look(file);
      if (performance.now() > until) until = await this.#pause();
    }
  }

  #statOf(file: string): FileStat | undefined {
    const stat = lstatOf(this.#walker.full(file));
    return stat?.isFile() ? { ctime: stat.ctimeMs, size: stat.size, ino: stat.ino } : undefined;
  }

  async #walkAnew(): Promise<void> {
    this.#stale = false;
    this.#walker = new Walker(this.#options.root, this.#places);
    const walked = await this.#crew.walk(this.#walker.root, this.#places);
    const before = this.#state.directories();
    let until = performance.now() + SLICE;
    for (const steps = this.#state.reset(walked); steps.next().done !== true;) {
      if (performance.now() > until) until = await this.#pause();
    }
    const watchers = this.#watchers;
    if (!watchers) return;
    for (const { path: each } of before) if (!this.#state.hasDirectory(each)) watchers.remove(each);
    // what changed in them since the walk is seen by the sweep that follows
    if (this.#standing) for (const { path: each } of this.#state.directories()) this.#watch(each);
  }

  /** Lists a directory and takes what is new; goes on with directories that were entered. `every`: known files may differ. */
  #read(directory: string, every: boolean): void {
    const pending = [directory];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      // first the watcher, then the look: what changes in between is told or seen
      this.#watch(next);
      const listing = this.#walker.list(next);
      if (listing.stamp && this.#rulesDiffer(next, listing.ruleNames)) this.#stale = true;
      const { entered, left } = this.#state.applyListing(listing, (file) => this.#statOf(file), Date.now(), every);
      for (const each of left) this.#watchers?.remove(each);
      pending.push(...entered);
    }
  }

  /** Has an ignore file come to a directory that was read without it? (That one went or changed is seen by its stamp.) */
  #rulesDiffer(directory: string, names: ReadonlySet<string>): boolean {
    for (const name of names) {
      const file = path.join(this.#walker.full(directory), name);
      const known = this.#state.rules.get(file);
      if (known ? known.ctime === 0 : this.#state.hasDirectory(directory)) return true;
      // a directory that is new brings its own rules, and the walker reads them now
      if (!known) this.#state.addRule(ruleStamp(file));
    }
    return false;
  }

  #watch(directory: string): void {
    const watchers = this.#watchers;
    if (!watchers) return;
    try {
      watchers.add(directory, this.#walker.full(directory));
    } catch {
      watchers.failed = true;
    }
  }

  /** Takes what the watchers told. False if that is not enough to know the tree. */
  #drain(watchers: Watchers): boolean {
    // directories to list, and whether their known files must be looked at too
    const again = new Map<string, boolean>();
    for (const [directory, told] of watchers.take()) this.#takeEvents(watchers, directory, told, again);
    for (const [directory, every] of again) if (this.#state.hasDirectory(directory)) this.#read(directory, every);
    return !this.#stale && !watchers.failed && !watchers.lost;
  }

  #takeEvents(watchers: Watchers, directory: string, told: Touched, again: Map<string, boolean>): void {
    if (!this.#state.hasDirectory(directory)) return;
    const list = (each: string): void => void (again.has(each) || again.set(each, false));
    if (told.self) {
      // it may have been removed and made again, and the watcher with the old one
      watchers.remove(directory);
      again.set(directory, true);
    }
    for (const [name, moved] of told.names) {
      const entry = directory === '' ? name : `${directory}/${name}`;
      if (RULE_NAMES.has(name)) {
        this.#checkRule(this.#walker.full(entry));
        list(directory);
        continue;
      }
      if (this.#state.hasDirectory(entry)) {
        if (moved) {
          for (const each of this.#state.leave(entry)) watchers.remove(each);
          list(directory);
        } else list(entry);
        continue;
      }
      const stat = this.#state.hasFile(entry) ? this.#statOf(entry) : undefined;
      if (stat) this.#state.putFile(entry, stat, Date.now());
      else {
        // something that rules leave out may be asked for by a glob
        this.#state.touch();
        list(directory);
      }
    }
  }

  /** Sets watchers on all directories, then sweeps, so that nothing falls between. */
  async #watchAll(): Promise<void> {
    this.#triedAt = performance.now();
    const watchers = new Watchers(this.#options.cookieFolder, this.#options.watchFunction);
    this.#watchers = watchers;
    const current = (): boolean => this.#watchers === watchers && !watchers.failed && !this.#closed;
    try {
      watchers.open();
      if (this.#stale) await this.#next();
      for (;;) {
        const missing = this.#state.directories().filter(({ path: directory }) => !watchers.has(directory));
        let news = false;
        let until = performance.now() + SLICE;
        for (const { path: directory } of missing) {
          if (performance.now() > until) {
            await new Promise((resolve) => setImmediate(resolve));
            until = performance.now() + SLICE;
            if (!current()) return;
          }
          if (!this.#state.hasDirectory(directory)) continue;
          watchers.add(directory, this.#walker.full(directory));
          news ||= watchers.has(directory);
        }
        if (!news) break;
        await this.#next();
        if (!current()) return;
      }
      this.#standing = true;
    } catch {
      if (this.#watchers === watchers) this.#dropWatchers();
      else watchers.close();
    }
  }

  #dropWatchers(): void {
    this.#standing = false;
    this.#triedAt = performance.now();
    this.#watchers?.close();
    this.#watchers = undefined;
  }
}

function idOf(stat: { readonly dev: number; readonly ino: number } | undefined): string {
  return stat ? `${stat.dev} ${stat.ino}` : '';
}

function aborted(): SearchError {
  return new SearchError('ABORTED', 'the search was stopped');
}
