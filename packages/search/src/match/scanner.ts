// Finds the lines of a text that match: the kernel looks for needles and runs the automaton, and the exact matcher is asked
// about the lines neither decides. One scanner serves one thread and one query.
import { readSync } from 'node:fs';
import { makeAutomaton } from './automaton.ts';
import type { Automaton } from './automaton.ts';
import { markOf, transcode } from './encoding.ts';
import { AUTOMATON, CERTAIN, DOUBT, OPEN, ScanKernel, WORD } from './kernel.ts';
import { compileMatcher } from './pike.ts';
import { touchedLines } from './touched.ts';
import { FOLDS_TO_ASCII, NON_ASCII } from './types.ts';
import type { LineScanner, LineSpans, Matcher, ScanSpec } from './types.ts';

/**
 * Makes a scanner. `kernel` is this thread's, used by one scanner after the other (two may also take turns, each finding
 * in the room what was put there last); without it the scanner gets one of its own.
 */
export function createScanner(spec: ScanSpec, kernel: ScanKernel = new ScanKernel()): LineScanner {
  return new Scanner(spec, kernel);
}

/** Reads bytes of an open file straight into the scanner's room; answers how many, fewer than `length` at the file's end. */
export function readRoom(scanner: LineScanner, fd: number, position: number, length: number): number {
  const room = scanner.room(length);
  let done = 0;
  while (done < length) {
    const read = readSync(fd, room, done, length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

class Scanner implements LineScanner {
  readonly #spec: ScanSpec;
  readonly #kernel: ScanKernel;
  /** made when first needed: a literal needs none of them; null: cannot be made */
  #automaton: Automaton | null | undefined;
  #matcher: Matcher | undefined;
  /** text with U+212A or U+017F may match without a needle */
  readonly #foldsAway: boolean;

  constructor(spec: ScanSpec, kernel: ScanKernel) {
    this.#spec = spec;
    this.#kernel = kernel;
    this.#foldsAway = spec.fold && spec.needles.some((needle) => needle.includes(0x6b) || needle.includes(0x73));
  }

  room(bytes: number): Uint8Array {
    return this.#kernel.room(bytes);
  }

  lacks(length: number): boolean {
    const { needles } = this.#spec;
    if (needles.length === 0 || this.#foldsAway || markOf(this.#kernel.text, length).encoding !== 'utf-8') return false;
    this.#claim();
    return !this.#kernel.holdsNeedle(length);
  }

  normalise(length: number): { readonly length: number; readonly flags: number } {
    const kernel = this.#kernel;
    const { text } = kernel;
    const mark = markOf(text, length);
    if (mark.encoding === 'utf-8') {
      if (mark.length > 0) text.copyWithin(0, mark.length, length);
      length -= mark.length;
    } else {
      const utf8 = transcode(text.subarray(mark.length, length), mark.encoding);
      kernel.room(utf8.length).set(utf8);
      length = utf8.length;
    }
    return { length, flags: kernel.flagsOf(length) | mark.flag };
  }

  count(length: number, flags: number): number {
    if (length === 0) return 0;
    const step = this.#step(length, flags);
    if (step === undefined) return this.#crossing(length, flags, Infinity).length / 2;
    if (step === ALL) return this.#lineCount(length);
    let count = 0;
    for (let at = 0; at < length;) {
      at = step(at, false);
      count += this.#kernel.sure;
      const { listed } = this.#kernel;
      for (let i = 0; i < listed.length; i += 2) if (this.#confirm(listed[i]!, listed[i + 1]! - DOUBT)) count++;
    }
    return count;
  }

  lines(length: number, flags: number, limit: number): LineSpans {
    if (length === 0) return { spans: new Uint32Array(0) };
    const step = this.#step(length, flags);
    if (step === undefined) return { spans: Uint32Array.from(this.#crossing(length, flags, limit)) };
    const spans: number[] = [];
    const next = step === ALL ? (at: number): number => this.#kernel.everyLine(at, length, false) : step;
    for (let at = 0; at < length && spans.length < limit * 2;) {
      at = next(at, true);
      const { listed } = this.#kernel;
      for (let i = 0; i < listed.length && spans.length < limit * 2; i += 2) {
        const start = listed[i]!;
        let end = listed[i + 1]!;
        if (end >= DOUBT) {
          end -= DOUBT;
          if (!this.#confirm(start, end)) continue;
        }
        spans.push(start, end);
      }
    }
    return { spans: Uint32Array.from(spans) };
  }

  /**
   * What finds the lines of such a text, from a line start on; `ALL`: every line matches; `undefined`: matches cross lines.
   */
  #step(length: number, flags: number): ((at: number, list: boolean) => number) | typeof ALL | undefined {
    const { needles, certain, word, multiline } = this.#spec;
    const kernel = this.#kernel;
    this.#claim();
    if (multiline) return undefined;
    const useNeedles = needles.length > 0 && !(this.#foldsAway && (flags & FOLDS_TO_ASCII) !== 0);
    if (useNeedles && certain !== 'never') {
      const mode = word ? WORD : CERTAIN;
      return (at, list) => kernel.byNeedles(at, length, mode, false, list);
    }
    const automaton = this.#getAutomaton();
    const doubtful = (flags & NON_ASCII) !== 0 && automaton?.exact !== true;
    if (useNeedles) {
      const mode = automaton === undefined ? OPEN : AUTOMATON;
      return (at, list) => kernel.byNeedles(at, length, mode, doubtful, list);
    }
    if (automaton === undefined) return (at) => kernel.everyLine(at, length, true);
    if (automaton.all) return ALL;
    return (at, list) => kernel.byAutomaton(at, length, doubtful, list);
  }

  /** Lines touched by matches that may cross lines. */
  #crossing(length: number, flags: number, limit: number): readonly number[] {
    const kernel = this.#kernel;
    const useNeedles = this.#spec.needles.length > 0 && !(this.#foldsAway && (flags & FOLDS_TO_ASCII) !== 0);
    if (useNeedles && !kernel.holdsNeedle(length)) return [];
    const automaton = this.#getAutomaton();
    const { text } = kernel;
    if (automaton?.all === true) return touchedLines(text, length, [0, length], limit);
    if (automaton !== undefined && !kernel.acceptsText(length)) return [];
    return touchedLines(text, length, this.#exact().spans(text, 0, length, Infinity), limit);
  }

  #lineCount(length: number): number {
    const { text } = this.#kernel;
    return this.#kernel.countNewlines(length) + (text[length - 1] === 10 ? 0 : 1);
  }

  #confirm(start: number, end: number): boolean {
    return this.#exact().test(this.#kernel.text, start, end);
  }

  #exact(): Matcher {
    this.#matcher ??= compileMatcher(this.#spec.hir);
    return this.#matcher;
  }

  #getAutomaton(): Automaton | undefined {
    if (this.#automaton === undefined) {
      this.#automaton = makeAutomaton(this.#spec.hir, { lines: !this.#spec.multiline }) ?? null;
      if (this.#automaton !== null) this.#kernel.setAutomaton(this.#automaton);
    }
    return this.#automaton ?? undefined;
  }

  /** The kernel may have served another scanner since. */
  #claim(): void {
    if (this.#kernel.owner === this) return;
    this.#kernel.owner = this;
    this.#kernel.setNeedles(this.#spec.needles, this.#spec.fold);
    if (this.#automaton) this.#kernel.setAutomaton(this.#automaton);
  }
}

const ALL = 'all';
