// What a parsed text declares: every name with its kind, its place, what it is a member of, and where it is seen.
import type { Node } from 'web-tree-sitter';
import { type LanguageId, rowOf } from './languages/index.ts';
import { isType } from './languages/help.ts';
import type { Around, Kind, Named, Row } from './languages/row.ts';
import type { Parsed } from './parse.ts';

/** Longest signature, in UTF-16 units. */
const SIGNATURE = 240;

/** One declared name. Indices are UTF-16 units; lines count from 1. */
export interface Declaration {
  readonly name: string;
  readonly kind: Kind;
  /** line of the name */
  readonly line: number;
  readonly endLine: number;
  /** the whole of it: with its export, decorators and the like where they belong to nothing else */
  readonly startIndex: number;
  readonly endIndex: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly exported: boolean;
  /** what it is a member of or nested in */
  readonly parent?: string;
  /** its text up to its body, in one line, at most 240 units */
  readonly signature: string;
  /** it stands within a function, or is a parameter */
  readonly local: boolean;
  /** a member of a type: a field, a method, a key; not seen by its bare name in most languages */
  readonly member: boolean;
  /** the range in which its name means it; for a member that of its type */
  readonly scopeStart: number;
  readonly scopeEnd: number;
  /** the body, where there is one */
  readonly bodyStart?: number;
  readonly bodyEnd?: number;
  /** how many declarations enclose it */
  readonly depth: number;
  /** the name is a key in a pattern as well: `const { name } = x` */
  readonly shorthand: boolean;
  /** kind of the node in the grammar */
  readonly node: string;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A node of the walk that others stand in, and what they inherit of it. */
interface Entry extends Range {
  readonly node: Node;
  /** the nearest declaration that has members; nothing in a function */
  readonly owner: Kind | undefined;
  /** the nearest declaration of one name */
  readonly ownerName: string | undefined;
  /** the nearest type, be it around a function */
  readonly type: { readonly name: string | undefined; readonly range: Range; readonly local: boolean } | undefined;
  readonly local: boolean;
  readonly scope: Range;
  readonly functionScope: Range;
  readonly wrapper: boolean;
  /** the outermost of the wrappers that stand in each other here */
  readonly outer: Node | undefined;
  /** enclosing declarations */
  readonly depth: number;
  /** members here belong to nothing that has a name */
  readonly nameless: boolean;
}

/** Kinds that can have members. */
const OWNERS: ReadonlySet<Kind> = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'union',
  'enum',
  'namespace',
  'type',
  'key',
] as const);
const MEMBERS: ReadonlySet<Kind> = new Set(['field', 'method', 'constructor', 'enum_member', 'key'] as const);
/** Kinds whose name is seen within their node where that is a scope, not around it. */
const INNER: ReadonlySet<Kind> = new Set(['parameter', 'type_parameter', 'variable'] as const);
/** Nodes that list names: the signature of one is itself. */
const LISTS = /(parameters|parameter_list|_body)$/;
/** Loops: what they declare owns nothing of what stands in them. */
const LOOPS = /(^|_)for(each)?(_|$)/;
/** Nodes whose wrapper holds decorators, which are no part of a signature. */
const DECORATED = /^(function|class)_definition$/;
/** A wrapper with more children than this is a list. */
const WRAPPED = 20;

const kept = new WeakMap<Parsed, readonly Declaration[]>();

/** Every declaration of a text in its order, an enclosing one before what it encloses. */
export function declarationsOf(parsed: Parsed): readonly Declaration[] {
  const known = kept.get(parsed);
  if (known) return known;
  const found = collect(parsed);
  kept.set(parsed, found);
  return found;
}

const byName = new WeakMap<Parsed, ReadonlyMap<string, readonly Declaration[]>>();

/** The declarations of one name, in order. */
export function declarationsNamed(parsed: Parsed, name: string): readonly Declaration[] {
  let names = byName.get(parsed);
  if (!names) {
    names = Map.groupBy(declarationsOf(parsed), (each) => each.name);
    byName.set(parsed, names);
  }
  return names.get(name) ?? [];
}

interface Watch {
  readonly types: readonly string[];
  readonly scopes: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly wrappers: ReadonlySet<string>;
}

const watches = new Map<LanguageId, Watch>();

function watchOf(language: LanguageId): Watch {
  let watch = watches.get(language);
  if (!watch) {
    const row = rowOf(language);
    const wrappers = row.wrappers ?? [];
    const types = [
      ...Object.keys(row.declare),
      ...row.scopes,
      ...row.functions,
      ...wrappers,
      ...Object.keys(row.owners ?? {}),
    ];
    watch = {
      types: [...new Set(types)],
      scopes: new Set(row.scopes),
      functions: new Set(row.functions),
      wrappers: new Set(wrappers),
    };
    watches.set(language, watch);
  }
  return watch;
}

function collect(parsed: Parsed): Declaration[] {
  const row = rowOf(parsed.language);
  const watch = watchOf(parsed.language);
  const root = parsed.tree.rootNode;
  const walk: Walk = {
    parsed,
    row,
    watch,
    also: row.exportedNames?.(root) ?? new Set(),
    hidden: row.hidden?.(root) ?? new Set(),
    fields: new Set(),
    found: [],
  };
  const whole: Range = { start: 0, end: parsed.text.length };
  const bottom: Entry = {
    ...whole,
    node: root,
    owner: undefined,
    ownerName: undefined,
    type: undefined,
    local: false,
    scope: whole,
    functionScope: whole,
    wrapper: false,
    outer: undefined,
    depth: 0,
    nameless: false,
  };
  const stack: Entry[] = [];
  for (const node of root.descendantsOfType([...watch.types])) {
    // a keyword can be called as a node is
    if (!node.isNamed) continue;
    const range = { start: node.startIndex, end: node.endIndex };
    let top = stack.at(-1);
    while (top && (range.start < top.start || range.end > top.end)) {
      stack.pop();
      top = stack.at(-1);
    }
    stack.push(enter(walk, node, range, top ?? bottom, stack));
  }
  return walk.found;
}

interface Walk {
  readonly parsed: Parsed;
  readonly row: Row;
  readonly watch: Watch;
  /** names exported elsewhere than where they are declared */
  readonly also: ReadonlySet<string>;
  /** where declarations begin that are hidden all the same */
  readonly hidden: ReadonlySet<number>;
  /** fields already found, by their type: a field that is assigned twice is declared once */
  readonly fields: Set<string>;
  readonly found: Declaration[];
}

/** Records what a node declares, and answers what it is for what stands within. */
function enter(walk: Walk, node: Node, range: Range, top: Entry, stack: readonly Entry[]): Entry {
  const { row, watch } = walk;
  const type = node.type;
  const around: Around = {
    owner: top.owner,
    ownerName: top.ownerName,
    local: top.local,
    wrapper: top.wrapper ? top.node : undefined,
    outer: top.outer,
  };
  const declare = Object.hasOwn(row.declare, type) ? row.declare[type] : undefined;
  const names = declare?.(node, around) ?? [];
  const isFunction = watch.functions.has(type);
  const isScope = watch.scopes.has(type) || isFunction;
  const wrapper = watch.wrappers.has(type);
  for (const named of names)
    record(walk, node, type, named, { range, isScope, single: names.length === 1, top, around, stack });

  const own =
    LISTS.test(type) || LOOPS.test(type) ? undefined : (names.find(({ kind }) => !INNER.has(kind)) ?? names[0]);
  const namers = row.anonymous && Object.hasOwn(row.anonymous, type) ? row.anonymous[type] : undefined;
  const owners = row.owners && Object.hasOwn(row.owners, type) ? row.owners[type] : undefined;
  const name = owners
    ? owners(node)
    : own && names.length === 1 && own.kind !== 'parameter'
      ? own.name.text
      : undefined;
  const owner = owners ? 'struct' : own && OWNERS.has(own.kind) ? own.kind : undefined;
  const hasMembers = owner !== undefined && owner !== 'namespace';
  return {
    ...range,
    node,
    owner: isFunction ? undefined : (owner ?? top.owner),
    ownerName: name ?? top.ownerName,
    type: hasMembers ? { name, range, local: top.local } : top.type,
    local: isFunction || top.local,
    scope: isScope ? range : top.scope,
    functionScope: isFunction ? range : top.functionScope,
    wrapper,
    outer: wrapper ? (top.outer ?? node) : undefined,
    depth: top.depth + (own && own.kind !== 'parameter' && own.kind !== 'type_parameter' ? 1 : 0),
    nameless: top.nameless || (namers !== undefined && !namers.includes(top.node.type)),
  };
}

interface Standing {
  readonly range: Range;
  readonly isScope: boolean;
  readonly single: boolean;
  readonly top: Entry;
  readonly around: Around;
  readonly stack: readonly Entry[];
}

function record(walk: Walk, node: Node, type: string, named: Named, standing: Standing): void {
  const { parsed, row } = walk;
  const { range, top, around } = standing;
  const { kind } = named;
  const text = named.name.text;
  if (text === '' || text === '_' || top.nameless) return;
  const member = MEMBERS.has(kind) || (isType(top.owner) && (kind === 'constant' || kind === 'variable'));
  // what a method assigns to its object is a field of the type around the method
  const assigned = kind === 'field' && top.local && top.owner === undefined;
  const of = assigned ? top.type : undefined;
  if (assigned && !of) return;
  const name = text.startsWith(':') ? text.slice(1) : text;
  if (kind === 'field' && (of ?? top.type)) {
    const key = `${(of ?? top.type)?.range.start}:${name}`;
    if (assigned && walk.fields.has(key)) return;
    walk.fields.add(key);
  }
  const local = kind === 'parameter' || kind === 'type_parameter' || (of ? of.local : top.local);
  const parent = named.parent ?? (of ? of.name : top.ownerName);
  const body = named.body === undefined ? node.childForFieldName('body') : named.body;
  const seen = member
    ? (top.type?.range ?? top.scope)
    : named.inside || (INNER.has(kind) && standing.isScope)
      ? range
      : named.hoisted
        ? top.functionScope
        : top.scope;
  const whole = standing.single ? grown(range, node, standing.stack) : range;
  walk.found.push({
    name,
    kind,
    line: parsed.lines.lineAt(named.name.startIndex),
    endLine: parsed.lines.lineAt(Math.max(range.start, range.end - 1)),
    startIndex: whole.start,
    endIndex: whole.end,
    nameStart: named.name.endIndex - name.length,
    nameEnd: named.name.endIndex,
    exported:
      !local &&
      !walk.hidden.has(range.start) &&
      (row.exported(node, named, around) || (!member && top.depth === 0 && walk.also.has(text))),
    ...(parent === undefined || parent === '' ? {} : { parent }),
    signature: LISTS.test(type)
      ? itemOf(parsed, node, named.name)
      : signatureOf(parsed, DECORATED.test(type) ? range.start : whole.start, body?.startIndex, range.end),
    local,
    member,
    scopeStart: seen.start,
    scopeEnd: seen.end,
    ...(body ? { bodyStart: body.startIndex, bodyEnd: body.endIndex } : {}),
    depth: top.depth,
    shorthand: named.shorthand === true,
    node: type,
  });
}

/** What stands in a list for one of its names: with its type and its default, where it has them. */
function itemOf(parsed: Parsed, list: Node, name: Node): string {
  let item = name;
  for (let up = name.parent; up && up.id !== list.id; up = up.parent) item = up;
  return signatureOf(parsed, item.startIndex, undefined, item.endIndex);
}

/** A declaration with the wrappers that hold nothing else. */
function grown(range: Range, node: Node, stack: readonly Entry[]): Range {
  let grownTo = range;
  let inner = node;
  for (let i = stack.length - 1; i >= 0; i--) {
    const entry = stack[i] as Entry;
    if (!entry.wrapper || entry.node.namedChildCount > WRAPPED) break;
    const parts = entry.node.namedChildren;
    if (parts.filter(({ type }) => type === inner.type).length !== 1 || !parts.some(({ id }) => id === inner.id)) break;
    grownTo = entry;
    inner = entry.node;
  }
  return { start: grownTo.start, end: grownTo.end };
}

function signatureOf({ text }: Parsed, start: number, body: number | undefined, end: number): string {
  const to = Math.min(body === undefined || body <= start ? end : body, start + 4 * SIGNATURE);
  let piece = text.slice(start, to);
  if (body === undefined) piece = piece.slice(0, piece.search(/[\r\n]|$/));
  const line = piece.replaceAll(/\s+/g, ' ').trim();
  const bare = body === undefined ? line : line.replace(/\s*[{:=]$/, '');
  return bare.length <= SIGNATURE ? bare.toWellFormed() : `${bare.slice(0, SIGNATURE).toWellFormed()}…`;
}
