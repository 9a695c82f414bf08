// A pattern as a deterministic automaton over bytes, made row by row as text asks for it. Rows live in a table the kernel
// reads; when it is full all are forgotten, so memory is bounded and time stays linear in the text.
// It accepts every text the pattern matches; it may accept more only where a high byte stands in the text.
import type { Hir } from '../syntax/hir.ts';
import { EDGE, HIGH, KINDS, NEWLINE, OPEN, OTHER, RETURN, WORD, behind, between } from './kinds.ts';
import { ACCEPT, BYTES, LOOK, SPLIT, makeNfa } from './nfa.ts';
import type { Nfa } from './nfa.ts';

/** Marks in the table, as the kernel has them. */
export const MATCH = 0xfffffffe;
export const DEAD = 0xfffffffd;
export const UNKNOWN = 0xffffffff;

/** Most node numbers kept of all rows together. */
const MAX_NODES = 1 << 19;
const WORD_BYTES = [48, 57, 65, 90, 95, 95, 97, 122];

export interface Automaton {
  /** class of each byte */
  readonly classes: Uint8Array;
  /** the class of the end of text, one more than the last of `classes` */
  readonly end: number;
  /** every line matches: there is an empty match wherever one starts */
  readonly all: boolean;
  /** it accepts nothing the pattern does not match */
  readonly exact: boolean;
  /** starts anew with an empty table; `memory` is asked for it each time, because memory that grows moves */
  attach(memory: { readonly table: Uint32Array }): void;
  /** the transition of a row by a class: a row, or a mark; rows are named by their offset in bytes */
  miss(row: number, symbol: number): number;
}

/** `lines`: texts are single lines, and `\n` ends one and starts the next. `undefined` where the pattern is too large. */
export function makeAutomaton(hir: Hir, options: { readonly lines: boolean }): Automaton | undefined {
  const nfa = makeNfa(hir);
  return nfa && new LazyAutomaton(nfa, options.lines);
}

class LazyAutomaton implements Automaton {
  readonly classes: Uint8Array;
  readonly end: number;
  readonly all: boolean;
  readonly exact: boolean;
  readonly #nfa: Nfa;
  readonly #lines: boolean;
  /** per class: kind of its bytes, as far as looks tell them apart */
  readonly #kindOf: Uint8Array;
  /** per set and class: does the set hold the class? */
  readonly #holds: Uint8Array;
  /** per kind: where a match may start after such a byte, and whether an empty one may */
  readonly #starts: readonly Uint16Array[];
  readonly #startAccepts: readonly boolean[];
  /** no match starts but at the start of the text */
  readonly #anchored: boolean;

  #memory: { readonly table: Uint32Array } = { table: new Uint32Array(0) };
  readonly #rows = new Map<string, number>();
  /** per row: its kind and nodes lie in `#nodes` from here to the next row's */
  #offsets: number[] = [];
  #nodes = new Uint16Array(1 << 12);
  #used = 0;

  readonly #seen: Uint32Array;
  #stamp = 0;
  #stack: number[] = [];
  /** nodes of the row being made */
  #next: Uint16Array;
  #nextLength = 0;

  constructor(nfa: Nfa, lines: boolean) {
    this.#nfa = nfa;
    this.#lines = lines;
    const features = featuresOf(nfa);
    const symbols = classesOf(nfa, features);
    this.classes = symbols.classes;
    this.end = symbols.members.length;
    this.exact = nfa.exact && !features.unicodeWord;
    this.#kindOf = Uint8Array.from(symbols.members, (byte) => features.kinds[kindOfByte(byte, lines)]!);
    this.#holds = new Uint8Array(nfa.sets.length * this.end);
    for (const [index, set] of nfa.sets.entries()) {
      for (const [symbol, byte] of symbols.members.entries()) {
        if (inRanges(set, byte)) this.#holds[index * this.end + symbol] = 1;
      }
    }
    this.#seen = new Uint32Array(nfa.kind.length);
    this.#next = new Uint16Array(nfa.kind.length + 1);
    const starts: Uint16Array[] = [];
    const accepts: boolean[] = [];
    for (let kind = 0; kind < KINDS; kind++) {
      this.#begin();
      accepts.push(this.#close(nfa.start, kind, OPEN_AHEAD));
      starts.push(this.#next.slice(0, this.#nextLength).sort());
    }
    this.#starts = starts;
    this.#startAccepts = accepts;
    this.all = accepts.every((accept, kind) => accept || (lines && kind !== EDGE));
    this.#anchored = starts.every(
      (nodes, kind) => kind === EDGE || (lines && kind === NEWLINE) || (nodes.length === 0 && !accepts[kind]),
    );
  }

  attach(memory: { readonly table: Uint32Array }): void {
    this.#memory = memory;
    this.#forget();
  }

  miss(row: number, symbol: number): number {
    const nfa = this.#nfa;
    const width = this.end + 1;
    const index = row / (width * 4);
    const from = this.#offsets[index]!;
    const to = this.#offsets[index + 1] ?? this.#used;
    const before = this.#nodes[from]!;
    const after = symbol === this.end ? EDGE : this.#kindOf[symbol]!;

    // what is reached before the byte is taken, now that it is known
    this.#begin();
    let accepted = this.#startAccepts[before]!;
    for (let i = from + 1; i < to && !accepted; i++) accepted = this.#close(this.#nodes[i]!, before, after);
    for (const node of this.#starts[before]!) accepted ||= this.#close(node, before, after);
    if (accepted) return this.#store(index, symbol, MATCH);
    if (symbol === this.end) return this.#store(index, symbol, DEAD);
    if (this.#lines && after === EDGE) return this.#store(index, symbol, 0);

    // what the byte leads to
    const reached = this.#next.slice(0, this.#nextLength);
    this.#begin();
    for (const node of this.#starts[after]!) this.#seen[node] = this.#stamp;
    accepted = this.#startAccepts[after]!;
    for (const node of reached) {
      if (accepted) break;
      for (let edge = nfa.a[node]!, last = edge + nfa.b[node]!; edge < last; edge++) {
        if (this.#holds[nfa.edgeSet[edge]! * this.end + symbol] === 1) {
          accepted ||= this.#close(nfa.edgeTo[edge]!, after, OPEN_AHEAD);
        }
      }
    }
    if (accepted) return this.#store(index, symbol, MATCH);
    if (this.#nextLength === 0 && this.#anchored) return this.#store(index, symbol, DEAD);
    return this.#intern(after, index, symbol);
  }

  #store(index: number, symbol: number, value: number): number {
    this.#memory.table[index * (this.end + 1) + symbol] = value;
    return value;
  }

  #begin(): void {
    this.#stamp++;
    this.#nextLength = 0;
  }

  /**
   * Adds to the row being made what `node` leads to without taking a byte: nodes that take one, and looks that depend on
   * what comes while that is open. True where the end of the pattern is reached.
   */
  #close(node: number, before: number, after: number): boolean {
    const { kind, a, b, looks } = this.#nfa;
    const stack = this.#stack;
    stack.length = 0;
    stack.push(node);
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (this.#seen[at] === this.#stamp) continue;
      this.#seen[at] = this.#stamp;
      switch (kind[at]) {
        case ACCEPT:
          return true;
        case BYTES:
          this.#next[this.#nextLength++] = at;
          break;
        case SPLIT:
          stack.push(b[at]!, a[at]!);
          break;
        case LOOK: {
          const { look, unicode } = looks[a[at]!]!;
          if (after === OPEN_AHEAD) {
            const holds = behind(look, before);
            if (holds === 1) stack.push(b[at]!);
            else if (holds === OPEN) this.#next[this.#nextLength++] = at;
          } else if (between(look, unicode, before, after)) stack.push(b[at]!);
          break;
        }
      }
    }
    return false;
  }

  /** The row of the nodes in `#next` after a byte of this kind; stored as the transition of row `index`. */
  #intern(kind: number, index: number, symbol: number): number {
    const row = this.#next.subarray(0, this.#nextLength).sort();
    const key = keyOf(kind, row);
    const known = this.#rows.get(key);
    if (known !== undefined) return this.#store(index, symbol, known);
    const full =
      (this.#offsets.length + 1) * (this.end + 1) > this.#memory.table.length ||
      this.#used + row.length + 1 > MAX_NODES;
    // the row that is left is forgotten with the others, and its transition is not stored
    if (full) this.#forget();
    const made = this.#add(kind, row, key);
    return full ? made : this.#store(index, symbol, made);
  }

  #add(kind: number, row: Uint16Array, key: string): number {
    const need = this.#used + row.length + 1;
    if (need > this.#nodes.length) {
      const larger = new Uint16Array(Math.max(need, this.#nodes.length * 2));
      larger.set(this.#nodes);
      this.#nodes = larger;
    }
    const width = this.end + 1;
    const at = this.#offsets.length * width;
    this.#offsets.push(this.#used);
    this.#nodes[this.#used] = kind;
    this.#nodes.set(row, this.#used + 1);
    this.#used = need;
    this.#memory.table.fill(UNKNOWN, at, at + width);
    this.#rows.set(key, at * 4);
    return at * 4;
  }

  /** Only the row of the start is left, and it is row 0. */
  #forget(): void {
    this.#rows.clear();
    this.#offsets = [];
    this.#used = 0;
    const none = new Uint16Array(0);
    this.#add(EDGE, none, keyOf(EDGE, none));
  }
}

/** In place of the kind of the byte to come: it is not known yet. */
const OPEN_AHEAD = KINDS;

function keyOf(kind: number, row: Uint16Array): string {
  return String.fromCharCode(kind) + Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString('utf16le');
}

/** What the looks of a pattern tell apart. */
interface Features {
  readonly word: boolean;
  readonly crlf: boolean;
  /** a look whose answer beside a high byte is not known */
  readonly unicodeWord: boolean;
  /** per kind, the kind that stands for it: kinds no look tells apart are one */
  readonly kinds: readonly number[];
}

function featuresOf(nfa: Nfa): Features {
  const has = (part: string): boolean => nfa.looks.some(({ look }) => look.includes(part));
  const word = has('word');
  const crlf = has('crlf');
  const kinds = [EDGE, NEWLINE, crlf ? RETURN : OTHER, word ? WORD : OTHER, OTHER, word ? HIGH : OTHER];
  return { word, crlf, unicodeWord: nfa.looks.some(({ look, unicode }) => unicode && look.includes('word')), kinds };
}

function kindOfByte(byte: number, lines: boolean): number {
  if (byte === 10) return lines ? EDGE : NEWLINE;
  if (byte === 13) return RETURN;
  if (byte >= 128) return HIGH;
  return inRanges(WORD_BYTES, byte) ? WORD : OTHER;
}

function inRanges(ranges: readonly number[], value: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) if (value >= ranges[i]! && value <= ranges[i + 1]!) return true;
  return false;
}

/** Bytes no set and no look tells apart are one class. `members` holds a byte of each. */
function classesOf(nfa: Nfa, features: Features): { classes: Uint8Array; members: number[] } {
  const classes = new Uint8Array(256);
  let count = 1;
  const split = (ranges: readonly number[]): void => {
    const inside = new Map<number, number>();
    const outside = new Set<number>();
    const set = new Uint8Array(256);
    for (let i = 0; i < ranges.length; i += 2) set.fill(1, ranges[i]!, ranges[i + 1]! + 1);
    for (let byte = 0; byte < 256; byte++) if (set[byte] === 0) outside.add(classes[byte]!);
    for (let byte = 0; byte < 256; byte++) {
      const old = classes[byte]!;
      if (set[byte] === 0 || !outside.has(old)) continue;
      let made = inside.get(old);
      if (made === undefined) {
        made = count++;
        inside.set(old, made);
      }
      classes[byte] = made;
    }
  };
  split([10, 10]);
  if (features.crlf) split([13, 13]);
  if (features.word) {
    split(WORD_BYTES);
    split([128, 255]);
  }
  for (const set of nfa.sets) {
    if (count === 256) break;
    split(set);
  }
  const members: number[] = [];
  for (let byte = 255; byte >= 0; byte--) members[classes[byte]!] = byte;
  return { classes, members };
}
