// Opens the engine on one tree: this is where its parts are put together.
import { realpathSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { cleanCache, defaultCache, folderOf, prepareFolder, stampUse } from '../store/cache.ts';
import { configHash, openCurrent } from '../store/generation.ts';
import { createFreshness } from '../tree/fresh.ts';
import { userPlaces } from '../tree/sources.ts';
import { type IndexOptions, SearchError, type SearchIndex } from '../types.ts';
import { Builder } from './builder.ts';
import { Engine, type EngineParts } from './engine.ts';
import { Current } from './held.ts';
import { Pool } from './pool.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MOST_THREADS = 4;
const CACHE_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * Opens the tree below `root`, an existing directory. Nothing is built yet, and no thread runs, when it resolves.
 * @throws SearchError `NOT_FOUND` if `root` is no directory
 */
export async function openIndex(root: string, options: IndexOptions = {}): Promise<SearchIndex> {
  const settings = {
    root: realDirectory(root),
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
    withhold: options.withhold,
  };
  const threads = Math.max(1, options.threads ?? Math.min(MOST_THREADS, availableParallelism()));
  const base = {
    settings,
    threads,
    pool: new Pool(threads),
    places: userPlaces(),
    options,
    busy: new Int32Array(new SharedArrayBuffer(4)),
  };
  if (options.cache === false) {
    return new Engine({ ...base, index: undefined, reason: 'no index is wanted', documents: undefined });
  }
  return new Engine(withIndex(base, options.cache ?? defaultCache()));
}

type Base = Omit<EngineParts, 'index' | 'reason' | 'documents'>;

function withIndex(base: Base, cache: string): EngineParts {
  const { settings, threads, pool, places, options, busy } = base;
  const { root, maxFileBytes, withhold } = settings;
  const folder = folderOf(cache, root);
  const config = configHash({ maxFileBytes, withhold });
  const watch = options.watch !== false;
  const current = new Current({
    folder,
    open: () => {
      let why = 'there is none';
      const generation = openCurrent(folder, { root, config }, (reason) => {
        why = reason;
      });
      if (!generation) throw new Error(why);
      stampUse(folder);
      return generation;
    },
    watch: (generation) =>
      createFreshness({ root, generation, watch, threads, shareMain: !watch, cookieFolder: folder, places }),
    onDamage: (error) => builder.damaged(error),
  });
  const site = {
    root,
    folder,
    config,
    threads,
    maxFileBytes,
    withhold,
    places,
    pool,
    busy,
    prepare: () => {
      const prepared = prepareFolder(cache, root);
      if ('reason' in prepared) throw new Error(prepared.reason);
    },
    tidy: () => void cleanCache(cache, options.cacheBytes ?? CACHE_BYTES, folder),
  };
  const builder = new Builder(site, current, options.build !== 'never');
  return { ...base, index: { current, builder }, reason: undefined, documents: path.join(cache, 'documents') };
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
