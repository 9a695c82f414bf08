// What two texts have in common when one is searched in the other: case, accents, widths and composition do not count.

// oxlint-disable-next-line no-control-regex -- all but U+0000
const ASCII = /^[\x01-\x7f]*$/;
/** Accents (U+0300 to U+036F), and what is there without being seen: soft hyphens, joiners of words, presentation selectors. */
const DROPPED = /[\u0300-\u036f]|\u00ad|\u200b|\u2060|\ufe0e|\ufe0f|\ufeff/g;
/** Letters, digits, marks and `_` of any script. */
const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Occurrences of a term that are looked at for a better one. */
const LOOKED_AT = 1000;

/**
 * The form in which texts are compared: compatibility forms taken apart (NFKD), lower case, without accents, put together
 * again (NFC). U+0000 becomes a blank.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(DROPPED, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('\0', ' ')
    .normalize('NFC');
}

/** The terms of a query, folded, each once: what stands between blanks. Nothing in it is syntax. */
export function termsOf(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/u))].filter((term) => term !== '');
}

/** How a term lies in a text: not at all, inside a word, at the start of one, as one. */
export const NOWHERE = 0;
export const INSIDE = 1;
export const START = 2;
export const WHOLE = 3;

/** The best way in which a folded term lies in a folded text. The edges of a term that is no letter are always those of a word. */
export function lies(text: string, term: string): number {
  const free = !WORD.test(codePoint(term, 0));
  const open = !WORD.test(before(term, term.length));
  let best = NOWHERE;
  let at = text.indexOf(term);
  for (let i = 0; at >= 0 && i < LOOKED_AT; i++) {
    const starts = free || at === 0 || !WORD.test(before(text, at));
    const end = at + term.length;
    const ends = open || end === text.length || !WORD.test(codePoint(text, end));
    const how = starts ? (ends ? WHOLE : START) : INSIDE;
    if (how > best) best = how;
    if (best === WHOLE) return best;
    at = text.indexOf(term, at + 1);
  }
  return best;
}

const codePoint = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0);

/** The code point that ends at `at`. */
function before(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return codePoint(text, low >= 0xdc00 && low < 0xe000 && at > 1 ? at - 2 : at - 1);
}
