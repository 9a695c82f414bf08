// The exact matcher: simulates all threads of a program at once over bytes, in order of preference. Linear in the text;
// asked only where cheaper means do not decide. No recursion, and no memory is taken while matching.
import type { Hir, Ranges } from '../syntax/hir.ts';
import { decode } from './decode.ts';
import { holds } from './look.ts';
import { BYTE, CLASS, compileProgram, JUMP, LOOK, MATCH, PASS, SPLIT } from './program.ts';
import type { CharSet, Program } from './program.ts';
import type { Matcher } from './types.ts';

/** The exact meaning of a pattern. Throws SearchError `PATTERN` when its repetitions are too many to write out. */
export function compileMatcher(hir: Hir): Matcher {
  return new Pike(compileProgram(hir));
}

/** Threads that wait for the byte at one place, best first. */
class Threads {
  /** instructions that take a byte, or MATCH */
  readonly at: Int32Array;
  /** where each thread began */
  readonly starts: Int32Array;
  /** every instruction that was reached, by the round in which it was */
  readonly mark: Int32Array;
  round = 0;
  length = 0;

  constructor(size: number) {
    this.at = new Int32Array(size);
    this.starts = new Int32Array(size);
    this.mark = new Int32Array(size);
  }

  clear(): void {
    this.length = 0;
    if (++this.round === 0x7fff_ffff) {
      this.mark.fill(0);
      this.round = 1;
    }
  }
}

class Pike implements Matcher {
  readonly #program: Program;
  #now: Threads;
  #next: Threads;
  /** instructions to follow after the one at hand */
  readonly #stack: Int32Array;
  /** 1 for each byte a match can begin with; undefined: a match may be empty */
  readonly #first: Uint8Array | undefined;
  #text: Uint8Array = new Uint8Array(0);
  #from = 0;
  #to = 0;
  /** the match found last; -1: none yet */
  #matchEnd = -1;
  #matchStart = -1;

  constructor(program: Program) {
    const size = program.op.length;
    this.#program = program;
    this.#now = new Threads(size);
    this.#next = new Threads(size);
    this.#stack = new Int32Array(size + 1);
    this.#first = firstBytes(program);
  }

  test(text: Uint8Array, from: number, to: number): boolean {
    return this.#search(text, from, to, from, true);
  }

  spans(text: Uint8Array, from: number, to: number, limit: number): number[] {
    const out: number[] = [];
    let last = -1;
    for (let at = from; at <= to && out.length < 2 * limit && this.#search(text, from, to, at, false);) {
      const start = this.#matchStart;
      const end = this.#matchEnd;
      const empty = start === end;
      // Nothing right after a match is no match of its own, and nothing within a character is none to show.
      const within = end > from && end < to && (text[end]! & 0xc0) === 0x80;
      if (!empty || (end !== last && !within)) out.push(start, end);
      at = empty ? end + 1 : end;
      last = end;
    }
    return out;
  }

  /** Looks for the leftmost match from `at` on; `any` is content with knowing that there is one. */
  #search(text: Uint8Array, from: number, to: number, at: number, any: boolean): boolean {
    this.#text = text;
    this.#from = from;
    this.#to = to;
    this.#matchEnd = -1;
    const first = this.#first;
    let now = this.#now;
    let next = this.#next;
    now.clear();
    for (let place = at; place <= to; place++) {
      // Nobody begins any more once there is a match: what began earlier is preferred.
      if (this.#matchEnd < 0) {
        if (now.length === 0 && first !== undefined) while (place < to && first[text[place]!] === 0) place++;
        if (first === undefined || (place < to && first[text[place]!] === 1)) {
          if (this.#follow(now, 0, place, place) && any) return true;
        } else if (place === to && now.length === 0) return false;
      } else if (now.length === 0) return true;
      next.clear();
      if (this.#step(now, next, place) && any) return true;
      [now, next] = [next, now];
    }
    return this.#matchEnd >= 0;
  }

  /** Lets every thread take the byte at `place`. True: one of them can end after it. */
  #step(now: Threads, next: Threads, place: number): boolean {
    const { op, x, sets } = this.#program;
    const text = this.#text;
    const inside = place < this.#to;
    const byte = inside ? text[place]! : 0;
    // Decoded when first asked for: -1 is no character.
    let decoded = byte < 0x80 ? (byte << 3) | 1 : -2;
    let ends = false;
    for (let i = 0; i < now.length; i++) {
      const pc = now.at[i]!;
      const kind = op[pc]!;
      if (kind === MATCH) {
        this.#matchStart = now.starts[i]!;
        this.#matchEnd = place;
        // Whoever comes after is less preferred.
        break;
      }
      if (!inside) continue;
      let to = pc + 1;
      if (kind === CLASS) {
        if (decoded === -2) decoded = decode(text, place, this.#to);
        if (decoded < 0) continue;
        const set = sets[x[pc]!]!;
        if (byte < 0x80 ? set.low[byte] === 0 : !contains(set, decoded >> 3)) continue;
        // The slots after a class let the rest of its bytes pass: the fewer there are, the later one enters.
        to = pc + 5 - (decoded & 7);
      } else if (kind === BYTE && sets[x[pc]!]!.low[byte] === 0) continue;
      if (this.#follow(next, to, now.starts[i]!, place + 1)) ends = true;
    }
    return ends;
  }

  /** Adds what is reached from `pc` without a byte. True: the end of the pattern is. */
  #follow(list: Threads, pc: number, start: number, place: number): boolean {
    const { op, x, y, looks } = this.#program;
    const { mark, round } = list;
    const stack = this.#stack;
    let height = 0;
    let ends = false;
    stack[height++] = pc;
    while (height > 0) {
      let at = stack[--height]!;
      while (mark[at] !== round) {
        mark[at] = round;
        const kind = op[at]!;
        if (kind === SPLIT) {
          stack[height++] = y[at]!;
          at = x[at]!;
        } else if (kind === JUMP) {
          at = x[at]!;
        } else if (kind === LOOK) {
          const { look, unicode } = looks[x[at]!]!;
          if (!holds(look, unicode, this.#text, place, this.#from, this.#to)) break;
          at++;
        } else {
          list.at[list.length] = at;
          list.starts[list.length++] = start;
          if (kind === MATCH) ends = true;
          break;
        }
      }
    }
    return ends;
  }
}

function contains(set: CharSet, point: number): boolean {
  const { ranges } = set;
  let low = 0;
  let high = ranges.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point > ranges[2 * middle + 1]!) low = middle + 1;
    else high = middle;
  }
  return 2 * low < ranges.length && ranges[2 * low]! <= point;
}

/** Bytes a match can begin with, whatever the looks before it say; `undefined` where it may be empty. */
function firstBytes({ op, x, y, sets }: Program): Uint8Array | undefined {
  const first = new Uint8Array(256);
  const seen = new Uint8Array(op.length);
  const stack = [0];
  for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
    if (seen[pc] === 1) continue;
    seen[pc] = 1;
    switch (op[pc]) {
      case MATCH:
        return undefined;
      case SPLIT:
        stack.push(x[pc]!, y[pc]!);
        break;
      case JUMP:
        stack.push(x[pc]!);
        break;
      case LOOK:
        stack.push(pc + 1);
        break;
      case CLASS:
        addLeads(first, [...sets[x[pc]!]!.ranges]);
        break;
      case BYTE:
        for (let byte = 0; byte < 256; byte++) first[byte]! |= sets[x[pc]!]!.low[byte]!;
        break;
      case PASS:
        break;
    }
  }
  return first;
}

/** Marks the bytes that characters of the set begin with in UTF-8. */
function addLeads(first: Uint8Array, ranges: Ranges): void {
  for (let i = 0; i < ranges.length; i += 2) first.fill(1, lead(ranges[i]!), lead(ranges[i + 1]!) + 1);
}

function lead(point: number): number {
  if (point < 0x80) return point;
  if (point < 0x800) return 0xc0 | (point >> 6);
  return point < 0x10000 ? 0xe0 | (point >> 12) : 0xf0 | (point >> 18);
}
