// One search on one thread: claims items of a job and searches them, for as long as it is let.
import { DONE, KNOWN, NEXT, STOP, type SearchJob } from './job.ts';
import type { Verifier } from './verify.ts';

/** Items claimed at once: few enough that the threads end together, many enough that claiming costs nothing. */
const CLAIM = 16;

export class SearchTask {
  readonly #job: SearchJob;
  readonly #verifier: Verifier;
  /** number of the first item of each lot */
  readonly #bases: number[] = [];
  #at = 0;
  #end = 0;
  #lot = 0;

  constructor(job: SearchJob, verifier: Verifier) {
    this.#job = job;
    this.#verifier = verifier;
    let base = 0;
    for (const lot of job.lots) {
      this.#bases.push(base);
      base += lot.files.length;
    }
  }

  /** Searches until `until` (as `performance.now()` tells time); false when nothing is left to claim. */
  step(until: number): boolean {
    const { lots, results, control } = this.#job;
    do {
      if (this.#at === this.#end && !this.#claim()) return false;
      while (this.#at < this.#end) {
        while (this.#at >= this.#bases[this.#lot]! + lots[this.#lot]!.files.length) this.#lot++;
        const base = this.#bases[this.#lot]!;
        this.#verifier.item(lots[this.#lot]!, this.#at - base, base, results);
        this.#at++;
        Atomics.add(control, DONE, 1);
        if (performance.now() >= until) break;
      }
    } while (performance.now() < until);
    return true;
  }

  #claim(): boolean {
    const { control } = this.#job;
    if (Atomics.load(control, STOP) !== 0) return false;
    const known = control[KNOWN]!;
    const from = Atomics.add(control, NEXT, CLAIM);
    if (from >= known) return false;
    this.#at = from;
    this.#end = Math.min(known, from + CLAIM);
    return true;
  }
}
