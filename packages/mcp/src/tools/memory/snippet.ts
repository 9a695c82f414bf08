// What a list shows of a value: its beginning on one line, or the place where a term lies.
import { shorten } from '@hanzo/tool';
import { fold } from '../../lib/fold.ts';

/** Characters shown of a value in a list (contract, local core tools 5.10.1), and of those before the term. */
const SHOWN = 200;
const LEAD = 60;
/** Characters folded at a time. */
const STEP = 4096;

/** The beginning of a value on one line. */
export function beginning(value: string): string {
  return shorten(oneLine(value.slice(0, 2 * SHOWN)), SHOWN);
}

/** The value on one line around the first place where one of the terms (folded) lies; its beginning if none does. */
export function around(value: string, terms: readonly string[]): string {
  if (value.length <= SHOWN) return oneLine(value);
  const at = placeOf(value, terms);
  if (at <= LEAD) return beginning(value);
  const from = boundary(value, at - LEAD);
  return `…${shorten(oneLine(value.slice(from, from + 2 * SHOWN)), SHOWN)}`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** About where in the value, as it is written, a term lies; folding changes lengths. */
function placeOf(value: string, terms: readonly string[]): number {
  const folded = fold(value);
  const places = terms.map((term) => folded.indexOf(term)).filter((at) => at >= 0);
  if (places.length === 0) return 0;
  let left = Math.min(...places);
  for (let from = 0; from < value.length;) {
    const to = boundary(value, from + STEP);
    const length = fold(value.slice(from, to)).length;
    if (left < length) return from + Math.min(to - from, left);
    left -= length;
    from = to;
  }
  return 0;
}

/** `at`, or the place before it where that is inside a code point. */
function boundary(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at;
}
