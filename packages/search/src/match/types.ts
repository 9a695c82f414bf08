// How lines are found in bytes: a specification that travels to threads, and the scanner that is made from it.
import type { Hir } from '../syntax/hir.ts';

/** What is known of a file's bytes before they are scanned. */
export const NON_ASCII = 1;
/** holds a NUL byte: binary, not searched in a tree */
export const NUL = 2;
/** larger than the limit, or not readable */
export const UNREAD = 4;
/** holds U+212A KELVIN SIGN or U+017F LONG S, which fold to ASCII letters */
export const FOLDS_TO_ASCII = 8;
/** begins with a UTF-16 mark: transcoded to UTF-8 before anything else */
export const UTF16 = 16;
/** begins with a UTF-8 mark, which is not part of the text */
export const UTF8_MARK = 32;
/** the start of the file is one that is withheld (IndexOptions.withhold) */
export const WITHHELD = 64;

/** Everything a thread needs to search: plain data, structured-clonable. */
export interface ScanSpec {
  readonly hir: Hir;
  readonly multiline: boolean;
  /** every matching line holds one of these (UTF-8 bytes); empty: nothing known */
  readonly needles: readonly Uint8Array[];
  /** needles are lower-case, and ASCII letters match either case */
  readonly fold: boolean;
  /** a line matches if and only if it holds a needle; `ascii`: but for text with FOLDS_TO_ASCII */
  readonly certain: 'never' | 'ascii' | 'always';
  /** `certain` needles count only between word boundaries; beside a high byte the exact matcher decides */
  readonly word: boolean;
}

/** Lines of one text, by position in the scanner's buffer. */
export interface LineSpans {
  /** flat [start, end, ...] of matching lines, without line ends, ascending */
  readonly spans: Uint32Array;
}

/**
 * Finds matching lines in bytes. One scanner serves one thread and one query. Text is what the file holds after its mark is
 * taken off and UTF-16 is turned into UTF-8; lines end at `\n` only.
 */
export interface LineScanner {
  /** a view of at least `bytes` bytes, to read a file into; valid until the next call of `room`, which keeps what is in it */
  room(bytes: number): Uint8Array;
  /** do the first `length` bytes of the room surely match nothing? Costs less than to find out what they are */
  lacks(length: number): boolean;
  /** makes text of the first `length` bytes of the room; `flags` as in this module */
  normalise(length: number): { readonly length: number; readonly flags: number };
  /** matching lines of the text in the room; `flags` as `normalise` gave them, or as an index remembers them */
  count(length: number, flags: number): number;
  /** where the matching lines are, at most `limit` of them */
  lines(length: number, flags: number, limit: number): LineSpans;
}

/** The exact meaning of a pattern, in time linear in the text. Slow; the scanner asks it only where bytes do not decide. */
export interface Matcher {
  /** is there a match in `text[from, to)`, seen as a text of its own (a line without its end, or a whole file)? */
  test(text: Uint8Array, from: number, to: number): boolean;
  /** leftmost-first, non-overlapping matches as byte offsets, flat [start, end, ...], at most `limit` */
  spans(text: Uint8Array, from: number, to: number, limit: number): number[];
}
