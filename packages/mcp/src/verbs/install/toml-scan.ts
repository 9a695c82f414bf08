// Finds the statements of a TOML text that a parser has already accepted: where each header and each pair stands.
import { parse } from 'smol-toml';

interface Lines {
  /** start of the statement's first line */
  readonly start: number;
  /** past the line end of its last line */
  readonly end: number;
  /** the table it stands in (a pair) or opens (a header) */
  readonly table: readonly string[];
}

export interface Header extends Lines {
  readonly kind: 'header';
  readonly array: boolean;
}

export interface Pair extends Lines {
  readonly kind: 'pair';
  /** the whole path, table included */
  readonly path: readonly string[];
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

export type Statement = Header | Pair;

/** The statements in order of appearance. `text` must be valid TOML: nothing is checked here. */
export function scanToml(text: string): Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let at = 0;
  while (at < text.length) {
    const c = text[at];
    if (c === '#') at = lineEnd(text, at);
    else if (c === undefined || /\s/.test(c)) at++;
    else if (c === '[') {
      const array = text[at + 1] === '[';
      const from = at + (array ? 2 : 1);
      const to = skipKey(text, from, ']');
      table = keyPath(text.slice(from, to));
      const end = nextLine(text, to);
      statements.push({ kind: 'header', array, table, start: lineStart(text, at), end });
      at = end;
    } else {
      const keyStart = at;
      const equals = skipKey(text, at, '=');
      const keyEnd = keyStart + text.slice(keyStart, equals).trimEnd().length;
      const valueStart = equals + 1 + (/^[ \t]*/.exec(text.slice(equals + 1))?.[0].length ?? 0);
      const valueEnd = skipValue(text, valueStart);
      const path = [...table, ...keyPath(text.slice(keyStart, keyEnd))];
      const end = nextLine(text, valueEnd);
      const start = lineStart(text, keyStart);
      statements.push({ kind: 'pair', table, path, keyStart, keyEnd, valueStart, valueEnd, start, end });
      at = end;
    }
  }
  return statements;
}

/** The names of a dotted key, however they are quoted. */
function keyPath(key: string): string[] {
  if (/^[\w-]+(?:\.[\w-]+)*$/.test(key.trim())) return key.trim().split('.');
  const path: string[] = [];
  let node: unknown = parse(`${key} = true`);
  while (typeof node === 'object' && node !== null) {
    const [name, inner] = Object.entries(node)[0] ?? [];
    if (name === undefined) break;
    path.push(name);
    node = inner;
  }
  return path;
}

function skipKey(text: string, from: number, stop: string): number {
  let at = from;
  while (at < text.length && text[at] !== stop)
    at = text[at] === '"' || text[at] === "'" ? skipString(text, at) : at + 1;
  return at;
}

function skipString(text: string, from: number): number {
  const quote = text[from] as string;
  const triple = quote.repeat(3);
  if (text.startsWith(triple, from)) {
    let at = from + 3;
    while (at < text.length && !text.startsWith(triple, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1;
    at += 3;
    // Up to two quotes may stand directly before the closing three.
    while (text[at] === quote) at++;
    return at;
  }
  let at = from + 1;
  while (at < text.length && text[at] !== quote) at += quote === '"' && text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  while (at < text.length) {
    const c = text[at];
    if (c === '"' || c === "'") {
      at = skipString(text, at);
      if (depth === 0) return at;
    } else if (c === '[' || c === '{') {
      depth++;
      at++;
    } else if (c === ']' || c === '}') {
      depth--;
      at++;
      if (depth === 0) return at;
    } else if (c === '#') {
      if (depth === 0) return from + text.slice(from, at).trimEnd().length;
      at = lineEnd(text, at);
    } else if ((c === '\n' || c === '\r') && depth === 0) {
      return from + text.slice(from, at).trimEnd().length;
    } else at++;
  }
  return from + text.slice(from).trimEnd().length;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function nextLine(text: string, at: number): number {
  return Math.min(text.length, lineEnd(text, at) + 1);
}
