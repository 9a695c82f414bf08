// Is a line a declaration of a name, or does it only mention it? Judged by the text of the line alone, in linear time.
import { isTyped } from './declarator.ts';
import type { Family } from './families.ts';
import { RULES, type Rules } from './rules.ts';

export { CODE_GLOBS, type Family, familyOf } from './families.ts';

/** Characters before and behind a name that are looked at; what reaches further is not read as a declaration. */
const NEAR = 256;
/** Occurrences of the name in one line that are looked at. */
const OCCURRENCES = 32;
/** Stands before a text that does not begin where its line does. */
const CUT = '\u0001';
/** A line that is a comment, or the inside of a block comment as it is usually written. */
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|<!--|"""|''')/;

/**
 * True if `line` (without its line end) reads as a declaration of `name`, an identifier that stands in it between word
 * boundaries. Comments and strings declare nothing; neither do imports and forward declarations.
 */
export function declares(line: string, name: string, family: Family): boolean {
  const rules = RULES[family];
  if (COMMENT_LINE.test(line.slice(0, NEAR))) return false;
  let seen = 0;
  for (let at = line.indexOf(name); at >= 0 && seen < OCCURRENCES; at = line.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (isWordAt(line, at - 1) || isWordAt(line, end)) continue;
    seen++;
    const before = at <= NEAR ? line.slice(0, at) : CUT + line.slice(at - NEAR, at);
    if (declaresHere(before, line.slice(end, end + NEAR), name, rules)) return true;
  }
  return false;
}

function declaresHere(before: string, after: string, name: string, rules: Rules): boolean {
  if (isPlainUse(before, after, rules)) return false;
  const declared =
    rules.keywords.has(wordBefore(before)) ||
    rules.forms.some(
      (form) => form.before.test(before) && form.after?.test(after) !== false && form.name?.test(name) !== false,
    ) ||
    (rules.typed === true && isTyped(before, after));
  return declared && !(rules.comment?.test(before) ?? false) && !isQuoted(before, rules.quotes);
}

/** Most uses are told by the signs beside them, long before any form is tried. */
function isPlainUse(before: string, after: string, rules: Rules): boolean {
  let last = before.length - 1;
  while (last >= 0 && isBlank(before.charCodeAt(last))) last--;
  const sign = last < 0 ? '' : (before[last] as string);
  if (sign !== '' && '=+/%^|<'.includes(sign)) return true;
  if (rules.typed !== true) return false;
  if (sign === '(' || sign === ',') return !before.includes('DEFINE');
  let next = 0;
  while (next < after.length && isBlank(after.charCodeAt(next))) next++;
  return (
    next < after.length &&
    '.-+)?!|%'.includes(after[next] as string) &&
    !before.trimStart().startsWith('#') &&
    !before.includes('typedef')
  );
}

/** The word that stands before a name with nothing but blanks between; '' if it is part of something else (`a.class`). */
function wordBefore(before: string): string {
  let end = before.length;
  while (end > 0 && isBlank(before.charCodeAt(end - 1))) end--;
  if (end === before.length) return '';
  let start = end;
  while (start > 0 && isAsciiWord(before.charCodeAt(start - 1))) start--;
  const sign = start > 0 ? before[start - 1] : '';
  return sign === '.' || sign === '$' || sign === "'" || sign === '-' ? '' : before.slice(start, end);
}

/** True if a string is open at the end of the text. */
function isQuoted(before: string, quotes: string): boolean {
  let open = '';
  for (let i = 0; i < before.length; i++) {
    const sign = before[i] as string;
    if (sign === '\\') i++;
    else if (open === '' ? quotes.includes(sign) : sign === open) open = open === '' ? sign : '';
  }
  return open !== '';
}

const isBlank = (code: number): boolean => code === 32 || code === 9;

function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

function isWordAt(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  if (Number.isNaN(code)) return false;
  return code < 128 ? isAsciiWord(code) : /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d]/u.test(line.charAt(at));
}
