// Puts one entry into a JSON text, or takes it out, and leaves every other byte where it is.
import { isDeepStrictEqual } from 'node:util';
import { type Entry, type Format, FormatError, lineEndOf, placeAt } from './format.ts';
import {
  type Dialect,
  type Document,
  type JsonNode,
  type Member,
  type ObjectNode,
  readJson,
  toValue,
} from './jsonc.ts';

/** JSON as one client reads it. */
export function jsonFormat(dialect: Dialect): Format {
  return {
    get: (text, path) => {
      const { root } = readJson(text, dialect);
      const found = root && lookUp(text, root, path);
      return found && toValue(found);
    },
    set: (text, path, entry, drop) => {
      const edited = setEntry(text, path, entry, drop, dialect);
      const wanted = expected(text, path, entry, drop, dialect);
      return verified(text, edited, wanted, dialect);
    },
    remove: (text, path) => {
      const without = removeAt(text, path, dialect);
      const parent = path.slice(0, -1);
      const holder = parent.length > 0 ? memberAt(without, parent, dialect) : undefined;
      const bare = holder?.value.kind === 'object' && holder.value.members.length === 0;
      return bare ? [removeAt(without, parent, dialect), without] : [without];
    },
  };
}

function setEntry(
  text: string,
  path: readonly string[],
  entry: Entry,
  drop: readonly string[],
  dialect: Dialect,
): string {
  const known = memberAt(text, path, dialect);
  if (known?.value.kind !== 'object') return setValue(text, path, entry, dialect);
  let edited = text;
  for (const key of drop) edited = removeAt(edited, [...path, key], dialect);
  for (const [key, value] of Object.entries(entry)) edited = setValue(edited, [...path, key], value, dialect);
  return edited;
}

/** Sets one value: replaces it where it stands, or adds the missing rest of the path. */
function setValue(text: string, path: readonly string[], value: unknown, dialect: Dialect): string {
  const document = readJson(text, dialect);
  const style = styleOf(text, document);
  if (document.root === undefined) {
    const lead = text.trim() === '' ? '' : `${text.trimEnd()}${style.eol}`;
    return `${lead}${render(wrap(path, value), '', style)}${style.eol}`;
  }
  let holder = asObject(text, document.root, 'the top level');
  for (const [depth, key] of path.entries()) {
    const member = holder.members.findLast((each) => each.key === key);
    if (member === undefined) return addMember(text, document, holder, key, wrap(path.slice(depth + 1), value), style);
    if (depth === path.length - 1) return replaceValue(text, member, value, style);
    holder = asObject(text, member.value, `'${path.slice(0, depth + 1).join('.')}'`);
  }
  return text;
}

function wrap(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function replaceValue(text: string, member: Member, value: unknown, style: Style): string {
  if (isDeepStrictEqual(toValue(member.value), normal(value))) return text;
  const inline = !text.slice(member.value.start, member.value.end).includes('\n') && member.value.kind !== 'scalar';
  const rendered = inline
    ? renderInline(value, isSpaced(text.slice(member.start, member.end)))
    : render(value, indentAt(text, member.start), style);
  return splice(text, member.value.start, member.value.end, rendered);
}

function addMember(
  text: string,
  document: Document,
  holder: ObjectNode,
  key: string,
  value: unknown,
  style: Style,
): string {
  const inside = document.comments.filter((each) => each.start > holder.start && each.end < holder.end);
  const closing = indentAt(text, holder.start);
  const last = holder.members.at(-1);
  const multiline = text.slice(holder.start, holder.end).includes('\n');

  if (last === undefined) {
    const minified = !text.trim().includes('\n') && text.trim() !== '{}';
    if (minified && inside.length === 0) {
      return splice(text, holder.start, holder.end, `{${inlineMember(key, value, text)}}`);
    }
    const indent = closing + style.unit;
    const line = `${style.eol}${indent}${JSON.stringify(key)}: ${render(value, indent, style)}`;
    const from = inside.at(-1)?.end ?? holder.start + 1;
    return splice(text, from, holder.end - 1, `${line}${style.eol}${closing}`);
  }

  if (!multiline) {
    const gap = isSpaced(text.slice(holder.start, holder.end)) ? ' ' : '';
    return splice(text, last.end, last.end, `,${gap}${inlineMember(key, value, text.slice(holder.start, holder.end))}`);
  }

  const indent = startsLine(text, last.start) ? indentAt(text, last.start) : closing + style.unit;
  const at = endOfLine(text, document, last.comma === undefined ? last.end : last.comma + 1);
  const onBraceLine = !text.slice(at, holder.end - 1).includes('\n');
  const line =
    `${style.eol}${indent}${JSON.stringify(key)}: ${render(value, indent, style)}` +
    (last.comma === undefined ? '' : ',') +
    (onBraceLine ? `${style.eol}${closing}` : '');
  const added = splice(text, at, onBraceLine ? holder.end - 1 : at, line);
  return last.comma === undefined ? splice(added, last.end, last.end, ',') : added;
}

/** Takes every member of that name out; the exact reverse of adding it. */
function removeAt(text: string, path: readonly string[], dialect: Dialect): string {
  for (;;) {
    const document = readJson(text, dialect);
    const holder = document.root && lookUp(text, document.root, path.slice(0, -1));
    if (holder?.kind !== 'object') return text;
    const index = holder.members.findIndex((each) => each.key === path.at(-1));
    const gone = holder.members[index];
    if (gone === undefined) return text;
    text = cut(text, document, holder, index, gone);
  }
}

function cut(text: string, document: Document, holder: ObjectNode, index: number, gone: Member): string {
  const before = holder.members[index - 1];
  const next = holder.members[index + 1];
  const ownLine = startsLine(text, gone.start);
  let start = gone.start;
  let end = gone.comma === undefined ? gone.end : gone.comma + 1;
  if (ownLine) {
    start = lineStart(text, gone.start);
    if (text[start - 1] === '\n') start -= text[start - 2] === '\r' ? 2 : 1;
    end = endOfLine(text, document, end);
  } else if (next) {
    end = next.start;
  } else if (before) {
    // The comma between the two goes; comments before it are the other's, and a comma behind the last stays the last's.
    start = before.comma ?? before.end;
    end = gone.end;
  }
  let edited = splice(text, start, end, '');
  // Without a comma of its own, the last member lent it from the one before.
  if (ownLine && !next && gone.comma === undefined && before?.comma !== undefined) {
    edited = splice(edited, before.comma, before.comma + 1, '');
  }
  if (holder.members.length > 1) return edited;
  const close = edited.indexOf('}', start);
  return edited.slice(holder.start + 1, close).trim() === '' ? splice(edited, holder.start + 1, close, '') : edited;
}

/** Past the comments that stand behind `offset` on the same line: they belong to what is before them. */
function endOfLine(text: string, document: Document, offset: number): number {
  let at = offset;
  for (const { start, end } of document.comments) {
    if (start < at) continue;
    if (text.slice(at, start).trim() !== '' || text.slice(at, start).includes('\n')) break;
    at = end;
  }
  return at;
}

interface Style {
  readonly eol: string;
  readonly unit: string;
}

/** The file's own line end and one level of its indentation. */
function styleOf(text: string, document: Document): Style {
  const eol = lineEndOf(text);
  const { root } = document;
  const outer = root?.kind === 'object' ? root.members.find((each) => startsLine(text, each.start)) : undefined;
  const unit = outer && root ? indentAt(text, outer.start).slice(indentAt(text, root.start).length) : '';
  return { eol, unit: unit === '' ? '  ' : unit };
}

function render(value: unknown, indent: string, style: Style): string {
  return JSON.stringify(value, null, style.unit).replaceAll('\n', `${style.eol}${indent}`);
}

function renderInline(value: unknown, spaced: boolean): string {
  if (!spaced) return JSON.stringify(value);
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ').replaceAll('[ ', '[').replaceAll(' ]', ']');
}

function inlineMember(key: string, value: unknown, around: string): string {
  const spaced = isSpaced(around);
  return `${JSON.stringify(key)}:${spaced ? ' ' : ''}${renderInline(value, spaced)}`;
}

/** True if a one-line text puts blanks after its colons or commas. */
function isSpaced(sample: string): boolean {
  return /(?::|,)\s/.test(sample);
}

function lookUp(text: string, root: JsonNode, path: readonly string[]): JsonNode | undefined {
  let node: JsonNode = root;
  for (const [depth, key] of path.entries()) {
    const where = depth === 0 ? 'the top level' : `'${path.slice(0, depth).join('.')}'`;
    const found: Member | undefined = asObject(text, node, where).members.findLast((each) => each.key === key);
    if (found === undefined) return undefined;
    node = found.value;
  }
  return node;
}

function memberAt(text: string, path: readonly string[], dialect: Dialect): Member | undefined {
  const { root } = readJson(text, dialect);
  const holder = root && lookUp(text, root, path.slice(0, -1));
  return holder?.kind === 'object' ? holder.members.findLast((each) => each.key === path.at(-1)) : undefined;
}

function asObject(text: string, node: JsonNode, where: string): ObjectNode {
  if (node.kind === 'object') return node;
  const kind = node.kind === 'array' ? 'an array' : node.value === null ? 'null' : `a ${typeof node.value}`;
  throw new FormatError(`${where} is ${kind}, and this client expects an object there`, placeAt(text, node.start));
}

/** What the text must hold after the edit, and nothing else. */
function expected(
  text: string,
  path: readonly string[],
  entry: Entry,
  drop: readonly string[],
  dialect: Dialect,
): unknown {
  const { root } = readJson(text, dialect);
  const whole = (root ? toValue(root) : Object.create(null)) as Record<string, unknown>;
  let holder = whole;
  for (const key of path.slice(0, -1)) {
    holder[key] ??= Object.create(null);
    holder = holder[key] as Record<string, unknown>;
  }
  const key = path.at(-1) as string;
  const known = holder[key];
  const kept =
    known !== null && typeof known === 'object' && !Array.isArray(known) ? (known as Record<string, unknown>) : {};
  const merged = Object.assign(Object.create(null) as Record<string, unknown>, kept, normal(entry));
  for (const each of drop) delete merged[each];
  holder[key] = merged;
  return whole;
}

function verified(text: string, edited: string, wanted: unknown, dialect: Dialect): string {
  const { root } = readJson(edited, dialect);
  if (root && isDeepStrictEqual(toValue(root), wanted)) return edited;
  throw new FormatError('an entry that cannot be edited in place', placeAt(text, 0));
}

function normal(value: unknown): unknown {
  const { root } = readJson(JSON.stringify(value), { comments: false, trailingCommas: false });
  return root && toValue(root);
}

function splice(text: string, start: number, end: number, put: string): string {
  return text.slice(0, start) + put + text.slice(end);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '' && lineStart(text, offset) > 0;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}
