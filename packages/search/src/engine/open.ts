// Opens the engine on one tree. Loads little before the threads are started that a short process needs at once: they take as
// long to start as the rest takes to load.
import { realpathSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Crew } from '../tree/crew.ts';
import { type IndexOptions, SearchError, type SearchIndex } from '../types.ts';

const MOST_THREADS = 4;

/**
 * Opens the tree below `root`, an existing directory. Nothing is built yet when it resolves, and no thread runs but those
 * that look at every file, and only without watchers: then each query begins with that.
 * @throws SearchError `NOT_FOUND` if `root` is no directory
 */
export async function openIndex(root: string, options: IndexOptions = {}): Promise<SearchIndex> {
  const real = realDirectory(root);
  const threads = Math.max(1, options.threads ?? Math.min(MOST_THREADS, availableParallelism()));
  const sweeps = options.watch === false;
  const crew = new Crew(threads, sweeps);
  if (sweeps && options.cache !== false) await crew.warm();
  const { setUp } = await import('./setup.ts');
  return setUp(real, threads, crew, options);
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
