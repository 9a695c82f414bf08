// A pattern as a nondeterministic automaton over bytes. Characters are written out in UTF-8 where that takes few
// sequences; a class that would take many becomes "a possible first byte, then continuation bytes", which accepts more.
import type { Hir, Look, Ranges } from '../syntax/hir.ts';
import { sequences } from './utf8.ts';
import type { Sequence } from './utf8.ts';

/** `a`: first edge, `b`: how many edges */
export const BYTES = 0;
/** `a`, `b`: the nodes to go on with */
export const SPLIT = 1;
/** `a`: index into `looks`, `b`: next */
export const LOOK = 2;
export const ACCEPT = 3;
const FAIL = 4;

export interface Nfa {
  readonly kind: readonly number[];
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** per edge: index into `sets`, and the node it leads to */
  readonly edgeSet: readonly number[];
  readonly edgeTo: readonly number[];
  /** sets of bytes, as ranges */
  readonly sets: readonly Ranges[];
  readonly looks: readonly { readonly look: Look; readonly unicode: boolean }[];
  readonly start: number;
  /** false: some class accepts more than it should */
  readonly exact: boolean;
}

/** Node numbers are kept in 16 bits. */
const MAX_NODES = 60_000;
/** Work the repetitions of a pattern may cause, in nodes visited. */
const MAX_STEPS = 200_000;
/** A class of more sequences than this is approximated. */
const MAX_SEQUENCES = 16;

/** A class in bytes: what it is below U+0080, and its sequences; or the first bytes of its sequences where they are too many. */
interface ClassBytes {
  readonly ascii: Ranges;
  readonly sequences: readonly Sequence[] | undefined;
  readonly firsts: Ranges;
}

class TooLarge extends Error {}

class Builder implements Nfa {
  readonly kind: number[] = [];
  readonly a: number[] = [];
  readonly b: number[] = [];
  readonly edgeSet: number[] = [];
  readonly edgeTo: number[] = [];
  readonly sets: Ranges[] = [];
  readonly looks: { look: Look; unicode: boolean }[] = [];
  start = 0;
  exact = true;
  readonly #maxSequences: number;
  readonly #setIds = new Map<string, number>();
  readonly #lookIds = new Map<string, number>();
  readonly #classes = new Map<Ranges, ClassBytes>();
  #steps = 0;

  constructor(maxSequences: number) {
    this.#maxSequences = maxSequences;
  }

  node(kind: number, a: number, b: number): number {
    if (this.kind.length >= MAX_NODES) throw new TooLarge();
    this.a.push(a);
    this.b.push(b);
    return this.kind.push(kind) - 1;
  }

  /** The automaton of `hir` that goes on with `next`; answers where it starts. */
  add(hir: Hir, next: number): number {
    if (++this.#steps > MAX_STEPS) throw new TooLarge();
    switch (hir.kind) {
      case 'empty':
        return next;
      case 'bytes':
        return this.#edges([[hir.ranges, next]]);
      case 'class':
        return this.#class(hir.ranges, next);
      case 'look':
        return this.node(LOOK, this.#look(hir.look, hir.unicode), next);
      case 'concat':
        for (let i = hir.parts.length - 1; i >= 0; i--) next = this.add(hir.parts[i]!, next);
        return next;
      case 'alternate': {
        if (hir.parts.length === 0) return this.node(FAIL, 0, 0);
        let first = this.add(hir.parts.at(-1)!, next);
        for (let i = hir.parts.length - 2; i >= 0; i--) first = this.node(SPLIT, this.add(hir.parts[i]!, next), first);
        return first;
      }
      case 'repeat':
        return this.#repeat(hir.body, hir.min, hir.max, next);
    }
  }

  /** An empty body stays empty however often it is repeated. */
  #repeat(body: Hir, min: number, max: number, next: number): number {
    if (max === Infinity) {
      const loop = this.node(SPLIT, 0, next);
      this.a[loop] = this.add(body, loop);
      next = loop;
    } else {
      const end = next;
      for (let i = max; i > min; i--) {
        const first = this.add(body, next);
        if (first === next) break;
        next = this.node(SPLIT, first, end);
      }
    }
    for (let i = 0; i < min; i++) {
      const first = this.add(body, next);
      if (first === next) break;
      next = first;
    }
    return next;
  }

  #class(ranges: Ranges, next: number): number {
    let bytes = this.#classes.get(ranges);
    if (bytes === undefined) {
      bytes = classBytes(ranges, this.#maxSequences);
      this.#classes.set(ranges, bytes);
    }
    const edges: [Ranges, number][] = [];
    if (bytes.ascii.length > 0) edges.push([bytes.ascii, next]);
    if (bytes.sequences === undefined) {
      this.exact = false;
      const rest = this.node(SPLIT, 0, next);
      const more = this.#edges([[[0x80, 0xbf], rest]]);
      this.a[rest] = more;
      edges.push([bytes.firsts, more]);
    } else {
      // sequences with the same ends share them
      const shared = new Map<string, number>();
      const firsts = new Map<number, number[]>();
      for (const sequence of bytes.sequences) {
        let to = next;
        for (let i = sequence.length - 2; i >= 2; i -= 2) {
          const range = [sequence[i]!, sequence[i + 1]!];
          const key = `${range[0]},${range[1]},${to}`;
          const known = shared.get(key);
          if (known === undefined) {
            to = this.#edges([[range, to]]);
            shared.set(key, to);
          } else to = known;
        }
        const same = firsts.get(to);
        if (same === undefined) firsts.set(to, [sequence[0]!, sequence[1]!]);
        else same.push(sequence[0]!, sequence[1]!);
      }
      for (const [to, set] of firsts) edges.push([set, to]);
    }
    return this.#edges(edges);
  }

  #edges(edges: readonly (readonly [Ranges, number])[]): number {
    const first = this.edgeSet.length;
    for (const [ranges, to] of edges) {
      this.edgeSet.push(this.#set(ranges));
      this.edgeTo.push(to);
    }
    return this.node(BYTES, first, edges.length);
  }

  #set(ranges: Ranges): number {
    const key = ranges.join(',');
    let id = this.#setIds.get(key);
    if (id === undefined) {
      id = this.sets.push(ranges) - 1;
      this.#setIds.set(key, id);
    }
    return id;
  }

  #look(look: Look, unicode: boolean): number {
    const key = `${look} ${unicode}`;
    let id = this.#lookIds.get(key);
    if (id === undefined) {
      id = this.looks.push({ look, unicode }) - 1;
      this.#lookIds.set(key, id);
    }
    return id;
  }
}

function classBytes(ranges: Ranges, maxSequences: number): ClassBytes {
  const ascii: number[] = [];
  const out: Sequence[] = [];
  const firsts: number[] = [];
  let few = true;
  for (let i = 0; i < ranges.length; i += 2) {
    const low = ranges[i]!;
    const high = ranges[i + 1]!;
    if (low < 0x80) ascii.push(low, Math.min(high, 0x7f));
    if (high < 0x80) continue;
    // ranges name no surrogates, but one may reach over them
    const from = Math.max(low, 0x80);
    if (from < 0xd800 && high > 0xdfff) {
      few &&= sequences(from, 0xd7ff, maxSequences, out) && sequences(0xe000, high, maxSequences, out);
    } else few &&= sequences(from, high, maxSequences, out);
    const first = firstByte(from);
    // in order, so only the last range can meet the next
    if (first <= (firsts.at(-1) ?? 0) + 1) firsts[firsts.length - 1] = firstByte(high);
    else firsts.push(first, firstByte(high));
  }
  return { ascii, sequences: few ? out : undefined, firsts };
}

function firstByte(point: number): number {
  if (point < 0x800) return 0xc0 | (point >> 6);
  if (point < 0x10000) return 0xe0 | (point >> 12);
  return 0xf0 | (point >> 18);
}

/** The automaton of a pattern, or `undefined` where it would be too large. */
export function makeNfa(hir: Hir): Nfa | undefined {
  // a long pattern may fit when its classes are approximated
  for (const maxSequences of [MAX_SEQUENCES, 0]) {
    const builder = new Builder(maxSequences);
    try {
      const accept = builder.node(ACCEPT, 0, 0);
      builder.start = builder.add(hir, accept);
      return builder;
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  return undefined;
}
