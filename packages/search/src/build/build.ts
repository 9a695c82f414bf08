// Builds one segment of the index: the files of a tree go to threads, and what they wrote becomes a segment. It leaves behind
// a whole segment or nothing.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../worker.ts';
import { syncFolder, TEMPORARY } from '../store/files.ts';
import { writeSegment } from '../store/segment.ts';
import type { DocTable } from '../store/types.ts';
import { makeFileTable } from '../tree/table.ts';
import { SearchError } from '../types.ts';
import type { Progress } from '../types.ts';
import { asBuildError, BuildError } from './failure.ts';
import type { BuildJob, BuiltShard, ThreadAnswer } from './job.ts';
import { makeRanges } from './ranges.ts';

export interface SegmentJob {
  /** absolute path of the tree */
  readonly root: string;
  /** relative to the root, sorted by bytes */
  readonly paths: readonly string[];
  /** the index's folder, which is there */
  readonly folder: string;
  /** of the segment within it */
  readonly name: string;
  /** at most; 4 are of use, and small jobs take one */
  readonly threads: number;
  readonly maxFileBytes: number;
  /** see IndexOptions */
  readonly withhold?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** at most ten times a second, in files */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * For a build beside queries: an Int32Array in shared memory whose first word is how many of them run (and is notified when
   * it changes). Threads then do a few files at a time, and give way to others of this machine.
   */
  readonly pause?: Int32Array | undefined;
  /** bytes of memory for posting lists, of all threads together; a test's way to many shards */
  readonly poolBytes?: number | undefined;
}

export interface BuiltSegment {
  readonly files: number;
  readonly docs: number;
  /** of the segment on disk */
  readonly bytes: number;
}

/** more threads would only wait for the disk and take memory */
const MOST_THREADS = 4;
/** files below which a second thread costs more than it brings */
const ONE_THREAD = 5000;
/** with this, a build of any tree stays below 512 MB of memory */
const POOL_BYTES = 128 << 20;
const PROGRESS_EVERY = 100;

/**
 * Reads the files and writes the segment. Files that cannot be read, are too large or gone are in it, flagged.
 * @throws BuildError when there is no memory or no place on the disk; SearchError `ABORTED` when the signal came first
 */
export async function buildSegment(job: SegmentJob): Promise<BuiltSegment> {
  const { root, paths, folder, name, signal, onProgress } = job;
  throwIfAborted(signal);
  // what is found under this name later is of a build that was killed
  const unfinished = name + TEMPORARY;
  const parts = path.join(folder, unfinished);
  try {
    rmSync(parts, { recursive: true, force: true });
    mkdirSync(parts, { mode: 0o700 });
    const files = makeFileTable(paths);
    const threads = paths.length < ONE_THREAD ? 1 : Math.max(1, Math.min(job.threads, MOST_THREADS));
    const order: BuildJob = {
      root: root === '/' ? '' : root,
      files,
      ranges: makeRanges(paths.length, threads),
      least: Math.max(1024, paths.length >> 5),
      done: new Int32Array(new SharedArrayBuffer(4)),
      pause: job.pause,
      folder: parts,
      poolBytes: (job.poolBytes ?? POOL_BYTES) / threads,
      maxFileBytes: job.maxFileBytes,
      withhold: job.withhold,
    };
    const progress = (): void =>
      onProgress?.({ phase: 'build', done: Atomics.load(order.done, 0), total: paths.length });
    const timer = onProgress && setInterval(progress, PROGRESS_EVERY);
    let shards: BuiltShard[];
    try {
      shards = await runThreads(order, threads, signal);
    } finally {
      clearInterval(timer);
    }
    progress();
    shards.sort((a, b) => a.firstFile - b.firstFile);
    const docs = docTable(shards);
    let firstDoc = 0;
    const places = shards.map((shard) => {
      const place = { file: shard.file, firstDoc, docs: shard.docs.length / 3 };
      firstDoc += place.docs;
      return place;
    });
    writeSegment(folder, unfinished, { files, docs, shards: places });
    syncFolder(parts);
    const bytes = readdirSync(parts).reduce((sum, file) => sum + statSync(path.join(parts, file)).size, 0);
    renameSync(parts, path.join(folder, name));
    syncFolder(folder);
    return { files: files.count, docs: docs.count, bytes };
  } catch (error) {
    throw error instanceof SearchError ? error : asBuildError(error);
  } finally {
    rmSync(parts, { recursive: true, force: true });
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SearchError('ABORTED', 'the build was ended');
}

/** What all threads wrote. When it rejects none of them runs any more. */
async function runThreads(order: BuildJob, threads: number, signal: AbortSignal | undefined): Promise<BuiltShard[]> {
  const { BUILD_THREAD, url } = await import('./thread.ts');
  const workers: Worker[] = [];
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new SearchError('ABORTED', 'the build was ended'));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    throwIfAborted(signal);
    const answers: Promise<readonly BuiltShard[]>[] = [];
    for (let thread = 0; thread < threads; thread++) {
      const worker = startWorker(url, {
        workerData: { [BUILD_THREAD]: { job: order, thread } },
        // its memory is the kernel's; the heap holds a document that is transcoded at most
        resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
      });
      workers.push(worker);
      const answer = answerOf(worker);
      // one that comes when another has failed already is heard by nobody
      answer.catch(() => {});
      answers.push(answer);
    }
    return (await Promise.race([Promise.all(answers), aborted.promise])).flat();
  } finally {
    signal?.removeEventListener('abort', abort);
    // a thread that still writes would put files where they were just removed
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function answerOf(worker: Worker): Promise<readonly BuiltShard[]> {
  return new Promise((resolve, reject) => {
    worker.once('message', (answer: ThreadAnswer) => {
      if ('shards' in answer) resolve(answer.shards);
      else reject(new BuildError(answer.failed.code, answer.failed.message));
    });
    worker.on('error', (error) => reject(asBuildError(error)));
    worker.once('exit', () => reject(new BuildError('FAILED', 'the index cannot be built: a thread ended')));
  });
}

/** Documents of all shards, one after another, in shared memory. */
function docTable(shards: readonly BuiltShard[]): DocTable {
  const count = shards.reduce((sum, shard) => sum + shard.docs.length / 3, 0);
  const column = (): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * count));
  const docs: DocTable = { count, file: column(), offset: column(), length: column() };
  let d = 0;
  for (const shard of shards) {
    for (let i = 0; i < shard.docs.length; i += 3, d++) {
      docs.file[d] = shard.docs[i]!;
      docs.offset[d] = shard.docs[i + 1]!;
      docs.length[d] = shard.docs[i + 2]!;
    }
  }
  return docs;
}
