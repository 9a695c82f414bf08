// Whether a place in bytes is what a look asks for: line and text ends, word boundaries. As Rust's regex decides it.
import type { Look } from '../syntax/hir.ts';
import { has } from '../syntax/ranges.ts';
import { perlScalars } from '../syntax/unicode.ts';
import { decode } from './decode.ts';

const LF = 0x0a;
const CR = 0x0d;

function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f
  );
}

function isWord(point: number): boolean {
  return point < 0x80 ? isWordByte(point) : has(perlScalars('w'), point);
}

/** What stands on one side of a place. */
const NOTHING = 0;
const WORD = 1;
/** bytes that are no character */
const BROKEN = 2;

function sideAhead(text: Uint8Array, at: number, to: number, unicode: boolean): number {
  if (at >= to) return NOTHING;
  const byte = text[at]!;
  if (byte < 0x80 || !unicode) return isWordByte(byte) ? WORD : NOTHING;
  const decoded = decode(text, at, to);
  if (decoded < 0) return BROKEN;
  return isWord(decoded >> 3) ? WORD : NOTHING;
}

function sideBehind(text: Uint8Array, at: number, from: number, unicode: boolean): number {
  if (at <= from) return NOTHING;
  const byte = text[at - 1]!;
  if (byte < 0x80 || !unicode) return isWordByte(byte) ? WORD : NOTHING;
  // Back over continuation bytes to what should be the start. As in ripgrep, stray ones after a whole character are not
  // looked at: that character counts.
  let start = at - 1;
  for (const limit = Math.max(from, at - 4); start > limit && (text[start]! & 0xc0) === 0x80;) start--;
  const decoded = decode(text, start, at);
  if (decoded < 0) return BROKEN;
  return isWord(decoded >> 3) ? WORD : NOTHING;
}

/** Does `look` hold at `at` in `text[from, to)`? */
export function holds(look: Look, unicode: boolean, text: Uint8Array, at: number, from: number, to: number): boolean {
  switch (look) {
    case 'text-start':
      return at === from;
    case 'text-end':
      return at === to;
    case 'line-start':
      return at === from || text[at - 1] === LF;
    case 'line-end':
      return at === to || text[at] === LF;
    case 'line-start-crlf':
      // Not between the two bytes of one line end.
      return at === from || text[at - 1] === LF || (text[at - 1] === CR && (at === to || text[at] !== LF));
    case 'line-end-crlf':
      return at === to || text[at] === CR || (text[at] === LF && (at === from || text[at - 1] !== CR));
    case 'word-start-half':
      return sideBehind(text, at, from, unicode) === NOTHING;
    case 'word-end-half':
      return sideAhead(text, at, to, unicode) === NOTHING;
    default:
      return atBoundary(look, sideBehind(text, at, from, unicode), sideAhead(text, at, to, unicode));
  }
}

function atBoundary(look: 'word' | 'not-word' | 'word-start' | 'word-end', behind: number, ahead: number): boolean {
  switch (look) {
    case 'word':
      return (behind === WORD) !== (ahead === WORD);
    case 'not-word':
      // Beside bytes that are no character nothing is known, so that it never splits one.
      return behind !== BROKEN && ahead !== BROKEN && (behind === WORD) === (ahead === WORD);
    case 'word-start':
      return behind !== WORD && ahead === WORD;
    case 'word-end':
      return behind === WORD && ahead !== WORD;
  }
}
