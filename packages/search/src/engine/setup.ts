// Puts the parts of an engine together. Loaded by open.ts after the threads of a short process have been started.
import path from 'node:path';
import { cleanCache, defaultCache, folderOf, prepareFolder, stampUse } from '../store/cache.ts';
import { configHash, openCurrent } from '../store/generation.ts';
import type { Crew } from '../tree/crew.ts';
import { createFreshness } from '../tree/fresh.ts';
import { userPlaces } from '../tree/sources.ts';
import type { IndexOptions, SearchIndex } from '../types.ts';
import { Builder } from './builder.ts';
import { Engine, type EngineParts } from './engine.ts';
import { Current } from './held.ts';
import { Pool } from './pool.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const CACHE_BYTES = 4 * 1024 * 1024 * 1024;

/** The engine on the tree at `root`, a real path. */
export function setUp(root: string, threads: number, crew: Crew, options: IndexOptions): SearchIndex {
  const settings = {
    root,
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
    withhold: options.withhold,
  };
  const base = {
    settings,
    threads,
    crew,
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
  const { settings, threads, crew, pool, places, options, busy } = base;
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
    watch: (generation) => createFreshness({ root, generation, watch, threads, crew, cookieFolder: folder, places }),
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
