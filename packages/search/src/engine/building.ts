// The steps of a build: walk, segment, proof, publication. A build that ends half-way leaves nothing that counts.
import { buildSegment } from '../build/build.ts';
import { verifySegment } from '../build/verify.ts';
import { publish, segmentName } from '../store/generation.ts';
import type { Lock } from '../store/lock.ts';
import { OpenSegment } from '../store/segment.ts';
import { hasBit, makeBits, pathOf, sortPaths } from '../tree/table.ts';
import type { UserPlaces } from '../tree/sources.ts';
import type { TreeFacts } from '../tree/types.ts';
import type { Progress } from '../types.ts';
import type { Held } from './held.ts';
import { makeControl, STOP } from './job.ts';
import type { Pool } from './pool.ts';
import type { WalkChunk } from './walks.ts';

/** A tree with more files is not indexed: its tables would not fit into memory with the rest. */
const MOST_FILES = 3_000_000;

/** Documents of a new segment that are read again and looked up in it. */
const SAMPLE = 64;

/** Where and how the index of one tree is built. */
export interface Site {
  readonly root: string;
  readonly folder: string;
  /** what an index must have been made with to be used */
  readonly config: string;
  readonly threads: number;
  readonly maxFileBytes: number;
  readonly withhold: string | undefined;
  readonly places: UserPlaces;
  readonly pool: Pool;
  /** how many queries run */
  readonly busy: Int32Array;
  /** makes the folder; throws where it cannot be used */
  readonly prepare: () => void;
  /** removes indexes that are too many */
  readonly tidy: () => void;
}

export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

type Told = (progress: Progress) => void;

/** Builds an index of the whole tree. */
export async function buildWhole(site: Site, lock: Lock, signal: AbortSignal, told: Told): Promise<void> {
  const { paths, facts } = await walkTree(site, signal, told);
  const name = await segment(site, paths, signal, told);
  publish(site.folder, {
    root: site.root,
    config: site.config,
    segments: [name],
    dead: [makeBits(paths.length)],
    facts,
    lock,
  });
}

/** Adds a segment of what has changed; what it replaces is dead from then on. */
export async function buildDelta(site: Site, held: Held, lock: Lock, signal: AbortSignal, told: Told): Promise<void> {
  const { generation, freshness } = held;
  const overlay = await freshness.sync(signal);
  const facts = freshness.facts();
  const paths = [...overlay.added];
  const dead = generation.segments.map(({ files }, at) => {
    const bits = makeBits(files.count);
    const old = generation.dead[at]!;
    const gone = overlay.gone[at]!;
    const changed = overlay.changed[at]!;
    for (let word = 0; word < bits.length; word++) bits[word] = old[word]! | gone[word]! | changed[word]!;
    for (let file = 0; file < files.count; file++) {
      if (hasBit(changed, file) && !hasBit(old, file) && !hasBit(gone, file)) paths.push(pathOf(files, file));
    }
    return bits;
  });
  if (paths.length === 0 && dead.every((bits, at) => bits.every((word, k) => word === generation.dead[at]![k]))) return;
  const segments = generation.segments.map((each) => each.name);
  if (paths.length > 0) {
    segments.push(await segment(site, sortPaths(paths), signal, told));
    dead.push(makeBits(paths.length));
  }
  publish(site.folder, { root: site.root, config: site.config, segments, dead, facts, lock });
}

async function segment(site: Site, paths: readonly string[], signal: AbortSignal, told: Told): Promise<string> {
  const { root, folder, threads, maxFileBytes, withhold, busy } = site;
  const name = segmentName();
  await buildSegment({
    root,
    paths,
    folder,
    name,
    threads,
    maxFileBytes,
    withhold,
    signal,
    onProgress: told,
    pause: busy,
  });
  const built = new OpenSegment(folder, name);
  try {
    const wrong = await verifySegment(built, root, SAMPLE);
    if (wrong !== undefined) throw new Error(`the index was built wrongly: ${wrong} is not found in it`);
  } finally {
    built.close();
  }
  signal.throwIfAborted();
  return name;
}

async function walkTree(site: Site, signal: AbortSignal, told: Told): Promise<{ paths: string[]; facts: TreeFacts }> {
  const paths: string[] = [];
  let last: WalkChunk['last'];
  const control = makeControl(0);
  const stop = (): void => {
    Atomics.store(control, STOP, 1);
  };
  signal.addEventListener('abort', stop);
  try {
    await site.pool.walk(
      {
        root: site.root,
        places: site.places,
        directory: '',
        globs: undefined,
        facts: true,
        most: MOST_FILES,
        control,
      },
      ({ table, last: end }) => {
        for (let at = 0; at < table.count; at++) paths.push(pathOf(table, at));
        if (end) last = end;
        told({ phase: 'walk', done: paths.length, total: undefined });
      },
    );
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  if (last?.more) throw new TooLarge(`the tree has more than ${MOST_FILES} files`);
  if (!last?.facts) throw new Error('the walk did not end');
  return { paths: sortPaths(paths), facts: last.facts };
}
