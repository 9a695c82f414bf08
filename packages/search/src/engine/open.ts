// Opens the engine on one tree: this is where its parts are put together.
import { realpathSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type IndexOptions, SearchError, type SearchIndex } from '../types.ts';
import { Engine } from './engine.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MOST_THREADS = 4;

/**
 * Opens the tree below `root`, an existing directory. Nothing is built yet, and no thread runs, when it resolves.
 * @throws SearchError `NOT_FOUND` if `root` is no directory
 */
export async function openIndex(root: string, options: IndexOptions = {}): Promise<SearchIndex> {
  const real = realDirectory(root);
  const settings = {
    root: real,
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
    withhold: options.withhold,
  };
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const threads = Math.max(1, options.threads ?? Math.min(MOST_THREADS, availableParallelism()));
  return new Engine({ settings, threads, index: undefined, reason: 'not wanted', documents: undefined, options, busy });
}

function realDirectory(root: string): string {
  try {
    const real = realpathSync(root);
    if (statSync(real).isDirectory()) return real;
  } catch {
    // told below
  }
  throw new SearchError('NOT_FOUND', `${root} is not a directory`);
}
