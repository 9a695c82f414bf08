// The progress line on a terminal's standard error: shown when a search takes a while, gone when it has ended.
import process from 'node:process';
import type { Progress } from '@hanzo/search';

/** Milliseconds before a search is worth a word. */
const QUIET_MS = 500;

export class ProgressLine {
  readonly #shown = process.stderr.isTTY === true;
  readonly #since = performance.now();
  #there = false;

  readonly tell = ({ phase, done, total }: Progress): void => {
    if (!this.#shown || performance.now() - this.#since < QUIET_MS) return;
    const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
    const percent = total === undefined || total === 0 ? '' : ` (${Math.floor((100 * done) / total)} %)`;
    const words = {
      walk: `${done.toLocaleString('en')} files found`,
      scan: `${done.toLocaleString('en')}${of} files searched`,
      build: `making the index${percent}; Ctrl-C ends this, the answer above is whole`,
    };
    process.stderr.write(`\r\u001b[2K${words[phase]}`);
    this.#there = true;
  };

  clear(): void {
    if (this.#there) process.stderr.write('\r\u001b[2K');
    this.#there = false;
  }
}
