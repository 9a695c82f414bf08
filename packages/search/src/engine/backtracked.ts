// A search with a JavaScript expression: files are read here, lines are matched in threads that are ended when they take too
// long. No index helps it.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Backtracker, type BacktrackLines, createBacktracker } from '../match/backtrack.ts';
import { markOf, transcode } from '../match/encoding.ts';
import { pathOf } from '../tree/table.ts';
import type { UserPlaces } from '../tree/sources.ts';
import type { Query, SearchOptions, Skipped } from '../types.ts';
import { answer, largerThan } from './answer.ts';
import type { Tools } from './tools.ts';
import type { Excerpt } from './excerpt.ts';
import type { Extra, FoundList } from './found.ts';
import { globsOf } from './globs.ts';
import type { How } from './job.ts';
import { showLines, type Wanted } from './lines.ts';
import { placeOf, type Settings } from './query.ts';
import { Run } from './run.ts';

/** How long one file may take. */
const FILE_MS = 2000;
/** How long a thread may take to be there, which is not the expression's time. */
const START_MS = 30_000;
/** Files that a walk may find. */
const MOST_FILES = 3_000_000;
const START_BYTES = 200;

export async function searchBacktracking(
  query: Query,
  settings: Settings,
  places: UserPlaces,
  threads: number,
  options: SearchOptions,
  tools: Tools,
): Promise<FoundList> {
  const make = (): Backtracker => createBacktracker(query.pattern, query);
  const backtrackers = Array.from({ length: threads }, make);
  const run = new Run(tools.pool, options);
  try {
    const place = placeOf(settings.root, query.path);
    const globs = query.globs ?? [];
    const files =
      place.file === undefined ? await filesOf(settings, places, place.directory ?? '', globs, run, tools) : [];
    if (place.file !== undefined) files.push(place.file);
    const search = new Backtracking(settings, place.file !== undefined, files, make, run, options);
    await Promise.all(backtrackers.map((each) => search.work(each)));
    return await answer(
      {
        how: howOf(settings),
        key: JSON.stringify(['backtrack', query]),
        parts: [],
        extras: search.extras,
        skipped: search.skipped,
        partial: run.partial,
        by: 'scan',
        searched: search.searched,
      },
      options.accept,
      tools.read,
    );
  } finally {
    run.end();
    await Promise.all(backtrackers.map((each) => each.close()));
  }
}

/** Nothing is searched by it: it only says where paths start. */
function howOf(settings: Settings): How {
  const hir = { kind: 'empty' } as const;
  return {
    key: '',
    spec: { hir, multiline: false, needles: [], fold: false, certain: 'never', word: false },
    root: settings.root === '/' ? '' : settings.root,
    maxFileBytes: settings.maxFileBytes,
    withhold: settings.withhold,
    symbol: undefined,
    globs: undefined,
  };
}

async function filesOf(
  { root }: Settings,
  places: UserPlaces,
  directory: string,
  globs: readonly string[],
  run: Run,
  tools: Tools,
): Promise<string[]> {
  const { passes } = globsOf(globs);
  const files: string[] = [];
  const base = root === '/' ? '' : root;
  const job = {
    root,
    places,
    directory,
    globs: globs.length > 0 ? globs : undefined,
    facts: false,
    most: MOST_FILES,
    control: run.control(0),
  };
  await tools.pool.walk(job, ({ table }) => {
    for (let index = 0; index < table.count; index++) {
      const name = pathOf(table, index);
      if (passes(name)) files.push(`${base}/${name}`);
    }
  });
  return files;
}

class Backtracking {
  readonly extras: Extra[] = [];
  readonly skipped: Skipped[] = [];
  searched = 0;
  readonly #settings: Settings;
  readonly #named: boolean;
  readonly #files: readonly string[];
  readonly #make: () => Backtracker;
  readonly #run: Run;
  readonly #options: SearchOptions;
  readonly #withhold: RegExp | undefined;
  #next = 0;

  constructor(
    settings: Settings,
    named: boolean,
    files: readonly string[],
    make: () => Backtracker,
    run: Run,
    options: SearchOptions,
  ) {
    this.#settings = settings;
    this.#named = named;
    this.#files = files;
    this.#make = make;
    this.#run = run;
    this.#options = options;
    this.#withhold = settings.withhold === undefined ? undefined : new RegExp(settings.withhold);
    run.total = files.length;
  }

  /** Takes one file after another until there are none. */
  async work(backtracker: Backtracker): Promise<void> {
    await ready(backtracker);
    while (this.#next < this.#files.length && !this.#run.partial)
      await this.#file(this.#files[this.#next++]!, backtracker);
  }

  async #file(file: string, backtracker: Backtracker): Promise<void> {
    const limit = this.#settings.maxFileBytes;
    const read = await readText(file, this.#named, limit);
    if (typeof read === 'string') {
      if (read === 'large') this.skipped.push({ file, reason: largerThan(limit) });
      return;
    }
    if (!read) return;
    if (this.#withhold?.test(read.start) && this.#options.accept?.(file, true) !== true) return;
    const { texts } = await backtracker.matchingLines([read.text], { deadlineMs: FILE_MS });
    const [found] = texts;
    if (!found) {
      // its thread was ended
      await ready(backtracker);
      this.skipped.push({ file, reason: 'the expression took too long' });
      return;
    }
    this.searched++;
    const count = found.lines.length / 2;
    if (count === 0) return;
    this.extras.push({
      hits: { file, weight: count, count },
      order: 0,
      name: read.stamp,
      read: (wanted) => this.#show(file, read.stamp, wanted),
    });
  }

  async #show(file: string, stamp: readonly number[], wanted: Wanted): Promise<Excerpt> {
    const read = await readText(file, this.#named, this.#settings.maxFileBytes);
    if (!read || typeof read === 'string') return { lines: [], changed: true };
    const backtracker = this.#make();
    try {
      await ready(backtracker);
      const { texts } = await backtracker.matchingLines([read.text], { deadlineMs: FILE_MS });
      const [found] = texts;
      if (!found) return { lines: [], changed: true };
      const lines = showLines(
        { bytes: read.text, hits: found.lines, firstLine: 1, spansOf: spansIn(found) },
        wanted,
      ).map((line) => ({ ...line, offset: line.offset + read.mark }));
      return { lines, changed: lines.length < wanted.take || stamp.some((each, k) => each !== read.stamp[k]) };
    } finally {
      await backtracker.close();
    }
  }
}

async function ready(backtracker: Backtracker): Promise<void> {
  await backtracker.matchingLines([new Uint8Array(0)], { deadlineMs: START_MS });
}

function spansIn(found: BacktrackLines): (start: number) => readonly number[] {
  const byStart = new Map<number, readonly number[]>();
  for (let k = 0; k < found.lines.length; k += 2) byStart.set(found.lines[k]!, found.spans[k / 2] ?? []);
  return (start) => byStart.get(start) ?? [];
}

interface Read {
  readonly text: Buffer;
  /** as Latin-1 */
  readonly start: string;
  readonly stamp: readonly number[];
  /** bytes before the text in the file */
  readonly mark: number;
}

/** The text of a file; undefined if it is not one to be searched. */
async function readText(file: string, named: boolean, limit: number): Promise<Read | 'large' | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(file, O_RDONLY | O_NONBLOCK | (named ? 0 : O_NOFOLLOW)).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return undefined;
    if (stat.size > limit) return 'large';
    const bytes = await handle.readFile();
    const mark = markOf(bytes, bytes.length);
    let text = bytes.subarray(mark.length);
    if (mark.encoding !== 'utf-8') text = Buffer.from(transcode(text, mark.encoding));
    const nul = text.indexOf(0);
    if (nul >= 0) {
      if (!named) return undefined;
      text = text.subarray(0, nul);
    }
    const stamp = [stat.ctimeMs, stat.size, stat.ino];
    return { text, start: bytes.toString('latin1', 0, START_BYTES), stamp, mark: mark.length };
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
