// Bracketed classes: `[...]` with ranges, nested and named classes, and the operators && -- ~~. Gives their set.
import type { Cursor } from './cursor.ts';
import { readEscape } from './escape.ts';
import type { Flags } from './flags.ts';
import { foldBytes, foldScalars } from './fold.ts';
import type { Ranges } from './hir.ts';
import { ALL_BYTES, ALL_SCALARS, differ, intersect, normalise, subtract } from './ranges.ts';
import { posix } from './unicode.ts';

/** A class as its code points (bytes where Unicode is off), and how deep it is nested. */
export interface Bracketed {
  readonly ranges: Ranges;
  readonly depth: number;
}

type Operator = '&&' | '--' | '~~';

/** A class that is open: what was read of it, and where it began. */
interface Open {
  readonly start: number;
  readonly not: boolean;
  /** items since the bracket or the last operator, as pairs */
  pairs: number[];
  items: number;
  depth: number;
  /** what the operator applies to */
  left: { readonly operator: Operator; readonly ranges: Ranges; readonly depth: number } | undefined;
}

/** Reads the class that starts at the `[` here. Nesting costs no stack. */
export function readClass(cursor: Cursor, flags: Flags): Bracketed {
  const all = flags.unicode ? ALL_SCALARS : ALL_BYTES;
  const fold = (ranges: Ranges): Ranges => {
    if (!flags.fold) return ranges;
    return flags.unicode ? foldScalars(ranges) : foldBytes(ranges);
  };
  const stack: Open[] = [];
  let open = readOpen(cursor);
  for (;;) {
    cursor.skip();
    const { char } = cursor;
    if (cursor.done) unclosed(cursor, open);
    if (char === '[') {
      const named = readPosix(cursor);
      if (named === undefined) {
        stack.push(open);
        open = readOpen(cursor);
      } else {
        addItem(open, named.not ? subtract(all, fold(named.ranges)) : fold(named.ranges), 0);
      }
    } else if (char === ']') {
      cursor.bump();
      const { ranges, depth } = finishSide(open, fold);
      const folded = fold(ranges);
      const closed = intersect(open.not ? subtract(all, folded) : folded, all);
      const parent = stack.pop();
      if (parent === undefined) return { ranges: closed, depth: depth + 1 };
      open = parent;
      addItem(open, closed, depth + 1);
    } else if ((char === '&' || char === '-' || char === '~') && cursor.next === char) {
      cursor.bump();
      cursor.bump();
      const side = finishSide(open, fold);
      open.left = { operator: `${char}${char}` as Operator, ranges: side.ranges, depth: side.depth };
      open.pairs = [];
      open.items = 0;
      open.depth = 0;
    } else {
      readItem(cursor, flags, open);
    }
  }
}

function addItem(open: Open, ranges: Ranges, depth: number): void {
  for (const end of ranges) open.pairs.push(end);
  open.items++;
  open.depth = Math.max(open.depth, depth);
}

/** What stands between brackets and operators, joined to what is left of it. */
function finishSide(open: Open, fold: (ranges: Ranges) => Ranges): Bracketed {
  const ranges = normalise(open.pairs);
  const depth = open.depth + (open.items > 1 ? 1 : 0);
  const { left } = open;
  if (left === undefined) return { ranges, depth };
  const apply = { '&&': intersect, '--': subtract, '~~': differ }[left.operator];
  return { ranges: apply(fold(left.ranges), fold(ranges)), depth: 1 + Math.max(left.depth, depth) };
}

function unclosed(cursor: Cursor, open: Open): never {
  return cursor.fail('this class is not closed; end it with ], or write \\[ for a bracket', open.start);
}

/** Past `[`, `^`, and the `-` and `]` that mean themselves because they come first. */
function readOpen(cursor: Cursor): Open {
  const open: Open = { start: cursor.at, not: false, pairs: [], items: 0, depth: 0, left: undefined };
  cursor.step();
  const not = cursor.char === '^';
  if (not) cursor.step();
  for (; cursor.char === '-'; cursor.step()) addItem(open, [0x2d, 0x2d], 0);
  if (open.items === 0 && cursor.char === ']') {
    addItem(open, [0x5d, 0x5d], 0);
    cursor.step();
  }
  if (cursor.done) unclosed(cursor, open);
  return { ...open, not };
}

/** `[:name:]`; whatever is not quite one is a class of its characters, as in ripgrep. */
function readPosix(cursor: Cursor): { readonly ranges: Ranges; readonly not: boolean } | undefined {
  const start = cursor.at;
  if (cursor.take('[:')) {
    const not = cursor.take('^');
    const from = cursor.at;
    while (!cursor.done && cursor.char !== ':') cursor.bump();
    const ranges = posix(cursor.since(from));
    if (ranges !== undefined && cursor.take(':]')) return { ranges, not };
  }
  cursor.back(start);
  return undefined;
}

/** One end of a range. */
interface Literal {
  readonly point: number;
  readonly byte: boolean;
  readonly at: number;
}

/** A character, a range or an escape. */
function readItem(cursor: Cursor, flags: Flags, open: Open): void {
  const first = readPrimitive(cursor, flags);
  cursor.skip();
  if (cursor.done) unclosed(cursor, open);
  // A `-` before `]` is itself, and two of them are an operator.
  const after = cursor.char === '-' ? cursor.nextSkipping() : '';
  if (cursor.char !== '-' || after === ']' || after === '-') {
    if ('ranges' in first) return addItem(open, first.ranges, 0);
    const point = member(cursor, flags, first);
    return addItem(open, [point, point], 0);
  }
  cursor.step();
  if (cursor.done) unclosed(cursor, open);
  const at = cursor.at;
  const second = readPrimitive(cursor, flags);
  if ('ranges' in first)
    return cursor.fail('a range starts with one character, not with a class; write \\- for a hyphen', first.at);
  if ('ranges' in second)
    return cursor.fail('a range ends with one character, not with a class; write \\- for a hyphen', at);
  const low = member(cursor, flags, first);
  const high = member(cursor, flags, second);
  if (low > high) cursor.fail('this range is upside down; write the lower character first', first.at);
  addItem(open, [low, high], 0);
}

function readPrimitive(cursor: Cursor, flags: Flags): Literal | { readonly ranges: Ranges; readonly at: number } {
  const { at, char } = cursor;
  if (char !== '\\') {
    cursor.bump();
    return { point: char.codePointAt(0)!, byte: false, at };
  }
  const escape = readEscape(cursor, flags);
  if (escape.kind === 'look') return cursor.fail('a class holds characters, not places such as \\b', at);
  if (escape.kind === 'set') return { ranges: escape.ranges, at };
  return { point: escape.point, byte: escape.byte, at };
}

/** What the literal adds to the class: where Unicode is off only bytes may. */
function member(cursor: Cursor, flags: Flags, literal: Literal): number {
  if (!flags.unicode && literal.point > 0x7f && !literal.byte) {
    cursor.fail('where Unicode is off a class holds bytes; write a byte above 7F as \\xNN', literal.at);
  }
  return literal.point;
}
