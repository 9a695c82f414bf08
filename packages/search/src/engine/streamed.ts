// A search without an index: one thread walks, all of them search what it finds while it still walks.
import { SearchError } from '../types.ts';
import type { FileTable } from '../tree/types.ts';
import type { UserPlaces } from '../tree/sources.ts';
import { looseLot } from './candidates.ts';
import type { How, Lot } from './job.ts';
import type { Pool } from './pool.ts';
import type { Part } from './rank.ts';
import type { Run } from './run.ts';
import type { WalkChunk } from './walks.ts';

/** Files beyond which a walk ends; what is found up to there is right. */
const MOST_FILES = 50_000_000;

export interface Stream {
  readonly parts: readonly Part[];
  /** files that were found by the walk */
  readonly files: number;
  /** names that cannot be written in UTF-8 */
  readonly unnamed: readonly string[];
}

export interface StreamOptions {
  readonly how: How;
  readonly root: string;
  readonly places: UserPlaces;
  readonly directory: string;
  readonly globs: readonly string[];
  /** takes out of a chunk what is not searched as plain files */
  readonly sieve: (table: FileTable) => Lot;
}

export async function searchStream(pool: Pool, run: Run, options: StreamOptions): Promise<Stream> {
  const { how, root, places, directory, globs, sieve } = options;
  const parts: Promise<Part>[] = [];
  let files = 0;
  let last: WalkChunk['last'];
  run.walking = true;
  await pool.walk(
    {
      root,
      places,
      directory,
      globs: globs.length > 0 ? globs : undefined,
      facts: false,
      most: MOST_FILES,
      control: run.control(0),
    },
    (chunk) => {
      files += chunk.table.count;
      if (chunk.last) last = chunk.last;
      if (chunk.table.count === 0) return;
      const part = run.search(how, [sieve(chunk.table)], Infinity);
      part.catch(() => undefined);
      parts.push(part);
    },
  );
  run.walking = false;
  run.total = files;
  if (last?.more) throw new SearchError('NOT_FOUND', `${root} holds more than ${MOST_FILES} files`);
  return { parts: await Promise.all(parts), files, unnamed: last?.unnamed ?? [] };
}

/** Every file of a table. */
export const everyFile = (table: FileTable): Lot => looseLot(table);
