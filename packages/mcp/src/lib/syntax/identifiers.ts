// The places of a parsed text where a name stands as code: never those in strings and comments.
import type { TreeCursor } from 'web-tree-sitter';
import { type Declaration, declarationsNamed } from './declarations.ts';
import { importsOf } from './imports.ts';
import { rowOf } from './languages/index.ts';
import type { Role, Row } from './languages/row.ts';
import type { Parsed } from './parse.ts';

/** Kinds of enclosing nodes that are told of an identifier. */
const TOLD = 4;

/** One place of a name. Indices are UTF-16 units; lines count from 1, columns from 0. */
export interface Identifier {
  readonly startIndex: number;
  readonly endIndex: number;
  readonly line: number;
  readonly col: number;
  /**
   * declaration: it declares the name; import: it stands in an import; property: behind a `.` or the like; key: a key of an
   * object, a keyword argument, a label; type: where a type stands; reference: any other use.
   */
  readonly role: Role;
  /** key and value (or binding) in one, as in `{ name }`: whoever renames the one must write out the other */
  readonly shorthand: boolean;
  /** it lies in text that only a preprocessor reads */
  readonly raw: boolean;
  /** kind of its node, and of the nodes around it, nearest first, at most 4 */
  readonly node: string;
  readonly parents: readonly string[];
  /** the field of its parent it stands in */
  readonly field: string | undefined;
  /** what it declares, for a declaration */
  readonly declaration?: Declaration;
}

const WORD = /[\p{L}\p{M}\p{N}\p{Pc}]/u;

/** Every place where exactly this name stands as code, in order. Code within templates and interpolations counts. */
export function identifiersOf(parsed: Parsed, name: string): readonly Identifier[] {
  const places = name === '' ? [] : occurrences(parsed.text, name);
  if (places.length === 0) return [];
  const row = rowOf(parsed.language);
  const declared = new Map<number, Declaration>();
  for (const each of declarationsNamed(parsed, name)) declared.set(each.nameStart, each);
  const imported = new Set(importsOf(parsed).flatMap(({ names }) => names.map(({ start }) => start)));
  const path = new Path(parsed.tree.walk());
  try {
    const found: Identifier[] = [];
    for (const start of places) {
      const each = identify(parsed, row, path, start, start + name.length, declared, imported);
      if (each) found.push(each);
    }
    return found;
  } finally {
    path.free();
  }
}

/** Where the text stands between characters that no word has. */
function occurrences(text: string, name: string): number[] {
  const found: number[] = [];
  const opens = WORD.test(name[0] ?? '');
  const closes = WORD.test(name.at(-1) ?? '');
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = opens && WORD.test(before1(text, at));
    const after = closes && WORD.test(after1(text, at + name.length));
    if (!before && !after) found.push(at);
  }
  return found;
}

/** The character before an index, and the one at it, whole. */
const before1 = (text: string, at: number): string => {
  const code = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(at - 2, at) : text.slice(Math.max(0, at - 1), at);
};
const after1 = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 32);

function identify(
  parsed: Parsed,
  row: Row,
  path: Path,
  start: number,
  end: number,
  declared: ReadonlyMap<number, Declaration>,
  imported: ReadonlySet<number>,
): Identifier | undefined {
  const leaf = path.to(start, end);
  if (!leaf) return undefined;
  const raw = row.rawCode?.includes(leaf.type) === true && bareIn(parsed.text, leaf.start, start);
  const symbol = row.symbols?.includes(leaf.type) === true && leaf.start + 1 === start && leaf.end === end;
  const whole = leaf.start === start && leaf.end === end && Object.hasOwn(row.identifiers, leaf.type);
  // what a declaration says is its name is one, be it quoted or of several parts
  const declaration = declared.get(start);
  if (!whole && !raw && !symbol && !declaration) return undefined;
  const around = path.around();
  const shorthand = leaf.type.startsWith('shorthand_') || (declaration?.shorthand ?? false);
  const role = declaration
    ? 'declaration'
    : raw
      ? 'reference'
      : symbol
        ? 'key'
        : roleOf(row, leaf.type, leaf.field, path.parentField, around, imported.has(start));
  if (!role) return undefined;
  return {
    startIndex: start,
    endIndex: end,
    ...parsed.lines.at(start),
    role,
    shorthand,
    raw,
    node: leaf.type,
    parents: around.slice(0, TOLD),
    field: leaf.field,
    ...(declaration ? { declaration } : {}),
  };
}

/** What a place is by its node and what it stands in; nothing for a string that only looks like a name. */
function roleOf(
  row: Row,
  type: string,
  field: string | undefined,
  parentField: string | undefined,
  around: readonly string[],
  imported: boolean,
): Role | undefined {
  if (imported || around.some((each) => row.importNodes.includes(each))) return 'import';
  const [parent = '', grand = ''] = around;
  const roles = new Map(Object.entries(row.roles ?? {}));
  return (
    (parentField === undefined ? undefined : roles.get(`${parent}@${grand}.${parentField}`)) ??
    roles.get(`${parent}@${grand}`) ??
    (field === undefined ? undefined : roles.get(`${parent}.${field}`)) ??
    roles.get(parent) ??
    row.identifiers[type]
  );
}

/** Whether a place in a macro's body is outside of strings and comments there. */
function bareIn(text: string, from: number, at: number): boolean {
  const before = text.slice(Math.max(from, at - 65_536), at);
  let quote = '';
  for (let i = 0; i < before.length; i++) {
    const unit = before[i] as string;
    if (quote === '*') {
      if (unit === '*' && before[i + 1] === '/') quote = '';
    } else if (quote !== '') {
      if (unit === '\\') i++;
      else if (unit === quote) quote = '';
    } else if (unit === '"' || unit === "'") quote = unit;
    else if (unit === '/' && before[i + 1] === '*') quote = '*';
    else if (unit === '/' && before[i + 1] === '/') return false;
  }
  return quote === '';
}

interface Step {
  readonly type: string;
  readonly field: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The way from the root to a place. Places that ascend are found by one walk over the tree, however deep it is. */
class Path {
  readonly #cursor: TreeCursor;
  readonly #steps: Step[];

  constructor(cursor: TreeCursor) {
    this.#cursor = cursor;
    this.#steps = [this.#here()];
  }

  /** The innermost node that holds the range; undefined if the range is in none. */
  to(start: number, end: number): Step | undefined {
    let top = this.#steps.at(-1);
    while (top && (start < top.start || end > top.end)) {
      if (!this.#cursor.gotoParent()) return undefined;
      this.#steps.pop();
      top = this.#steps.at(-1);
    }
    for (;;) {
      if (!this.#cursor.gotoFirstChildForIndex(start)) return this.#steps.at(-1);
      const here = this.#here();
      if (start < here.start || end > here.end) {
        this.#cursor.gotoParent();
        return this.#steps.at(-1);
      }
      this.#steps.push(here);
    }
  }

  /** Kinds of the nodes around the last place, nearest first, as many as roles look at. */
  around(): string[] {
    return this.#steps
      .slice(-11, -1)
      .map(({ type }) => type)
      .toReversed();
  }

  /** The field the parent of the last place stands in. */
  get parentField(): string | undefined {
    return this.#steps.at(-2)?.field;
  }

  free(): void {
    this.#cursor.delete();
  }

  #here(): Step {
    const { nodeType: type, currentFieldName, startIndex: start, endIndex: end } = this.#cursor;
    return { type, field: currentFieldName ?? undefined, start, end };
  }
}
