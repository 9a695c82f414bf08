// One thread's part of a build: files from its range into an inverted index, shards out of it.
import { setPriority } from 'node:os';
import path from 'node:path';
import { platform } from 'node:process';
import { NON_ASCII } from '../match/types.ts';
import { ShardWriter } from '../store/shard-writer.ts';
import { pathOf } from '../tree/table.ts';
import { NEVER_INDEXED } from '../tree/types.ts';
import { Inverted } from './inverted.ts';
import type { BuildJob, BuiltShard } from './job.ts';
import { claim, takeOver } from './ranges.ts';
import { FileReader } from './read.ts';

/** how long a thread waits at a time while queries run, in milliseconds: it goes on, slowly, however many there are */
const PATIENCE = 50;

/** a shard's lists stay short enough for one read each, and its documents for one bitmap each */
const SHARD_DOCS = 1 << 17;

/** Builds until no files are left. What was written is in the job's folder. */
export function work(job: BuildJob, thread: number): BuiltShard[] {
  if (job.pause) lowerPriority();
  const worker = new ShardBuilder(job, thread);
  do {
    for (let range = claim(job.ranges, thread); range; range = claim(job.ranges, thread)) {
      if (job.pause) giveWay(job.pause);
      for (let file = range[0]; file < range[1]; file++) worker.add(file);
      Atomics.add(job.done, 0, range[1] - range[0]);
    }
    worker.endShard();
  } while (takeOver(job.ranges, thread, job.least));
  return worker.shards;
}

/** On Linux the priority of a process is that of a thread, so that only this one yields to others. */
function lowerPriority(): void {
  if (platform !== 'linux') return;
  try {
    setPriority(5);
  } catch {
    // not allowed; it is only a courtesy
  }
}

function giveWay(pause: Int32Array): void {
  const queries = Atomics.load(pause, 0);
  if (queries !== 0) Atomics.wait(pause, 0, queries, PATIENCE);
}

class ShardBuilder {
  readonly shards: BuiltShard[] = [];
  readonly #job: BuildJob;
  readonly #thread: number;
  readonly #inverted = new Inverted();
  readonly #reader: FileReader;
  /** flat [file, offset, length, ...] of the shard at hand */
  #docs: number[] = [];

  constructor(job: BuildJob, thread: number) {
    this.#job = job;
    this.#thread = thread;
    this.#reader = new FileReader(this.#inverted, job.maxFileBytes, job.withhold);
  }

  add(file: number): void {
    const { files, root, poolBytes } = this.#job;
    const { reading } = this.#reader;
    this.#reader.read(`${root}/${pathOf(files, file)}`);
    const blocks = this.#reader.blocks();
    if (this.#inverted.docs + blocks.length / 2 > SHARD_DOCS) this.endShard();
    const ascii = (reading.flags & NON_ASCII) === 0;
    for (let i = 0; i < blocks.length; i += 2) {
      const offset = blocks[i]!;
      const length = blocks[i + 1]!;
      this.#docs.push(file, offset, length);
      // only bytes without order have so many grams: nothing would be gained by them, and the file is always searched
      if (length === 0) this.#inverted.addNothing();
      else if (!this.#inverted.add(reading.from + offset, length, ascii)) reading.ctime = NEVER_INDEXED;
    }
    files.ctime[file] = reading.ctime;
    files.size[file] = reading.size;
    files.ino[file] = reading.ino;
    files.flags[file] = reading.flags;
    if (this.#inverted.bytes >= poolBytes) this.endShard();
  }

  /** Writes the documents so far; nothing if there are none. */
  endShard(): void {
    const [firstFile] = this.#docs;
    if (firstFile === undefined) return;
    const file = path.join(this.#job.folder, `${this.#thread}-${this.shards.length}.shard`);
    const writer = new ShardWriter(file);
    try {
      const { docs } = this.#inverted;
      this.#inverted.drain(writer);
      writer.finish(docs);
    } catch (error) {
      writer.abandon();
      throw error;
    }
    this.shards.push({ file, firstFile, docs: Uint32Array.from(this.#docs) });
    this.#docs = [];
  }
}
