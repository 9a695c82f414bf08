// What a backslash means: a character, a set, or a place. Reads one escape; the caller decides whether it may stand there.
import type { Cursor } from './cursor.ts';
import type { Flags } from './flags.ts';
import { foldScalars } from './fold.ts';
import type { Look, Ranges } from './hir.ts';
import { ALL_BYTES, ALL_SCALARS, subtract } from './ranges.ts';
import { perlAscii, perlScalars, propertyNamed, propertyValue } from './unicode.ts';

/** `byte`: written `\xNN`, which is a byte where Unicode is off. */
export type Escape =
  | { readonly kind: 'literal'; readonly point: number; readonly byte: boolean }
  /** code points, or bytes where Unicode is off; case and negation are done */
  | { readonly kind: 'set'; readonly ranges: Ranges }
  | { readonly kind: 'look'; readonly look: Look };

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['t', 0x09],
  ['n', 0x0a],
  ['r', 0x0d],
  ['v', 0x0b],
]);
const LOOKS: ReadonlyMap<string, Look> = new Map([
  ['A', 'text-start'],
  ['z', 'text-end'],
  ['b', 'word'],
  ['B', 'not-word'],
  ['<', 'word-start'],
  ['>', 'word-end'],
]);
const BOUNDARIES: ReadonlyMap<string, Look> = new Map([
  ['start', 'word-start'],
  ['end', 'word-end'],
  ['start-half', 'word-start-half'],
  ['end-half', 'word-end-half'],
]);
/** Escapes of other dialects, and what to write instead. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['Z', 'write \\z for the end of the text'],
  ['G', 'it has no counterpart'],
  ['K', 'it has no counterpart'],
  ['Q', 'search with `literal` instead'],
  ['E', 'search with `literal` instead'],
  ['h', 'write [\\t\\p{Zs}] for a horizontal blank'],
  ['H', 'write [^\\t\\p{Zs}] for anything but a horizontal blank'],
  ['R', 'write \\r?\\n for a line end, with `multiline`'],
  ['N', 'write . for any character but a line end'],
  ['X', 'there is no class for a whole grapheme'],
  ['e', 'write \\x1B for the escape character'],
  ['k', 'back-references need `backtrack`'],
]);

/** Reads the escape that starts at the backslash here. */
export function readEscape(cursor: Cursor, flags: Flags): Escape {
  const start = cursor.at;
  cursor.bump();
  const { char } = cursor;
  if (char === '') cursor.fail('the pattern ends in a lone \\; write \\\\ for a backslash', start);
  if (char >= '0' && char <= '9') {
    cursor.fail(
      `back-references such as \\${char} are not supported; \`backtrack\` takes a JavaScript expression that has them (for a character by number write \\x0${char})`,
      start,
    );
  }
  if (char === 'x' || char === 'u' || char === 'U') return readHex(cursor, char, start);
  if (char === 'p' || char === 'P') return readProperty(cursor, flags, start);
  if (/[dswDSW]/.test(char)) {
    cursor.bump();
    return { kind: 'set', ranges: perl(char, flags) };
  }
  cursor.bump();
  const look = LOOKS.get(char);
  if (look !== undefined) return { kind: 'look', look: (char === 'b' ? readBoundary(cursor) : undefined) ?? look };
  const control = CONTROLS.get(char);
  if (control !== undefined) return { kind: 'literal', point: control, byte: false };
  // Any ASCII punctuation (and blank) may be escaped; letters are kept for later, other characters need no escape.
  if (/[\0-\x7f]/.test(char) && !/[0-9A-Za-z]/.test(char)) {
    return { kind: 'literal', point: char.codePointAt(0)!, byte: false };
  }
  const instead = ELSEWHERE.get(char);
  return cursor.fail(
    `\\${char} is not an escape${instead === undefined ? `; write ${char} itself` : `; ${instead}`}`,
    start,
  );
}

function perl(char: string, flags: Flags): Ranges {
  const name = char.toLowerCase() as 'd' | 's' | 'w';
  const ranges = flags.unicode ? perlScalars(name) : perlAscii(name);
  if (char === name) return ranges;
  return subtract(flags.unicode ? ALL_SCALARS : ALL_BYTES, ranges);
}

const DIGITS = { x: 2, u: 4, U: 8 } as const;

function readHex(cursor: Cursor, kind: 'x' | 'u' | 'U', start: number): Escape {
  cursor.step();
  let digits = '';
  const braced = cursor.char === '{';
  if (braced) {
    for (cursor.step(); !cursor.is('}'); cursor.step()) digits += hexDigit(cursor, start);
    cursor.step();
  } else {
    for (let i = 0; i < DIGITS[kind]; i++, cursor.step()) digits += hexDigit(cursor, start);
  }
  const point = Number.parseInt(digits, 16);
  if (digits === '') cursor.fail(`\\${kind}{} holds no digits; write for example \\x{1F600}`, start);
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
    cursor.fail(`${digits} is not the number of a character (0 to 10FFFF without D800 to DFFF)`, start);
  }
  return { kind: 'literal', point, byte: kind === 'x' && !braced };
}

function hexDigit(cursor: Cursor, start: number): string {
  const { char } = cursor;
  if (cursor.done) cursor.fail('the pattern ends within an escape; write \\xNN, \\uNNNN, \\UNNNNNNNN or \\x{N}', start);
  if (!/[0-9A-Fa-f]/.test(char)) cursor.fail(`${JSON.stringify(char)} is not a hexadecimal digit`);
  return char;
}

/** `\b{start}` and its like; `undefined` where what follows `\b` is nothing or a repetition. */
function readBoundary(cursor: Cursor): Look | undefined {
  if (cursor.char !== '{') return undefined;
  const open = cursor.at;
  cursor.step();
  if (cursor.done)
    cursor.fail('`\\b{` is not closed; write \\b{start}, \\b{end}, \\b{start-half} or \\b{end-half}', open);
  if (!/[A-Za-z-]/.test(cursor.char)) {
    cursor.back(open);
    return undefined;
  }
  let name = '';
  for (; /[A-Za-z-]/.test(cursor.char); cursor.step()) name += cursor.char;
  const look = cursor.is('}') ? BOUNDARIES.get(name) : undefined;
  if (look === undefined) {
    cursor.fail(`\\b{${name} is not a boundary; write \\b{start}, \\b{end}, \\b{start-half} or \\b{end-half}`, open);
  }
  cursor.bump();
  return look;
}

function readProperty(cursor: Cursor, flags: Flags, start: number): Escape {
  const letter = cursor.char;
  if (!flags.unicode) cursor.fail(`\\${letter} is a class of characters and needs Unicode: not within (?-u)`, start);
  cursor.step();
  let name = cursor.char;
  if (cursor.done || name === '\\')
    cursor.fail(`\\${letter} is followed by a letter or a name in braces, such as \\p{Greek}`, start);
  if (name === '{') {
    name = '';
    for (cursor.step(); !cursor.is('}'); cursor.step()) {
      if (cursor.done) cursor.fail(`\\${letter}{ is not closed`, start);
      name += cursor.char;
    }
    cursor.bump();
  } else {
    cursor.step();
  }
  const { ranges, not } = lookUp(cursor, name, start);
  const folded = flags.fold ? foldScalars(ranges) : ranges;
  return { kind: 'set', ranges: not === (letter === 'P') ? folded : subtract(ALL_SCALARS, folded) };
}

function lookUp(cursor: Cursor, name: string, start: number): { readonly ranges: Ranges; readonly not: boolean } {
  const operator = name.includes('!=') ? '!=' : name.includes(':') ? ':' : name.includes('=') ? '=' : undefined;
  if (operator === undefined) {
    const ranges = propertyNamed(name);
    if (ranges === undefined) cursor.fail(`there is no Unicode property ${JSON.stringify(name)}`, start);
    return { ranges, not: false };
  }
  const at = name.indexOf(operator);
  const property = name.slice(0, at);
  const value = name.slice(at + operator.length);
  const { known, ranges } = propertyValue(property, value);
  if (!known)
    cursor.fail(
      `there is no Unicode property ${JSON.stringify(property)} with values; gc, sc, scx, age, gcb, wb and sb are`,
      start,
    );
  if (ranges === undefined)
    cursor.fail(`the Unicode property ${property} has no value ${JSON.stringify(value)}`, start);
  return { ranges, not: operator === '!=' };
}
