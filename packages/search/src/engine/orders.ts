// What goes between an engine and its threads.
import type { Excerpt, ExcerptJob } from './excerpt.ts';
import type { SearchJob } from './job.ts';
import type { NamedJob, NamedResult } from './pieces.ts';
import type { WalkChunk, WalkJob } from './walks.ts';

/** What a thread is told. */
export type Order =
  | { readonly id: number; readonly kind: 'search'; readonly job: SearchJob }
  | { readonly id: number; readonly kind: 'excerpt'; readonly job: ExcerptJob }
  | { readonly id: number; readonly kind: 'named'; readonly job: NamedJob }
  | { readonly id: number; readonly kind: 'walk'; readonly job: WalkJob };

/** Said to a thread that is to end. */
export const END = 'end';

/** What it answers; a walk answers many times before it is done. */
export type Answer =
  | { readonly id: number; readonly kind: 'done'; readonly value?: Value }
  | { readonly id: number; readonly kind: 'chunk'; readonly chunk: WalkChunk }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string; readonly stack: string | undefined };

export type Value = Excerpt | NamedResult;
