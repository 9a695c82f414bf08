// Has the index built when it is needed. This version never needs it.
import type { Progress, Status } from '../types.ts';
import type { Held } from './held.ts';

export interface Builder {
  build(options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: Progress) => void }): Promise<void>;
  status(held: Held | undefined): Omit<Status, 'root' | 'freshness' | 'dirty'>;
  consider(held: Held | undefined): void;
  damaged(error: Error): void;
  close(): Promise<void>;
}
