// ripgrep's regex dialect (Rust's `regex`) on a linear-time engine: what differs is translated or refused with its place.
import { shorten, ToolError } from '@hanzo/tool';
import type { RE2JS } from 're2js';

export interface PatternOptions {
  readonly ignoreCase: boolean;
  readonly word: boolean;
  readonly literal: boolean;
  readonly multiline: boolean;
}

/** A pattern ready to search with. */
export interface Pattern {
  /** for text of ASCII only, where the short classes mean the same and cost less */
  readonly ascii: RE2JS;
  /** for any text; compiled on first use */
  unicode(): RE2JS;
  /** ASCII text that every matching line holds, '' if none is known; lower-cased if case is ignored */
  readonly required: string;
  /** the match itself is the first group: what stands around a word belongs to the expression, not to the match */
  readonly grouped: boolean;
  /** the required text is the whole pattern: a line that holds it matches */
  readonly plain: boolean;
}

const WORD = '\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200c}\\x{200d}';
const SPACE =
  '\\t\\x{0b}\\x{0c}\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}';

/** Compiles a caller's pattern. INVALID_PARAMS says what is wrong and where. */
export async function compilePattern(pattern: string, options: PatternOptions): Promise<Pattern> {
  if (pattern === '') throw refuse('is empty; it would match every line', 0);
  const { RE2JS: engine } = await import('re2js');
  const flags = engine.MULTILINE | (options.ignoreCase ? engine.CASE_INSENSITIVE : 0);
  const source = options.literal ? escapeLiteral(pattern) : pattern;
  if (!options.multiline && /\n/.test(pattern))
    throw refuse('holds a line end; pass multiline: true to match across lines', pattern.indexOf('\n'));
  const compile = (unicode: boolean): RE2JS => {
    const translated = options.literal ? source : translate(source, unicode, options.multiline);
    const end = options.multiline ? '' : '\\n';
    const word = unicode ? WORD : '\\w';
    const whole = options.word ? `(?:^|[^${word}${end}])(${translated})(?:$|[^${word}${end}])` : translated;
    try {
      return engine.compile(whole, flags);
    } catch (error) {
      throw explain(error as Error & { error?: string; input?: string }, pattern);
    }
  };
  const required = requiredText(source, options.ignoreCase);
  let wide: RE2JS | undefined;
  return {
    ascii: compile(false),
    unicode: () => (wide ??= compile(true)),
    required,
    grouped: options.word,
    plain: !options.ignoreCase && !options.word && required !== '' && (options.literal ? pattern : source) === required,
  };
}

function escapeLiteral(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}

function refuse(why: string, position: number): ToolError {
  return new ToolError('INVALID_PARAMS', `'pattern' ${why}`, { param: 'pattern', position });
}

function explain(error: Error & { error?: string; input?: string }, pattern: string): ToolError {
  const piece = error.input?.replace(/^\(\?[a-z]+\)/, '') ?? '';
  const found = pattern.indexOf(piece);
  const position = found < 0 ? 0 : found;
  const look = /^\(\?(?:[=!]|<[=!])/.test(piece) || /^\\[1-9]/.test(piece);
  const why = look
    ? 'look-around and back-references are not supported, as in ripgrep'
    : (error.error ?? error.message);
  const where = piece === '' ? '' : ` at position ${position} (${JSON.stringify(shorten(piece, 40))})`;
  return refuse(`is not a valid regex: ${why}${where}; pass literal: true to search for the text itself`, position);
}

/** Rewrites what Rust's regex reads differently. Line ends are taken out of all classes unless lines may be crossed. */
function translate(pattern: string, unicode: boolean, multiline: boolean): string {
  let out = '';
  for (let i = 0; i < pattern.length;) {
    const sign = pattern[i]!;
    if (sign === '\\') {
      const { text, length } = escape(pattern, i, unicode, multiline, false);
      out += text;
      i += length;
    } else if (sign === '[') {
      const { text, next } = translateClass(pattern, i, unicode, multiline);
      out += text;
      i = next;
    } else if (sign === '(' && pattern[i + 1] === '?') {
      const group = /^\(\?([a-zA-Z]*)(-[a-zA-Z]*)?([:)])/.exec(pattern.slice(i));
      if (!group) {
        out += sign;
        i++;
        continue;
      }
      out += flagGroup(group, multiline, i);
      i += group[0].length;
    } else {
      out += sign;
      i++;
    }
  }
  return out;
}

function flagGroup([, on = '', off = '', close]: RegExpExecArray, multiline: boolean, position: number): string {
  if (on.includes('x')) throw refuse('uses the flag x, which is not supported here; write it without blanks', position);
  if (off.includes('u')) throw refuse('turns Unicode off, which is not supported here', position);
  const kept = on.replaceAll(multiline ? /[uR]/g : /[usR]/g, '');
  const dropped = off.slice(1).replaceAll(/[xR]/g, '');
  if (kept === '' && dropped === '') return close === ')' ? '(?:)' : '(?:';
  return `(?${kept}${dropped === '' ? '' : `-${dropped}`}${close}`;
}

function escape(
  pattern: string,
  i: number,
  unicode: boolean,
  multiline: boolean,
  inClass: boolean,
): { text: string; length: number } {
  const letter = pattern[i + 1];
  const code = /^\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(pattern.slice(i, i + 16));
  if (code) return { text: `\\x{${code[1] ?? code[2] ?? code[3]}}`, length: code[0].length };
  if (letter === undefined) throw refuse('ends with a backslash that escapes nothing', i);
  if (letter === 'n' && !multiline) throw refuse('holds \\n; pass multiline: true to match across lines', i);
  if (letter === '<' || letter === '>')
    throw refuse(`uses \\${letter}, which is not supported here; use \\b or word: true`, i);
  const lineEnd = multiline ? '' : '\\n';
  const positive = new Map([
    ['d', unicode ? '\\p{Nd}' : '0-9'],
    ['w', unicode ? WORD : '\\w'],
    ['s', (unicode ? SPACE : '\\t\\x{0b}\\x{0c}\\r ') + (multiline ? '\\n' : '')],
  ]);
  const set = positive.get(letter.toLowerCase());
  if (set === undefined) return { text: pattern.slice(i, i + 2), length: 2 };
  const negated = letter !== letter.toLowerCase();
  if (inClass) return { text: negated ? `\\${letter}` : set, length: 2 };
  return { text: negated ? `[^${set}${lineEnd}]` : `[${set}]`, length: 2 };
}

function translateClass(
  pattern: string,
  start: number,
  unicode: boolean,
  multiline: boolean,
): { text: string; next: number } {
  let at = start + 1;
  let out = '[';
  if (pattern[at] === '^') {
    out += multiline ? '^' : '^\\n';
    at++;
  }
  for (let first = true; at < pattern.length; first = false) {
    const sign = pattern[at]!;
    if (sign === ']' && !first) return { text: `${out}]`, next: at + 1 };
    if (sign === '\\') {
      const { text, length } = escape(pattern, at, unicode, multiline, true);
      out += text;
      at += length;
      continue;
    }
    const posix = /^\[:\^?[a-z]+:\]/.exec(pattern.slice(at, at + 16))?.[0];
    if (posix !== undefined) {
      out += posix;
      at += posix.length;
      continue;
    }
    if (/^(&&|--|~~)/.test(pattern.slice(at, at + 2)) && !first) {
      throw refuse(`uses ${pattern.slice(at, at + 2)} in a class, which is not supported here`, at);
    }
    // a ] at the start is itself, and so is a [ inside
    out += sign === ']' || sign === '[' ? `\\${sign}` : sign;
    at++;
  }
  throw refuse(`is not a valid regex: missing closing ] at position ${start}`, start);
}

/**
 * The longest ASCII text that every match holds, as far as a look at the top level of the pattern tells: '' where it has
 * alternatives or flags. Line ends never belong to it.
 */
export function requiredText(pattern: string, ignoreCase: boolean): string {
  if (/\(\?[a-zA-Z-]*[a-zA-Z]/.test(pattern.replaceAll(/\(\?P?<\w+>/g, '('))) return '';
  let best = '';
  let run = '';
  const stop = (): void => {
    if (run.length > best.length) best = run;
    run = '';
  };
  for (let i = 0; i < pattern.length; i++) {
    const sign = pattern[i]!;
    if (sign === '|') return '';
    if (sign === '*' || sign === '?' || sign === '{') {
      run = run.slice(0, -1);
      stop();
      if (sign === '{') i = Math.max(i, pattern.indexOf('}', i));
    } else if (sign === '(' || sign === '[') {
      stop();
      i = sign === '(' ? groupEnd(pattern, i) : classEnd(pattern, i);
    } else if (sign === '\\') {
      const next = pattern[++i];
      if (next !== undefined && /[^a-zA-Z0-9<>]/.test(next) && next <= '~') run += next;
      else {
        stop();
        if (/[pPxuU]/.test(next ?? '') && pattern[i + 1] === '{') i = Math.max(i, pattern.indexOf('}', i));
        else if (next === 'p' || next === 'P') i++;
        else if (next === 'x') i += 2;
        else if (next === 'u') i += 4;
        else if (next === 'U') i += 8;
      }
    } else if (/[.^$+)\]}]/.test(sign)) stop();
    // ASCII letters that are also the folded form of others: K (KELVIN SIGN) and s (LONG S)
    else if (sign > '~' || sign < ' ' || (ignoreCase && /[kKsS]/.test(sign))) stop();
    else run += ignoreCase ? sign.toLowerCase() : sign;
  }
  stop();
  return best;
}

function groupEnd(pattern: string, start: number): number {
  let depth = 0;
  for (let i = start; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === '[') i = classEnd(pattern, i);
    else if (pattern[i] === '(') depth++;
    else if (pattern[i] === ')' && --depth === 0) return i;
  }
  return pattern.length;
}

function classEnd(pattern: string, start: number): number {
  let i = start + 1;
  if (pattern[i] === '^') i++;
  if (pattern[i] === ']') i++;
  for (; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern.startsWith('[:', i)) i = Math.max(i, pattern.indexOf(':]', i) + 1);
    else if (pattern[i] === ']') return i;
  }
  return pattern.length;
}
