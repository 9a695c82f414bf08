// Lists of the last queries, by query and state of the tree. Bounded in number and in bytes.
import type { FoundList } from './found.ts';

const MOST_LISTS = 32;
const MOST_BYTES = 16 * 1024 * 1024;

export class Lists {
  readonly #kept = new Map<string, FoundList>();

  get(key: string): FoundList | undefined {
    const found = this.#kept.get(key);
    if (found) {
      this.#kept.delete(key);
      this.#kept.set(key, found);
    }
    return found;
  }

  /** Keeps the list, and lets go of the oldest where there are too many. A partial list is not kept. */
  put(key: string, found: FoundList): void {
    if (found.partial) return;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    let bytes = 0;
    let count = 0;
    for (const [each, list] of [...this.#kept].toReversed()) {
      bytes += list.weight;
      count++;
      if (count > MOST_LISTS || bytes > MOST_BYTES) this.#kept.delete(each);
    }
  }

  clear(): void {
    this.#kept.clear();
  }
}
