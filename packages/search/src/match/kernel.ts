// The scanning kernel of one thread: its memory, with needles, automaton table and text in the places kernel/scan.ts names.
// Knows nothing of patterns.
import { instantiate } from '../kernel/load.ts';
import { SCAN_WASM } from '../kernel/scan.wasm.ts';
import type { Kernel } from '../kernel/load.ts';
import type { Automaton } from './automaton.ts';
import { FOLD, rarity } from './rarity.ts';

const CLASSES = 0;
const NEEDLES = 1024;
const NEEDLE_BYTES = 2048;
const NEEDLE_SIZE = 544;
const MASK = 272;
const LIST = 8192;
const TABLE = 131072;
const TABLE_BYTES = 1 << 20;
const TEXT = 1245184;

/** Bytes the kernel may read beyond a text. */
const BEYOND = 512;
const PAGE = 65536;
/** Room to begin with, which most files fit in. */
const ROOM = 1 << 20;
/** Positions in a text have 30 bits. */
const MAX_TEXT = 2 ** 30;

/** Set in the end of a listed line of which bytes do not decide. */
export const DOUBT = 0x80000000;

/** Answers of the kernel. */
const PAUSED = 0;
const YES = 2;

export const CERTAIN = 0;
export const WORD = 1;
export const AUTOMATON = 2;
export const OPEN = 3;
export type NeedleMode = typeof CERTAIN | typeof WORD | typeof AUTOMATON | typeof OPEN;

export class ScanKernel {
  /** who set needles and automaton last */
  owner: object | undefined;
  readonly #kernel: Kernel;
  #automaton: Automaton | undefined;
  /** the views, made anew when memory has grown */
  #buffer: ArrayBuffer | undefined;
  #bytes = new Uint8Array(0);
  #text = new Uint8Array(0);
  #table = new Uint32Array(0);
  #list = new Uint32Array(0);

  constructor() {
    const pages = Math.ceil((TEXT + ROOM + BEYOND) / PAGE);
    this.#kernel = instantiate(SCAN_WASM, pages);
    this.#look();
  }

  #look(): void {
    const { buffer } = this.#kernel.memory;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#bytes = new Uint8Array(buffer);
    this.#text = new Uint8Array(buffer, TEXT, buffer.byteLength - TEXT - BEYOND);
    this.#table = new Uint32Array(buffer, TABLE, TABLE_BYTES / 4);
    this.#list = new Uint32Array(buffer, LIST, (TABLE - LIST) / 4);
  }

  /** The room for text, of at least so many bytes; what is in it stays. Throws a RangeError where there is no more memory. */
  room(bytes: number): Uint8Array<ArrayBuffer> {
    if (bytes > this.#text.length) {
      if (bytes > MAX_TEXT) throw new RangeError(`a text of ${bytes} bytes is too large to search`);
      const { memory } = this.#kernel;
      memory.grow(Math.ceil((TEXT + bytes + BEYOND - memory.buffer.byteLength) / PAGE));
      this.#look();
    }
    return this.#text;
  }

  /** All the room there is; valid until it grows. */
  get text(): Uint8Array<ArrayBuffer> {
    return this.#text;
  }

  /** What the automaton writes its rows to. */
  get table(): Uint32Array {
    return this.#table;
  }

  setNeedles(needles: readonly Uint8Array[], fold: boolean): void {
    const bytes = this.#bytes;
    const words = new DataView(bytes.buffer);
    for (const [index, needle] of needles.entries()) {
      const at = NEEDLE_BYTES + index * NEEDLE_SIZE;
      const maskOf = (byte: number): number => (fold && byte >= 97 && byte <= 122 ? 0x20 : 0);
      bytes.set(needle, at);
      for (const [i, byte] of needle.entries()) bytes[at + MASK + i] = maskOf(byte);
      const [first, second] = rarest(needle, fold);
      const describes = NEEDLES + index * 128;
      bytes.fill(needle[first]!, describes, describes + 16);
      bytes.fill(needle[second]!, describes + 16, describes + 32);
      bytes.fill(maskOf(needle[first]!), describes + 32, describes + 48);
      bytes.fill(maskOf(needle[second]!), describes + 48, describes + 64);
      for (const [i, word] of [first, second, needle.length, at].entries()) {
        words.setUint32(describes + 64 + i * 4, word, true);
      }
    }
    this.#call('setNeedles', needles.length);
  }

  setAutomaton(automaton: Automaton): void {
    this.#automaton = automaton;
    this.#bytes.set(automaton.classes, CLASSES);
    this.#call('setEnd', automaton.end);
    automaton.attach(this);
  }

  /** Lists or counts lines with a needle in text[from, to), from the start of a line; answers where to go on. */
  byNeedles(from: number, to: number, mode: NeedleMode, doubtful: boolean, list: boolean): number {
    return this.#scan('byNeedles', TEXT + from, TEXT + to, mode, Number(doubtful), Number(list)) - TEXT;
  }

  /** The same of lines the automaton accepts. */
  byAutomaton(from: number, to: number, doubtful: boolean, list: boolean): number {
    return this.#scan('byAutomaton', TEXT + from, TEXT + to, Number(doubtful), Number(list)) - TEXT;
  }

  /** Lists all lines, as doubts or not. */
  everyLine(from: number, to: number, doubt: boolean): number {
    return this.#call('everyLine', TEXT + from, TEXT + to, Number(doubt)) - TEXT;
  }

  /** Lines the last call was sure of and did not list. */
  get sure(): number {
    return this.#call('sure');
  }

  /** Lines the last call listed, flat [start, end, ...]; ends may carry DOUBT. Valid until the next call. */
  get listed(): Uint32Array {
    return this.#list.subarray(0, 2 * this.#call('lines'));
  }

  holdsNeedle(length: number): boolean {
    return this.#call('holdsNeedle', TEXT, TEXT + length) < TEXT + length;
  }

  acceptsText(length: number): boolean {
    return this.#scan('acceptsText', TEXT, TEXT + length) === YES;
  }

  countNewlines(length: number): number {
    return this.#call('countNewlines', TEXT, TEXT + length);
  }

  /** NON_ASCII, NUL and FOLDS_TO_ASCII, as they are true of the text. */
  flagsOf(length: number): number {
    return this.#call('flagsOf', TEXT, TEXT + length);
  }

  /** A call that pauses wherever the automaton lacks a transition. */
  #scan(name: string, ...args: number[]): number {
    for (;;) {
      const answer = this.#call(name, ...args);
      if (answer !== PAUSED) return answer;
      this.#call('tell', this.#automaton!.miss(this.#call('pausedRow'), this.#call('pausedSymbol')));
    }
  }

  #call(name: string, ...args: number[]): number {
    return this.#kernel.exports[name]!(...args);
  }
}

/** Where the two rarest bytes of a needle are, unequal ones if there are. */
function rarest(needle: Uint8Array, fold: boolean): [number, number] {
  const worth = (at: number): number => {
    const byte = needle[at]!;
    return rarity(fold && byte >= 97 && byte <= 122 ? byte | FOLD : byte);
  };
  let first = 0;
  for (let i = 1; i < needle.length; i++) if (worth(i) > worth(first)) first = i;
  let second = -1;
  for (let i = 0; i < needle.length; i++) {
    if (i === first || (second >= 0 && needle[second] !== needle[first] && needle[i] === needle[first])) continue;
    const unequal = second >= 0 && needle[second] === needle[first] && needle[i] !== needle[first];
    if (second < 0 || unequal || worth(i) > worth(second)) second = i;
  }
  return [first, second < 0 ? first : second];
}
