// The search engines of one server: one for each root, made when it is first searched, and closed with the server.
import path from 'node:path';
import type { Found, SearchIndex } from '@hanzo/search';
import { type Access, KEY_START } from '../access.ts';
import { rootOf, tooWide } from './roots.ts';

/** Engines kept open; each has threads, and watches its tree. */
const OPEN = 4;
/** Lists kept so that a cursor goes on in the list its page came from, and names of older ones. */
const LISTS = 8;
const NAMES = 256;

/** What a withheld file begins with; whether one may be read all the same is up to its path. */
const KEY = Buffer.from('-----BEGIN PRIVATE KEY-----');

export interface IndexesOptions {
  readonly access: Pick<Access, 'roots' | 'isSecret' | 'holdsKey'>;
  /** folder of the indexes; undefined the user's cache folder; false: no index, every search reads the tree */
  readonly cache: string | false | undefined;
}

/** A list of hits as one engine found it. */
export interface Kept {
  readonly found: Found;
  readonly index: SearchIndex;
}

/** All engines of a server. */
export interface Indexes {
  /** whether searches may be answered from an index */
  readonly indexed: boolean;
  /** leaves key material out; always the same function, so that the engine keeps its lists */
  readonly accept: (file: string, withheld: boolean) => boolean;
  /** lends the engine that serves `place` (a real path; `directory` says what it is) until `body` has ended */
  use<T>(place: string, directory: boolean, body: (index: SearchIndex) => Promise<T>): Promise<T>;
  /** the list kept under a name, if its engine is the one at hand */
  recall(key: string, index: SearchIndex): Found | undefined;
  /** the id of the list last kept under a name, which outlasts the list itself */
  lastId(key: string): string | undefined;
  keep(key: string, list: Kept): void;
  close(): Promise<void>;
}

interface Open {
  readonly root: string;
  readonly index: Promise<SearchIndex>;
  users: number;
}

export function createIndexes({ access, cache }: IndexesOptions): Indexes {
  // most recently used last
  const open = new Map<string, Open>();
  const lists = new Map<string, Kept>();
  const ids = new Map<string, string>();

  const closeOne = async (one: Open): Promise<void> => {
    open.delete(one.root);
    const index = await one.index.catch(() => undefined);
    for (const [key, each] of lists) if (each.index === index) lists.delete(key);
    await index?.close();
  };

  const take = (root: string): Open => {
    const known = open.get(root);
    open.delete(root);
    const one = known ?? { root, index: start(root, cache), users: 0 };
    open.set(root, one);
    for (const each of open.values()) {
      if (open.size <= OPEN) break;
      if (each.users === 0 && each !== one) void closeOne(each).catch(() => {});
    }
    return one;
  };

  return {
    indexed: cache !== false,
    accept: (file, withheld) => !access.isSecret(file) && !(withheld && access.holdsKey(file, KEY)),
    async use(place, directory, body) {
      const one = take(rootOf(directory ? place : path.dirname(place), access.roots()));
      one.users++;
      try {
        const index = await one.index.catch((error: unknown) => {
          open.delete(one.root);
          throw error;
        });
        return await body(index);
      } finally {
        one.users--;
      }
    },
    recall(key, index) {
      const known = lists.get(key);
      return known?.index === index ? known.found : undefined;
    },
    lastId: (key) => ids.get(key),
    keep(key, list) {
      put(lists, key, list, LISTS);
      put(ids, key, list.found.id, NAMES);
    },
    async close() {
      await Promise.allSettled([...open.values()].map(closeOne));
    },
  };
}

async function start(root: string, cache: string | false | undefined): Promise<SearchIndex> {
  const { openIndex } = await import('@hanzo/search');
  return openIndex(root, {
    withhold: KEY_START.source,
    build: tooWide().has(root) ? 'never' : 'auto',
    ...(cache === undefined ? {} : { cache }),
  });
}

function put<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
