// The answer to one query: columns in rank order, made into objects and texts only where they are asked for.
import { createHash } from 'node:crypto';
import { pathOf } from '../tree/table.ts';
import type { FileHits, Found, Hit, Page, Skipped } from '../types.ts';
import type { Excerpt, ExcerptJob } from './excerpt.ts';
import type { How } from './job.ts';
import type { Wanted } from './lines.ts';
import type { Ranked } from './rank.ts';

/** Reads what a page shows of some files. */
export type Read = (jobs: readonly ExcerptJob[]) => Promise<readonly Excerpt[]>;

/** Something found that is not a file of a table: a part of a document, or a file too large to be held. */
export interface Extra {
  readonly hits: FileHits;
  /** sorts parts of one file */
  readonly order: number;
  /** what of its state is not in `hits`, for the list's name */
  readonly name?: readonly number[] | undefined;
  read(wanted: Wanted): Promise<Excerpt>;
}

export interface Facts {
  readonly how: How;
  /** names the query in the list's id */
  readonly query: string;
  readonly ranked: Ranked;
  readonly extras: readonly Extra[];
  readonly partial: boolean;
  readonly skipped: readonly Skipped[];
  readonly by: 'index' | 'scan';
  readonly searched: number;
  readonly read: Read;
}

export class FoundList implements Found {
  readonly partial: boolean;
  readonly skipped: readonly Skipped[];
  readonly by: 'index' | 'scan';
  readonly searched: number;
  readonly total: number;
  readonly #facts: Facts;
  /** per place in the list: the number of the ranked file, or -1 - number of the extra */
  readonly #places: Int32Array;
  /** hits before each place, one more at the end */
  readonly #starts: Float64Array;
  #files: FileHits[] | undefined;
  #id: string | undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.partial = facts.partial;
    this.skipped = facts.skipped;
    this.by = facts.by;
    this.searched = facts.searched;
    this.#places = placesOf(facts);
    this.#starts = new Float64Array(this.#places.length + 1);
    for (let at = 0; at < this.#places.length; at++) this.#starts[at + 1] = this.#starts[at]! + this.#count(at);
    this.total = this.#starts[this.#places.length]!;
  }

  get fileCount(): number {
    return this.#places.length;
  }

  /** Bytes it takes, roughly. */
  get weight(): number {
    return this.#places.length * (60 + (this.#files ? 260 : 0)) + 500;
  }

  get id(): string {
    this.#id ??= this.#name();
    return this.#id;
  }

  get files(): readonly FileHits[] {
    this.#files ??= Array.from(this.#places, (_, at) => this.#hits(at));
    return this.#files;
  }

  async page(options: { readonly offset: number; readonly limit: number; readonly context?: number }): Promise<Page> {
    const offset = Math.max(0, Math.floor(options.offset));
    const end = Math.min(this.total, offset + Math.max(0, Math.floor(options.limit)));
    const context = Math.max(0, Math.floor(options.context ?? 0));
    const slices: { readonly at: number; readonly wanted: Wanted }[] = [];
    let at = placeOf(this.#starts, offset);
    for (let next = offset; next < end; at++) {
      const skip = next - this.#starts[at]!;
      const take = Math.min(this.#starts[at + 1]!, end) - next;
      slices.push({ at, wanted: { skip, take, context } });
      next += take;
    }
    const excerpts = await this.#read(slices);
    return {
      hits: slices.flatMap((slice, k) => excerpts[k]!.lines.map((line) => this.#hit(slice.at, line))),
      next: end < this.total ? end : undefined,
      changed: excerpts.some((each) => each.changed),
    };
  }

  async #read(slices: readonly { readonly at: number; readonly wanted: Wanted }[]): Promise<Excerpt[]> {
    const { extras, how, ranked, read } = this.#facts;
    const jobs: ExcerptJob[] = [];
    const places: number[] = [];
    const excerpts: Excerpt[] = Array.from({ length: slices.length });
    for (const [k, { at, wanted }] of slices.entries()) {
      const place = this.#places[at]!;
      if (place < 0) {
        excerpts[k] = await extras[-1 - place]!.read(wanted);
        continue;
      }
      places.push(k);
      const stamp = [...ranked.stamps.subarray(place * 3, place * 3 + 3)];
      jobs.push({ how, file: this.#file(place), stamp, wanted });
    }
    for (const [j, each] of (await read(jobs)).entries()) excerpts[places[j]!] = each;
    return excerpts;
  }

  #hit(at: number, line: Excerpt['lines'][number]): Hit {
    const place = this.#places[at]!;
    const { part, file } =
      place < 0 ? this.#facts.extras[-1 - place]!.hits : { part: undefined, file: this.#file(place) };
    return { file, ...line, ...(part ? { part } : {}) };
  }

  #count(at: number): number {
    const place = this.#places[at]!;
    return place < 0 ? this.#facts.extras[-1 - place]!.hits.count : this.#facts.ranked.lines[place]!;
  }

  #hits(at: number): FileHits {
    const place = this.#places[at]!;
    if (place < 0) return this.#facts.extras[-1 - place]!.hits;
    const { weight, lines } = this.#facts.ranked;
    return { file: this.#file(place), weight: weight[place]!, count: lines[place]! };
  }

  #file(place: number): string {
    const { ranked, how } = this.#facts;
    return `${how.root}/${pathOf(ranked.table[ranked.tableOf[place]!]!, ranked.index[place]!)}`;
  }

  /** The same for the same query with the same answer, in any process. */
  #name(): string {
    const { ranked, extras, query, partial } = this.#facts;
    const hash = createHash('sha256').update(JSON.stringify([query, partial, ranked.count]));
    hash.update(ranked.lines.subarray(0, ranked.count)).update(ranked.stamps.subarray(0, ranked.count * 3));
    hash.update(ranked.weight.subarray(0, ranked.count));
    for (let place = 0; place < ranked.count; place++) {
      const table = ranked.table[ranked.tableOf[place]!]!;
      const index = ranked.index[place]!;
      hash.update(table.pathBytes.subarray(table.pathOffsets[index], table.pathOffsets[index + 1]));
    }
    for (const { hits, name } of extras) hash.update(JSON.stringify([hits, name]));
    return hash.digest('hex').slice(0, 16);
  }
}

/** The place that holds the hit at `offset`. */
function placeOf(starts: Float64Array, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle + 1]! <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ranked files and extras in one order. */
function placesOf({ ranked, extras, how }: Facts): Int32Array {
  const places = Int32Array.from({ length: ranked.count }, (_, k) => k);
  if (extras.length === 0) return places;
  const nameOf = (place: number): Buffer =>
    Buffer.from(
      place < 0
        ? extras[-1 - place]!.hits.file
        : `${how.root}/${pathOf(ranked.table[ranked.tableOf[place]!]!, ranked.index[place]!)}`,
    );
  const weightOf = (place: number): number => (place < 0 ? extras[-1 - place]!.hits.weight : ranked.weight[place]!);
  const all = [...places, ...extras.map((_, k) => -1 - k)];
  return Int32Array.from(
    all.sort(
      (a, b) =>
        weightOf(b) - weightOf(a) ||
        Buffer.compare(nameOf(a), nameOf(b)) ||
        (a < 0 && b < 0 ? extras[-1 - a]!.order - extras[-1 - b]!.order : 0),
    ),
  );
}
