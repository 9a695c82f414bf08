// Looking at every file of a table: is it what the table says? Threads share the work by a counter.
import { lstatOf } from './disk.ts';
import { hasBit, pathOf } from './table.ts';
import type { FileTable } from './types.ts';

export const SAME = 0;
const DIFFERENT = 1;
/** not there, or neither a file nor (in a table of directories) a directory */
const ABSENT = 2;

/** Files that one thread takes at a time. */
const CHUNK = 256;

/** A table to be compared. Plain data over shared memory. */
export interface SweepJob {
  readonly root: string;
  readonly table: FileTable;
  /** the table is one of directories, whose sizes do not count */
  readonly directories: boolean;
  /** bits of entries that are not looked at */
  readonly skip: Uint32Array | undefined;
  /** what was found, one byte for each */
  readonly found: Uint8Array;
  /** the next entry that no thread has taken */
  readonly next: Int32Array;
  /** how many were looked at */
  readonly done: Int32Array;
}

/** Was everything looked at, whoever did it? */
export function isDone({ table, done }: SweepJob): boolean {
  return Atomics.load(done, 0) >= table.count;
}

export function makeJob(root: string, table: FileTable, directories: boolean, skip?: Uint32Array): SweepJob {
  return {
    root,
    table,
    directories,
    skip,
    found: new Uint8Array(new SharedArrayBuffer(table.count)),
    next: new Int32Array(new SharedArrayBuffer(4)),
    done: new Int32Array(new SharedArrayBuffer(4)),
  };
}

/** Takes entries until there are none, or until `until` (as `performance.now`). False if the time was up. */
export function work(job: SweepJob, until = Infinity): boolean {
  const { table } = job;
  for (;;) {
    const from = Atomics.add(job.next, 0, CHUNK);
    if (from >= table.count) return true;
    const to = Math.min(from + CHUNK, table.count);
    compare(job, from, to);
    Atomics.add(job.done, 0, to - from);
    if (until !== Infinity && performance.now() > until) return false;
  }
}

function compare({ root, table, directories, skip, found }: SweepJob, from: number, to: number): void {
  const prefix = root === '/' ? '/' : `${root}/`;
  for (let i = from; i < to; i++) {
    if (skip && hasBit(skip, i)) continue;
    const relative = pathOf(table, i);
    const stat = lstatOf(relative === '' ? root : prefix + relative);
    if (!stat || !(directories ? stat.isDirectory() : stat.isFile())) found[i] = ABSENT;
    else if (stat.ctimeMs !== table.ctime[i] || stat.ino !== table.ino[i]) found[i] = DIFFERENT;
    else if (!directories && stat.size !== table.size[i]) found[i] = DIFFERENT;
  }
}
