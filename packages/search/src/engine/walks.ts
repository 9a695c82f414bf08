// A walk over the tree on a thread, in slices: what it finds is sent on in chunks while it goes on.
import { makeFileTable, sortPaths } from '../tree/table.ts';
import type { UserPlaces } from '../tree/sources.ts';
import type { Excluded, FileTable, Stamp, TreeFacts } from '../tree/types.ts';
import { walkBelow, Walker, type Listing } from '../tree/walk.ts';
import { STOP } from './job.ts';

/** Files of the first chunk; each is twice the one before, up to the last size: the first results soon, then few messages. */
const FIRST_CHUNK = 256;
const LAST_CHUNK = 4096;

export interface WalkJob {
  readonly root: string;
  readonly places: UserPlaces;
  /** relative to the root, '' for all of it */
  readonly directory: string;
  /** the query's globs, if there are any */
  readonly globs: readonly string[] | undefined;
  /** what a generation is published with is asked for */
  readonly facts: boolean;
  /** the walk ends after so many files, and says so */
  readonly most: number;
  readonly control: Int32Array;
}

/** Some files, or, as the last chunk, what else a walk found. */
export interface WalkChunk {
  /** sorted */
  readonly table: FileTable;
  readonly last?: {
    readonly facts: TreeFacts | undefined;
    readonly unnamed: readonly string[];
    /** there are more files than were asked for */
    readonly more: boolean;
  };
}

export class WalkTask {
  readonly #job: WalkJob;
  readonly #send: (chunk: WalkChunk) => void;
  readonly #walker: Walker;
  readonly #listings: Iterator<Listing>;
  readonly #startedAt = Date.now();
  readonly #directories: Stamp[] = [];
  readonly #excluded: Excluded[] = [];
  readonly #unnamed: string[] = [];
  #files: string[] = [];
  #count = 0;
  #chunk = FIRST_CHUNK;

  constructor(job: WalkJob, send: (chunk: WalkChunk) => void, listings: (walker: Walker) => Iterator<Listing>) {
    this.#job = job;
    this.#send = send;
    this.#walker = new Walker(job.root, job.places);
    this.#listings = listings(this.#walker);
  }

  static async start(job: WalkJob, send: (chunk: WalkChunk) => void): Promise<WalkTask> {
    const { directory } = job;
    const globs = job.globs && (await import('../tree/glob.ts')).compileGlobs(job.globs);
    return new WalkTask(job, send, (walker) => walkBelow(walker, directory, globs));
  }

  /** Walks until `until`; false when all is sent. */
  step(until: number): boolean {
    do {
      const next = this.#listings.next();
      const stopped = Atomics.load(this.#job.control, STOP) !== 0;
      if (next.done || stopped || this.#count > this.#job.most) {
        this.#flush(this.#count > this.#job.most);
        return false;
      }
      this.#take(next.value);
    } while (performance.now() < until);
    return true;
  }

  #take(listing: Listing): void {
    for (const file of listing.files) this.#files.push(file);
    this.#count += listing.files.length;
    for (const each of listing.unnamed) this.#unnamed.push(each);
    if (this.#job.facts) {
      for (const each of listing.excluded) this.#excluded.push(each);
      if (listing.stamp) this.#directories.push(listing.stamp);
    }
    if (this.#files.length < this.#chunk) return;
    this.#chunk = Math.min(LAST_CHUNK, this.#chunk * 2);
    this.#send({ table: makeFileTable(sortPaths(this.#files)) });
    this.#files = [];
  }

  #flush(more: boolean): void {
    const facts = this.#job.facts
      ? {
          directories: sorted(this.#directories),
          excluded: sorted(this.#excluded),
          rules: this.#walker.rules,
          startedAt: this.#startedAt,
        }
      : undefined;
    this.#send({ table: makeFileTable(sortPaths(this.#files)), last: { facts, unnamed: this.#unnamed, more } });
  }
}

function sorted<T extends { readonly path: string }>(items: T[]): T[] {
  const byName = new Map(items.map((each) => [each.path, each]));
  return sortPaths([...byName.keys()]).map((path) => byName.get(path)!);
}
