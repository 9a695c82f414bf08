// A tree as instructions for the exact matcher: what pike.ts runs. Compiles only; knows no text.
import { SearchError } from '../types.ts';
import type { Hir, Look, Ranges } from '../syntax/hir.ts';

/** One character of a set; its three slots after it let the rest of the bytes pass, for it was decoded whole. */
export const CLASS = 0;
/** A byte of a character whose start has been accepted. */
export const PASS = 1;
/** One byte of a set. */
export const BYTE = 2;
/** To `x`, and if that fails to `y`. */
export const SPLIT = 3;
export const JUMP = 4;
export const LOOK = 5;
export const MATCH = 6;

/** Slots of one program; more is a mistake of the pattern, which the parser's own bound meets first. */
const MAX_SLOTS = 1 << 21;

/** Instructions by column: `op`, and operands `x` and `y`. Execution starts at 0. */
export interface Program {
  readonly op: Uint8Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly sets: readonly CharSet[];
  readonly looks: readonly { readonly look: Look; readonly unicode: boolean }[];
}

/** A set to be asked often: a table for what is below 128 (256 for bytes), sorted ranges above. */
export interface CharSet {
  readonly low: Uint8Array;
  readonly ranges: Int32Array;
}

export function compileProgram(hir: Hir): Program {
  const compiler = new Compiler();
  compiler.add(hir);
  return compiler.finish();
}

class Compiler {
  readonly #op: number[] = [];
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #sets: CharSet[] = [];
  readonly #setOf = new Map<Ranges, number>();
  readonly #looks: { look: Look; unicode: boolean }[] = [];
  readonly #nullable = new Map<Hir, boolean>();

  finish(): Program {
    this.#emit(MATCH);
    return {
      op: Uint8Array.from(this.#op),
      x: Int32Array.from(this.#x),
      y: Int32Array.from(this.#y),
      sets: this.#sets,
      looks: this.#looks,
    };
  }

  #emit(op: number, x = 0, y = 0): number {
    if (this.#op.length >= MAX_SLOTS)
      throw new SearchError('PATTERN', 'the pattern is too large; use smaller repetition counts');
    this.#x.push(x);
    this.#y.push(y);
    return this.#op.push(op) - 1;
  }

  get #here(): number {
    return this.#op.length;
  }

  add(hir: Hir): void {
    switch (hir.kind) {
      case 'empty':
        return;
      case 'class':
        this.#emit(CLASS, this.#set(hir.ranges));
        for (let left = 3; left > 0; left--) this.#emit(PASS);
        return;
      case 'bytes':
        this.#emit(BYTE, this.#set(hir.ranges));
        return;
      case 'look':
        this.#emit(LOOK, this.#looks.push({ look: hir.look, unicode: hir.unicode }) - 1);
        return;
      case 'concat':
        for (const part of hir.parts) this.add(part);
        return;
      case 'alternate':
        return this.#alternate(hir.parts);
      case 'repeat':
        return this.#repeat(hir);
    }
  }

  #set(ranges: Ranges): number {
    const known = this.#setOf.get(ranges);
    if (known !== undefined) return known;
    const low = new Uint8Array(256);
    for (let i = 0; i < ranges.length; i += 2) {
      for (let value = ranges[i]!; value <= ranges[i + 1]! && value < 256; value++) low[value] = 1;
    }
    const index = this.#sets.push({ low, ranges: Int32Array.from(ranges) }) - 1;
    this.#setOf.set(ranges, index);
    return index;
  }

  #alternate(parts: readonly Hir[]): void {
    const ends: number[] = [];
    for (const [i, part] of parts.entries()) {
      if (i === parts.length - 1) {
        this.add(part);
        break;
      }
      const split = this.#emit(SPLIT);
      this.#x[split] = this.#here;
      this.add(part);
      ends.push(this.#emit(JUMP));
      this.#y[split] = this.#here;
    }
    for (const end of ends) this.#x[end] = this.#here;
  }

  #repeat({ body, min, max, greedy }: Extract<Hir, { kind: 'repeat' }>): void {
    if (max === Infinity) {
      for (let i = 1; i < min; i++) this.add(body);
      // What can match nothing must be tried before it is left out, or the order of preference is not leftmost-first's.
      if (min === 0 && !this.#matchesEmpty(body)) return this.#star(body, greedy);
      if (min === 0) return this.#optional(greedy, () => this.#plus(body, greedy));
      return this.#plus(body, greedy);
    }
    for (let i = 0; i < min; i++) this.add(body);
    // All that may be left out share one end: `x{0,3}` is `(x(x(x)?)?)?`.
    const splits: number[] = [];
    for (let i = min; i < max; i++) {
      splits.push(this.#emit(SPLIT));
      this.add(body);
    }
    for (const split of splits) this.#branch(split, greedy, split + 1, this.#here);
  }

  #branch(split: number, greedy: boolean, into: number, past: number): void {
    this.#x[split] = greedy ? into : past;
    this.#y[split] = greedy ? past : into;
  }

  #star(body: Hir, greedy: boolean): void {
    const split = this.#emit(SPLIT);
    this.add(body);
    this.#emit(JUMP, split);
    this.#branch(split, greedy, split + 1, this.#here);
  }

  #plus(body: Hir, greedy: boolean): void {
    const start = this.#here;
    this.add(body);
    const split = this.#emit(SPLIT);
    this.#branch(split, greedy, start, this.#here);
  }

  #optional(greedy: boolean, inner: () => void): void {
    const split = this.#emit(SPLIT);
    inner();
    this.#branch(split, greedy, split + 1, this.#here);
  }

  #matchesEmpty(hir: Hir): boolean {
    const known = this.#nullable.get(hir);
    if (known !== undefined) return known;
    const answer = this.#decideEmpty(hir);
    this.#nullable.set(hir, answer);
    return answer;
  }

  #decideEmpty(hir: Hir): boolean {
    switch (hir.kind) {
      case 'empty':
      case 'look':
        return true;
      case 'class':
      case 'bytes':
        return false;
      case 'concat':
        return hir.parts.every((part) => this.#matchesEmpty(part));
      case 'alternate':
        return hir.parts.some((part) => this.#matchesEmpty(part));
      case 'repeat':
        return hir.min === 0 || this.#matchesEmpty(hir.body);
    }
  }
}
