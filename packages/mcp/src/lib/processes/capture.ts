// What a command wrote to one stream, as the text a reader takes: terminal semantics applied, every byte addressable.
import { Store } from './store.ts';
import { type Paper, Terminal } from './terminal.ts';

/** Bytes looked through for lines that a cursor moves up into. */
const TAKE_BACK = 64 * 1024;

/** One stream of one command. Offsets are bytes of UTF-8 of the shown text. */
export class Capture implements Paper {
  readonly #store: Store;
  readonly #terminal: Terminal;
  #changedAt = performance.now();

  constructor(file: string, maxLog: number) {
    this.#store = new Store(file, maxLog);
    this.#terminal = new Terminal(this);
  }

  /** bytes a reader can see, the unfinished last line included */
  get size(): number {
    return this.#store.size + this.#terminal.length;
  }

  /** bytes that are final but for a cursor that moves up: all but the unfinished last line */
  get settled(): number {
    return this.#store.size;
  }

  /** the span that was given up because the log reached its bound */
  get lost(): { from: number; to: number } | undefined {
    return this.#store.lost;
  }

  /** `performance.now()` of the newest output, or of the start */
  get changedAt(): number {
    return this.#changedAt;
  }

  feed(chunk: Uint8Array): void {
    this.#changedAt = performance.now();
    this.#terminal.feed(chunk);
  }

  /** The stream is over: what is pending becomes final. */
  end(): void {
    this.#terminal.end();
  }

  /** The bytes of [from, to), as far as they are there. */
  read(from: number, to: number): Buffer {
    const settled = this.#store.read(from, Math.min(to, this.#store.size));
    if (to <= this.#store.size) return settled;
    const pending = this.#terminal.pending();
    return Buffer.concat([settled, pending.subarray(Math.max(from - this.#store.size, 0), to - this.#store.size)]);
  }

  append(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#store.append(bytes);
  }

  takeBack(count: number): Buffer[] {
    // The lines asked for are short as a rule: the whole span is read only where a small one does not hold them.
    for (const most of [TAKE_BACK / 16, TAKE_BACK]) {
      const end = this.#store.size;
      const tail = this.#store.read(Math.max(end - most, 0), end);
      if (tail.at(-1) !== 0x0a) return [];
      const lines: Buffer[] = [];
      let stop = tail.length - 1;
      while (lines.length < count && stop >= 0) {
        const start = stop === 0 ? -1 : tail.lastIndexOf(0x0a, stop - 1);
        if (start < 0 && end > tail.length) break;
        lines.push(tail.subarray(start + 1, stop));
        stop = start;
      }
      if (lines.length < count && end > tail.length && most < TAKE_BACK) continue;
      return this.#store.shorten(tail.length - 1 - stop) ? lines.toReversed() : [];
    }
    return [];
  }

  /** Removes what lies on disk. */
  close(): void {
    this.#store.close();
  }
}
