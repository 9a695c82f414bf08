// Makes trees: joins, simplifies, and keeps count of what they cost. Every tree of the parser comes from here.
import { foldBytes, foldScalars } from './fold.ts';
import type { Flags } from './flags.ts';
import type { Hir, Ranges } from './hir.ts';
import { normalise } from './ranges.ts';

/** A tree and what the parser needs to know of it. */
export interface Node {
  readonly hir: Hir;
  /** nesting as written */
  readonly depth: number;
  /** leaves after repetitions are written out */
  readonly size: number;
  /** matches nothing but the empty string, if anything */
  readonly zero: boolean;
  /** `(?flags)`, which nothing can repeat */
  readonly flags?: boolean;
}

export const EMPTY: Node = { hir: { kind: 'empty' }, depth: 0, size: 0, zero: true };

export function leaf(hir: Hir, depth = 0): Node {
  return { hir, depth, size: 1, zero: hir.kind === 'look' };
}

/** A set read under `flags`; what holds ASCII only is the same as bytes and as characters. */
export function set(ranges: Ranges, flags: Flags): Hir {
  if (flags.unicode || ranges.length === 0 || ranges.at(-1)! < 0x80) return { kind: 'class', ranges };
  return { kind: 'bytes', ranges };
}

/** One character, or one byte where it was written as one and Unicode is off. */
export function literal(point: number, byte: boolean, flags: Flags): Hir {
  const one = [point, point];
  if (flags.unicode) return { kind: 'class', ranges: flags.fold ? foldScalars(one) : one };
  if (byte && point > 0x7f) return { kind: 'bytes', ranges: one };
  // Where Unicode is off only ASCII letters have a case.
  return { kind: 'class', ranges: flags.fold && point < 0x80 ? foldBytes(one) : one };
}

export function concat(nodes: readonly Node[]): Node {
  if (nodes.length === 0) return EMPTY;
  if (nodes.length === 1) return nodes[0]!;
  const parts: Hir[] = [];
  for (const { hir } of nodes) {
    if (hir.kind === 'concat') for (const part of hir.parts) parts.push(part);
    else if (hir.kind !== 'empty') parts.push(hir);
  }
  const hir: Hir = parts.length === 0 ? EMPTY.hir : parts.length === 1 ? parts[0]! : { kind: 'concat', parts };
  return { ...sum(nodes), hir };
}

export function alternate(nodes: readonly Node[]): Node {
  if (nodes.length === 1) return nodes[0]!;
  const parts: Hir[] = [];
  for (const { hir } of nodes) {
    if (hir.kind === 'alternate') for (const part of hir.parts) parts.push(part);
    else parts.push(hir);
  }
  // Single characters are one class: order cannot matter among them.
  const classes = parts.filter((part) => part.kind === 'class');
  const hir: Hir =
    classes.length === parts.length
      ? { kind: 'class', ranges: normalise(classes.flatMap(({ ranges }) => ranges)) }
      : { kind: 'alternate', parts };
  return { ...sum(nodes), hir };
}

function sum(nodes: readonly Node[]): Omit<Node, 'hir'> {
  let depth = 0;
  let size = 0;
  let zero = true;
  for (const node of nodes) {
    depth = Math.max(depth, node.depth);
    size += node.size;
    zero &&= node.zero;
  }
  return { depth: depth + 1, size, zero };
}

export function repeat(node: Node, least: number, most: number, greedy: boolean): Node {
  // Repeating what matches no character changes nothing after the first time.
  const min = node.zero ? Math.min(least, 1) : least;
  const max = node.zero ? Math.min(most, 1) : most;
  const depth = node.depth + 1;
  if (max === 0 || node.hir.kind === 'empty') return { ...EMPTY, depth };
  const size = Math.max(1, node.size) * (max === Infinity ? Math.max(1, min) : max) + 1;
  if (min === 1 && max === 1) return { ...node, depth, size };
  return { hir: { kind: 'repeat', body: node.hir, min, max, greedy }, depth, size, zero: node.zero };
}
