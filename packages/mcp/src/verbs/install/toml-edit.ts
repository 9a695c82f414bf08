// Puts one table into a TOML text, or takes it out, by whole lines; a parser checks before and after that nothing else changed.
import { isDeepStrictEqual } from 'node:util';
import { parse, TomlDate, TomlError } from 'smol-toml';
import { type Entry, type Format, FormatError, lineEndOf, placeAt } from './format.ts';
import { type Header, type Pair, scanToml, type Statement } from './toml-scan.ts';

type Table = Record<string, unknown>;

/** TOML, as Codex reads it. */
export const tomlFormat: Format = {
  get: (text, path) => valueAt(read(text), path),
  set: (text, path, entry, drop) => {
    const before = read(text);
    const known = valueAt(before, path);
    const wanted = replaced(before, path, { ...without(asTable(known), drop), ...entry });
    if (equal(before, wanted)) return text;
    const ways =
      asTable(known) === undefined
        ? [() => appendTable(text, path, entry), () => rewriteInline(text, path, wanted)]
        : [() => editTable(text, path, entry, drop), () => rewriteInline(text, path, wanted)];
    for (const way of ways) {
      const edited = way();
      if (edited !== undefined && holds(edited, wanted)) return edited;
    }
    throw new FormatError(`'${path.join('.')}' is written in a way that cannot be edited in place`, placeAt(text, 0));
  },
  remove: (text, path) => {
    const before = read(text);
    if (valueAt(before, path) === undefined) return [text];
    const wanted = replaced(before, path, undefined);
    const bare = pruned(wanted, path.slice(0, -1));
    const edited = [removeLines(text, path), rewriteInline(text, path, wanted)].find(
      (each) => each !== undefined && (holds(each, wanted) || holds(each, bare)),
    );
    if (edited === undefined) {
      throw new FormatError(`'${path.join('.')}' is written in a way that cannot be taken out`, placeAt(text, 0));
    }
    return [edited, edited.replace(/\r?\n$/, '')];
  },
};

/** Integers stay apart from floats (bigint and number), so that a comparison sees the difference. */
function read(text: string): Table {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
    throw new FormatError(message, { line: error.line, column: error.column });
  }
}

function holds(text: string, wanted: Table): boolean {
  try {
    return equal(read(text), wanted);
  } catch {
    return false;
  }
}

/** Equal as TOML: by names, types and values, whatever prototype a table has. */
function equal(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(plain(a), plain(b));
}

function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return { date: value.toISOString() };
  if (Array.isArray(value)) return value.map(plain);
  const table = asTable(value);
  return table ? new Map(Object.entries(table).map(([key, each]) => [key, plain(each)])) : value;
}

function appendTable(text: string, path: readonly string[], entry: Entry): string {
  const eol = lineEndOf(text);
  const body = Object.entries(entry).map(([key, value]) => `${key} = ${write(value)}${eol}`);
  const block = `[${path.map(writeKey).join('.')}]${eol}${body.join('')}`;
  if (text.trim() === '') return text + block;
  return `${text}${text.endsWith('\n') ? '' : eol}${eol}${block}`;
}

function editTable(text: string, path: readonly string[], entry: Entry, drop: readonly string[]): string | undefined {
  let edited = text;
  for (const key of drop) edited = removeLines(edited, [...path, key]);
  for (const [key, value] of Object.entries(entry)) {
    const statements = scanToml(edited);
    const pair = statements.find((each): each is Pair => each.kind === 'pair' && same(each.path, [...path, key]));
    if (pair) {
      if (!holdsValue(edited.slice(pair.valueStart, pair.valueEnd), value)) {
        edited = edited.slice(0, pair.valueStart) + write(value) + edited.slice(pair.valueEnd);
      }
      continue;
    }
    const line = addLine(edited, statements, path, key, value);
    if (line === undefined) return undefined;
    edited = line;
  }
  return edited;
}

/** One more pair for a table that is there: after its last pair, spelled as its neighbours are. */
function addLine(
  text: string,
  statements: readonly Statement[],
  path: readonly string[],
  key: string,
  value: unknown,
): string | undefined {
  const eol = lineEndOf(text);
  const own = statements.filter((each): each is Pair => each.kind === 'pair' && same(each.path.slice(0, -1), path));
  const last = own.at(-1);
  const put = (at: number, line: string): string =>
    `${text.slice(0, at)}${at > 0 && text[at - 1] !== '\n' ? eol : ''}${line}${eol}${text.slice(at)}`;
  if (last) {
    const spelled = text.slice(last.keyStart, last.keyEnd);
    const prefix = spelled.slice(0, spelled.length - lastName(spelled).length);
    return put(last.end, `${text.slice(last.start, last.keyStart)}${prefix}${key} = ${write(value)}`);
  }
  const header = statements.find((each): each is Header => each.kind === 'header' && same(each.table, path));
  if (header) return put(header.end, `${key} = ${write(value)}`);
  const sub = statements.find((each): each is Header => each.kind === 'header' && startsWith(each.table, path));
  if (sub === undefined) return undefined;
  return put(sub.start, `[${path.map(writeKey).join('.')}]${eol}${key} = ${write(value)}${eol}`);
}

function lastName(key: string): string {
  return /(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)$/.exec(key)?.[0] ?? key;
}

/** Takes out every header and pair at or under `path`, with the blank line that set it apart. */
function removeLines(text: string, path: readonly string[]): string {
  const statements = scanToml(text);
  const cuts: { start: number; end: number }[] = [];
  for (const [index, each] of statements.entries()) {
    if (each.kind === 'pair') {
      if (startsWith(each.path, path) && !startsWith(each.table, path)) cuts.push(each);
      continue;
    }
    if (!startsWith(each.table, path)) continue;
    const next = statements.findIndex((other, place) => place > index && other.kind === 'header');
    const last = statements.at((next < 0 ? statements.length : next) - 1) ?? each;
    cuts.push(section(text, each.start, last.end));
  }
  let edited = text;
  for (const { start, end } of cuts.toReversed()) edited = edited.slice(0, start) + edited.slice(end);
  return edited;
}

/** A table's lines with the comments that end it, and one of the blank lines around it. */
function section(text: string, start: number, end: number): { start: number; end: number } {
  const comments = /^(?:[ \t]*#[^\n]*(?:\n|$))+/.exec(text.slice(end))?.[0] ?? '';
  const after = text.slice(end + comments.length);
  const to = after === '' || /^[ \t]*\r?\n/.test(after) ? end + comments.length : end;
  const blankAfter = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(to))?.[0];
  if (blankAfter === undefined) return { start, end: to };
  if (start === 0) return { start, end: to + blankAfter.length };
  const blankBefore = /\n([ \t]*\r?\n)$/.exec(text.slice(0, start))?.[1] ?? '';
  return { start: start - blankBefore.length, end: to };
}

/** Where the entry, or what holds it, is one inline table: that value is written anew. */
function rewriteInline(text: string, path: readonly string[], wanted: Table): string | undefined {
  const pair = scanToml(text).find(
    (each): each is Pair => each.kind === 'pair' && startsWith(path, each.path) && text[each.valueStart] === '{',
  );
  if (pair === undefined) return undefined;
  const value = valueAt(wanted, pair.path);
  if (value === undefined) return text.slice(0, pair.start) + text.slice(pair.end);
  return text.slice(0, pair.valueStart) + write(value) + text.slice(pair.valueEnd);
}

function holdsValue(written: string, value: unknown): boolean {
  return equal(parse(`v = ${written}`, { integersAsBigInt: true })['v'], value);
}

/** A value on one line. */
function write(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
  if (typeof value === 'number')
    return Number.isInteger(value) ? value.toFixed(1) : String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, each]) => `${writeKey(key)} = ${write(each)}`);
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}

function writeKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : write(key);
}

function valueAt(root: Table, path: readonly string[]): unknown {
  let node: unknown = root;
  for (const key of path) {
    const table = asTable(node);
    if (table === undefined || !Object.hasOwn(table, key)) return undefined;
    node = table[key];
  }
  return node;
}

function asTable(value: unknown): Table | undefined {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  return isTable ? (value as Table) : undefined;
}

/** A copy with the value at `path` set, or without it when `value` is undefined; what is not on the path is shared. */
function replaced(root: Table, path: readonly string[], value: unknown): Table {
  const [key, ...rest] = path;
  if (key === undefined) return root;
  const copy = { ...root };
  if (rest.length > 0) {
    const inner = Object.hasOwn(copy, key) ? copy[key] : {};
    const table = asTable(inner);
    if (table === undefined) {
      throw new FormatError(`'${key}' is not a table, and this client expects one`, { line: 1, column: 1 });
    }
    copy[key] = replaced(table, rest, value);
  } else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy;
}

/** Without the table at `path` if nothing is in it: TOML's implied tables go with their last member. */
function pruned(root: Table, path: readonly string[]): Table {
  const table = asTable(valueAt(root, path));
  return table && Object.keys(table).length === 0 ? replaced(root, path, undefined) : root;
}

function without(table: Table | undefined, drop: readonly string[]): Table {
  return Object.fromEntries(Object.entries(table ?? {}).filter(([key]) => !drop.includes(key)));
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && startsWith(a, b);
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= path.length && prefix.every((each, index) => path[index] === each);
}
