// What the ways of searching are given by the engine, whichever of them answers.
import type { Walker } from '../tree/walk.ts';
import type { Excerpt, ExcerptJob } from './excerpt.ts';
import type { Lists } from './lists.ts';
import type { Pool } from './pool.ts';

/** What the ways of searching share. */
export interface Tools {
  readonly pool: Pool;
  readonly lists: Lists;
  readonly read: (jobs: readonly ExcerptJob[]) => Promise<readonly Excerpt[]>;
  /** reads directories by the rules as they are now */
  readonly walker: () => Walker;
  readonly documents: string | undefined;
  /** names the program's `accept`, '' if there is none */
  readonly accept: string;
}

/** Why a file of such a name is not searched. */
export const NOT_UTF8 = 'its name is not UTF-8';
