// Standard output of a search: text is gathered into large writes, and a reader that is slow is waited for.
import { once } from 'node:events';
import process from 'node:process';

/** Characters gathered before they are written. */
const CHUNK = 64 * 1024;

export class Out {
  #parts: (string | Buffer)[] = [];
  #size = 0;

  add(part: string | Buffer): void {
    this.#parts.push(part);
    this.#size += part.length;
  }

  /** Writes what is there, if that is much or `all`; resolves when there is room for more. */
  async flush(all = false): Promise<void> {
    if (this.#size === 0 || (!all && this.#size < CHUNK)) return;
    const bytes = Buffer.concat(this.#parts.map((each) => (typeof each === 'string' ? Buffer.from(each) : each)));
    this.#parts = [];
    this.#size = 0;
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
  }
}
