// The engine on one tree: answers each query from the index where there is one, else by a scan, and keeps the lists.
import type { Crew } from '../tree/crew.ts';
import type { UserPlaces } from '../tree/sources.ts';
import { Walker } from '../tree/walk.ts';
import { DamagedError } from '../store/damaged.ts';
import {
  type IndexOptions,
  type Progress,
  type Query,
  SearchError,
  type SearchIndex,
  type SearchOptions,
  type Status,
  type SymbolQuery,
} from '../types.ts';
import type { Builder } from './builder.ts';
import type { Current } from './held.ts';
import type { Excerpt, ExcerptJob } from './excerpt.ts';
import type { FoundList } from './found.ts';
import { Lists } from './lists.ts';
import type { Pool } from './pool.ts';
import { type Prepared, prepare, type Settings, symbolQuery } from './query.ts';
import { readExcerpts } from './texts.ts';
import type { Tools } from './tools.ts';

export interface EngineParts {
  readonly settings: Settings;
  readonly threads: number;
  readonly pool: Pool;
  /** looks at the files of the tree */
  readonly crew: Crew;
  readonly places: UserPlaces;
  /** undefined: no index, and `reason` says why */
  readonly index: { readonly current: Current; readonly builder: Builder } | undefined;
  readonly reason: string | undefined;
  /** where the text of documents is kept */
  readonly documents: string | undefined;
  readonly options: IndexOptions;
  /** how many queries run, for a build to give way to */
  readonly busy: Int32Array;
}

export class Engine implements SearchIndex {
  readonly root: string;
  readonly #parts: EngineParts;
  readonly #pool: Pool;
  readonly #lists = new Lists();
  readonly #places: UserPlaces;
  readonly #running = new Set<Promise<unknown>>();
  readonly #accepts = new WeakMap<object, number>();
  #acceptCount = 0;
  #closed = false;
  readonly #closing = new AbortController();

  constructor(parts: EngineParts) {
    this.root = parts.settings.root;
    this.#parts = parts;
    this.#pool = parts.pool;
    this.#places = parts.places;
  }

  search(query: Query, options: SearchOptions = {}): Promise<FoundList> {
    return this.#guarded(() => this.#answer(query, options));
  }

  symbol(query: SymbolQuery, options: SearchOptions = {}): Promise<FoundList> {
    return this.#guarded(async () => {
      const globs = query.globs ?? (await import('./symbols.ts')).CODE_GLOBS;
      return this.#answer(symbolQuery(query, globs), options, query.name);
    });
  }

  async build(
    options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: Progress) => void } = {},
  ): Promise<void> {
    this.#check(options.signal);
    const { index, reason } = this.#parts;
    if (!index) throw new SearchError('NOT_FOUND', `there can be no index: ${reason}`);
    await index.builder.build(options);
  }

  status(): Status {
    const { index, reason } = this.#parts;
    const held = index?.current.held;
    const base = { root: this.root, dirty: held?.freshness.dirty ?? 0 };
    const freshness = held?.freshness.mode ?? (this.#parts.options.watch === false ? 'sweep' : 'watch');
    if (!index) return { ...base, index: 'off', ...(reason === undefined ? {} : { reason }), freshness };
    return { ...base, ...index.builder.status(held), freshness };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#closing.abort();
    await Promise.allSettled(this.#running);
    await this.#parts.index?.builder.close();
    this.#parts.index?.current.close();
    this.#parts.crew.close();
    this.#lists.clear();
    await this.#pool.close();
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closed) throw new SearchError('CLOSED', 'the index is closed');
    if (signal?.aborted) throw new SearchError('ABORTED', 'the search was ended before it began');
  }

  /** Runs a query so that `close` waits for it, and a build gives way to it. */
  async #guarded<T>(body: () => Promise<T>): Promise<T> {
    const { busy } = this.#parts;
    Atomics.add(busy, 0, 1);
    Atomics.notify(busy, 0);
    const running = body();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
      Atomics.sub(busy, 0, 1);
      Atomics.notify(busy, 0);
    }
  }

  async #answer(query: Query, given: SearchOptions, symbol?: string): Promise<FoundList> {
    this.#check(given.signal);
    const signal = given.signal ? AbortSignal.any([given.signal, this.#closing.signal]) : this.#closing.signal;
    const options = { ...given, signal };
    if (query.backtrack === true) {
      const { searchBacktracking } = await import('./backtracked.ts');
      const { settings, threads } = this.#parts;
      return searchBacktracking(query, settings, this.#places, threads, options, this.#tools(given));
    }
    const prepared = prepare(query, this.#parts.settings, symbol);
    if (prepared.file !== undefined) return this.#named(prepared, prepared.file, options);
    const held = await this.#parts.index?.current.take();
    this.#check(undefined);
    if (held) {
      held.enter();
      try {
        // what else is to be loaded is loaded while threads look at the tree
        const syncing = held.freshness.sync(options.signal);
        syncing.catch(() => undefined);
        const { searchIndexed } = await import('./indexed.ts');
        const found = await searchIndexed(held, syncing, prepared, options, this.#tools(given));
        if (found) {
          this.#parts.index?.builder.consider(held);
          return found;
        }
      } catch (error) {
        if (!(error instanceof DamagedError)) throw error;
        this.#parts.index?.current.drop();
        this.#parts.index?.builder.damaged(error);
      } finally {
        held.leave();
      }
    }
    const found = await this.#scan(prepared, prepared.directory ?? '', options);
    this.#parts.index?.builder.consider(this.#parts.index.current.held);
    return found;
  }

  async #scan(prepared: Prepared, directory: string, options: SearchOptions): Promise<FoundList> {
    const { searchStreamed } = await import('./streamed.ts');
    return searchStreamed(prepared, directory, this.root, this.#places, options, this.#tools(options));
  }

  async #named(prepared: Prepared, file: string, options: SearchOptions): Promise<FoundList> {
    const { searchNamed } = await import('./named.ts');
    return searchNamed(prepared, file, options, this.#tools(options));
  }

  #tools(options: SearchOptions): Tools {
    return {
      pool: this.#pool,
      lists: this.#lists,
      read: this.#read,
      walker: () => new Walker(this.root, this.#places),
      documents: this.#parts.documents,
      accept: options.accept ? this.#acceptId(options.accept) : '',
    };
  }

  readonly #read = async (jobs: readonly ExcerptJob[]): Promise<readonly Excerpt[]> => {
    if (this.#closed) throw new SearchError('CLOSED', 'the index is closed');
    return readExcerpts(this.#pool, jobs);
  };

  /** Names a function, so that lists are kept for each. */
  #acceptId(accept: (file: string, withheld: boolean) => boolean): string {
    let id = this.#accepts.get(accept);
    if (id === undefined) this.#accepts.set(accept, (id = ++this.#acceptCount));
    return String(id);
  }
}
