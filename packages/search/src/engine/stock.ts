// Shared memory for results, lent to one search after another: left to the collector it piles up in hundreds of megabytes,
// because every thread that saw it must collect it.
import type { Results } from './job.ts';

/** state, count, definitions and three stamps */
const BYTES_PER_ITEM = 1 + 4 + 4 + 24;
/** What lies here unused at most. */
const MOST_BYTES = 8 * 1024 * 1024;

export class Stock {
  #free: SharedArrayBuffer[] = [];

  /** Columns for so many items, all zero. */
  take(items: number, symbols: boolean): Results {
    const bytes = items * BYTES_PER_ITEM;
    const at = this.#free.findIndex((each) => each.byteLength >= bytes);
    const [memory] = at < 0 ? [new SharedArrayBuffer(bytes)] : this.#free.splice(at, 1);
    const results: Results = {
      stamps: new Float64Array(memory!, 0, items * 3),
      count: new Uint32Array(memory!, items * 24, items),
      definitions: symbols ? new Uint32Array(memory!, items * 28, items) : undefined,
      state: new Uint8Array(memory!, items * 32, items),
    };
    if (at >= 0) for (const column of Object.values(results)) (column as Uint8Array | undefined)?.fill(0);
    return results;
  }

  /** Nobody writes to these results, or reads them, any more. */
  give({ state }: Results): void {
    // the smallest that is large enough is lent first
    this.#free.push(state.buffer as SharedArrayBuffer);
    this.#free.sort((a, b) => a.byteLength - b.byteLength);
    let bytes = this.#free.reduce((sum, each) => sum + each.byteLength, 0);
    while (bytes > MOST_BYTES) bytes -= this.#free.shift()!.byteLength;
  }
}
