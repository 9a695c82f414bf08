// Small readers of nodes that the rows share. Loops are bounded by the tree, never by the stack.
import type { Node } from 'web-tree-sitter';
import type { Declare, Kind, Named, Supertype } from './row.ts';

/** Declarators and wrapped types nest at most so deep before they count as unreadable. */
const DEEPEST = 200;

export const field = (node: Node, name: string): Node | undefined => node.childForFieldName(name) ?? undefined;

export const children = (node: Node): Node[] => node.namedChildren;

export function childOf(node: Node, ...kinds: readonly string[]): Node | undefined {
  return children(node).find(({ type }) => kinds.includes(type));
}

export const childrenOf = (node: Node, ...kinds: readonly string[]): Node[] =>
  children(node).filter(({ type }) => kinds.includes(type));

/** Declares what stands in the field `name`. */
export function named(kind: Kind, name = 'name'): Declare {
  return (node) => {
    const found = field(node, name);
    return found ? [{ kind, name: found }] : [];
  };
}

/** Declares everything that stands in fields of this name. */
export function each(kind: Kind, name = 'name'): Declare {
  return (node) =>
    node
      .childrenForFieldName(name)
      // a comma between two of them counts as one
      .filter(({ isNamed }) => isNamed)
      .map((found) => ({ kind, name: found }));
}

/** A kind within a type, and another outside. */
export const member =
  (inside: Kind, outside: Kind, name = 'name'): Declare =>
  (node, around) =>
    named(isType(around.owner) ? inside : outside, name)(node, around);

const TYPES: ReadonlySet<Kind | undefined> = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'union',
  'enum',
] as const);

export const isType = (kind: Kind | undefined): boolean => TYPES.has(kind);

/** What of a pattern binds names. */
export interface Pattern {
  /** leaves that are names */
  readonly names: readonly string[];
  /** leaves that are name and key in one */
  readonly shorthand?: readonly string[];
  /** parts that bind nothing: kinds, and fields of their parent */
  readonly except?: readonly string[];
  readonly exceptFields?: readonly string[];
}

/** The names that a pattern binds, in order. */
export function bindings(node: Node | null | undefined, kind: Kind, pattern: Pattern): Named[] {
  if (!node) return [];
  const found: Named[] = [];
  const cursor = node.walk();
  try {
    for (let depth = 0; ;) {
      const type = cursor.nodeType;
      const skipped =
        depth > 0 &&
        ((pattern.except?.includes(type) ?? false) ||
          (pattern.exceptFields?.includes(cursor.currentFieldName ?? '') ?? false));
      if (!skipped && !(depth === 0 && pattern.except?.includes(type))) {
        if (pattern.names.includes(type)) found.push({ kind, name: cursor.currentNode });
        else if (pattern.shorthand?.includes(type)) found.push({ kind, name: cursor.currentNode, shorthand: true });
        else if (cursor.gotoFirstChild()) {
          depth++;
          continue;
        }
      }
      if (depth === 0) return found;
      while (!cursor.gotoNextSibling()) {
        cursor.gotoParent();
        if (--depth === 0) return found;
      }
    }
  } finally {
    cursor.delete();
  }
}

/** Follows a field inwards until a node has none: the name inside `*name[3](...)`. */
export function innermost(node: Node, step: (node: Node) => Node | undefined): Node {
  let at = node;
  for (let i = 0; i < DEEPEST; i++) {
    const next = step(at);
    if (!next) return at;
    at = next;
  }
  return at;
}

/** The text of a quoted string, without its quotes. */
export function unquoted(node: Node): string {
  const text = node.text;
  const quote = /^[a-zA-Z@$]*("""|'''|["'`<])/.exec(text);
  if (!quote) return text;
  const end = quote[1] === '<' ? '>' : (quote[1] as string);
  return text.endsWith(end) ? text.slice(quote[0].length, text.length - end.length) : text.slice(quote[0].length);
}

/** The last name of a qualified one: `b` of `a::b`, `a.b<T>`. */
export function lastName(text: string): string {
  const bare = text
    .slice(0, 500)
    .replace(/[<([{][^]*$/, '')
    .trim();
  return /[\p{L}\p{N}_$]+[?!]?$/u.exec(bare)?.[0] ?? bare;
}

/** Supertypes named by the given nodes. */
export const supers = (nodes: readonly Node[], how: string): Supertype[] =>
  nodes.map((node) => ({ name: lastName(node.text), how }));
