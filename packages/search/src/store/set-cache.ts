// Sets of documents that were decoded lately, bounded in bytes. What is given out is never changed.
import type { DocSet } from './types.ts';

export class SetCache {
  readonly #limit: number;
  #bytes = 0;
  /** oldest use first */
  readonly #sets = new Map<string, DocSet>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): DocSet | undefined {
    const set = this.#sets.get(key);
    if (set !== undefined) {
      this.#sets.delete(key);
      this.#sets.set(key, set);
    }
    return set;
  }

  put(key: string, set: DocSet): void {
    if (set.byteLength > this.#limit) return;
    const old = this.#sets.get(key);
    if (old !== undefined) this.#bytes -= old.byteLength;
    this.#sets.delete(key);
    this.#sets.set(key, set);
    this.#bytes += set.byteLength;
    for (const [oldest, { byteLength }] of this.#sets) {
      if (this.#bytes <= this.#limit) break;
      this.#sets.delete(oldest);
      this.#bytes -= byteLength;
    }
  }
}
