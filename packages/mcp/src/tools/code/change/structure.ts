// Patterns in the shape of code: `f($A, $$$REST)` finds what has that structure, whatever its blanks and comments.
import type { Node } from 'web-tree-sitter';
import { shorten, ToolError } from '@hanzo/tool';
import { type LanguageId, type Parsed, parseSource } from '../../../lib/syntax/index.ts';
import { rowOf } from '../../../lib/syntax/languages/index.ts';

/** Steps a search may take in all: nodes compared. */
const STEPS = 20_000_000;
/** Depth and size of a pattern. */
const DEPTH = 100;
const SIZE = 2000;

/** A pattern as a tree: what a node must be, and which of its parts stand for anything. */
interface Shape {
  readonly type: string;
  readonly named: boolean;
  /** of a leaf */
  readonly text: string | undefined;
  readonly parts: readonly Shape[];
  /** a variable for one node, or for any number in a row; `_` binds nothing */
  readonly one?: string;
  readonly many?: string;
}

export interface Pattern {
  readonly root: readonly Shape[];
  readonly names: ReadonlySet<string>;
}

/** One place that matches, and the stretches its variables stand for. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly bound: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

const VARIABLE = /\$\$\$([A-Z_][A-Z0-9_]*)?|\$([A-Z_][A-Z0-9_]*)/g;
const ONE = 'hzq1';
const MANY = 'hzq3';
const PLAIN = /^\$?(hzq1|hzq3)(\w+);?$/;
const QUOTED = /^"(hzq1|hzq3)(\w+)"$/;

/** What a pattern may stand within, where it is no whole file: the first under which it has no error is taken. */
const FRAMES: Partial<Record<LanguageId, readonly (readonly [string, string])[]>> = {
  go: [
    ['package p\n', '\n'],
    ['package p\nfunc f() {\n', '\n}\n'],
    ['package p\nvar v = ', '\n'],
  ],
  rust: [
    ['', '\n'],
    ['fn f() {\n', '\n}\n'],
    ['fn f() { let v = ', '; }\n'],
  ],
  java: [
    ['', '\n'],
    ['class C { void f() {\n', '\n} }\n'],
    ['class C { void f() {\n', ';\n} }\n'],
    ['class C {\n', '\n}\n'],
  ],
  c: [
    ['', '\n'],
    ['void f() {\n', '\n}\n'],
    ['void f() {\n', ';\n}\n'],
  ],
  cpp: [
    ['', '\n'],
    ['void f() {\n', '\n}\n'],
    ['void f() {\n', ';\n}\n'],
    ['class C {\n', '\n};\n'],
  ],
  csharp: [
    ['', '\n'],
    ['class C { void f() {\n', '\n} }\n'],
    ['class C { void f() {\n', ';\n} }\n'],
    ['class C {\n', '\n}\n'],
  ],
  php: [
    ['<?php\n', '\n'],
    ['<?php\n', ';\n'],
  ],
  javascript: [
    ['', '\n'],
    ['(', ')\n'],
    ['class C {\n', '\n}\n'],
    ['async function* f() {\n', '\n}\n'],
  ],
  typescript: [
    ['', '\n'],
    ['(', ')\n'],
    ['class C {\n', '\n}\n'],
    ['async function* f() {\n', '\n}\n'],
    ['type T = ', '\n'],
  ],
  tsx: [
    ['', '\n'],
    ['(', ')\n'],
    ['class C {\n', '\n}\n'],
    ['async function* f() {\n', '\n}\n'],
  ],
  json: [
    ['', '\n'],
    ['{', '}\n'],
  ],
  python: [
    ['', '\n'],
    ['async def f():\n ', '\n'],
  ],
};

/** Reads a pattern. INVALID_PARAMS if it is no code of the language, or too large. */
export async function readPattern(text: string, language: LanguageId): Promise<Pattern> {
  if (text.trim() === '') throw bad("'query' is empty; give code with $A for one part and $$$ARGS for any number");
  if (text.length > SIZE) throw bad(`'query' has ${text.length} characters; up to ${SIZE} make a pattern`);
  const names = new Set<string>();
  // PHP's and Bash's own `$name` is written in small letters, or by itself where the pattern has none
  const code = text
    .trim()
    .replaceAll(VARIABLE, (_whole, many: string | undefined, one: string | undefined, at: number, all: string) => {
      const name = one ?? many ?? '_';
      names.add(name);
      const [sigil, close] = aroundOf(language);
      return `${sigil}${one === undefined || all.startsWith('$$$', at) ? MANY : ONE}${name}${close}`;
    });
  for (const [before, after] of FRAMES[language] ?? [['', '\n']]) {
    const parsed = await parseSource(before + code + after, language);
    try {
      if (parsed.errorCount > 0) continue;
      const root = spanning(parsed, before.length, before.length + code.length);
      if (root.length > 0) return { root: root.map((node) => shapeOf(node, 0, language)), names };
    } finally {
      parsed.free();
    }
  }
  throw bad(
    `'query' is no code of ${language}: ${JSON.stringify(shorten(text, 120))}; a pattern is an expression, a statement or a declaration`,
  );
}

/** What makes a variable a whole part of its language: PHP's and Bash's sign, JSON's quotes. */
function aroundOf(language: LanguageId): readonly [string, string] {
  if (language === 'json') return ['"', '"'];
  return language === 'php' || language === 'bash' ? ['$', ''] : ['', ''];
}

const bad = (message: string): ToolError => new ToolError('INVALID_PARAMS', message, { param: 'query' });

/** The nodes that are exactly the stretch: one, or statements in a row. */
function spanning(parsed: Parsed, start: number, end: number): Node[] {
  let node: Node | null = parsed.tree.rootNode.descendantForIndex(start, end);
  // what holds one thing and nothing else is that thing: a statement of one expression is the expression
  const { text } = parsed;
  const tail = text.slice(start, end).trimEnd().endsWith(';');
  for (let i = 0; node && i < DEPTH; i++) {
    if (node.startIndex === start && node.endIndex === end && node.parent) {
      const inner: Node | null = node.namedChildCount === 1 ? node.namedChild(0) : null;
      if (!tail && inner && inner.startIndex === start && inner.endIndex === end && node.childCount === 1) {
        node = inner;
        continue;
      }
      return [node];
    }
    const inside: Node[] = node.children.filter(
      (each): each is Node => each !== null && each.startIndex >= start && each.endIndex <= end,
    );
    const [first] = inside;
    if (first && first.startIndex === start && inside.at(-1)?.endIndex === end) {
      if (inside.length > 1) return inside;
      node = first;
      continue;
    }
    // `f(x)` where the grammar wants `f(x);`: the expression in the statement
    const child: Node | null =
      node.children.find((each) => each !== null && each.startIndex <= start && each.endIndex >= end) ?? null;
    if (!child) return [];
    node = child;
  }
  return [];
}

function shapeOf(node: Node, depth: number, language: LanguageId): Shape {
  if (depth > DEPTH) throw bad(`'query' is nested deeper than ${DEPTH}`);
  const { text } = node;
  const found = (language === 'json' ? QUOTED : PLAIN).exec(text);
  const base = { type: node.type, named: node.isNamed };
  if (found && node.isNamed) {
    const [, kind, name = '_'] = found;
    if (kind === ONE) return { ...base, text: undefined, parts: [], one: name };
    return { ...base, text: undefined, parts: [], many: name };
  }
  const parts = partsOf(node, language).map((each) => shapeOf(each, depth + 1, language));
  return { ...base, text: parts.length === 0 ? text : undefined, parts };
}

/** The children that count: comments do not. */
function partsOf(node: Node, language: LanguageId): Node[] {
  const { comments } = rowOf(language);
  return node.children.filter(
    (each): each is Node => each !== null && !comments.includes(each.type) && !each.isMissing,
  );
}

/** All places, outermost first where they stand within each other: inner ones are left out. TIMEOUT past the bound. */
export function findAll(parsed: Parsed, { root }: Pattern): Match[] {
  const search: Search = { parsed, steps: 0, comments: new Set(rowOf(parsed.language).comments) };
  const [first] = root;
  if (!first) return [];
  const matches: Match[] = [];
  let end = -1;
  const anything = first.one !== undefined || first.many !== undefined;
  const nodes = anything ? [] : parsed.tree.rootNode.descendantsOfType(first.type);
  for (const node of nodes) {
    if (node.startIndex < end || node.isNamed !== first.named) continue;
    const bound = new Map<string, { start: number; end: number }>();
    if (root.length === 1) {
      if (!same(search, first, node, bound, 0)) continue;
      end = node.endIndex;
      matches.push({ start: node.startIndex, end, bound });
      continue;
    }
    const row = [node];
    for (let next = node.nextSibling; next && row.length < root.length; next = next.nextSibling) {
      if (!search.comments.has(next.type)) row.push(next);
    }
    if (row.length < root.length || !row.every((each, i) => same(search, root[i] as Shape, each, bound, 0))) continue;
    end = (row.at(-1) as Node).endIndex;
    matches.push({ start: node.startIndex, end, bound });
  }
  return matches;
}

interface Search {
  readonly parsed: Parsed;
  steps: number;
  readonly comments: ReadonlySet<string>;
}

type Bound = Map<string, { start: number; end: number }>;

function same(search: Search, shape: Shape, node: Node, bound: Bound, depth: number): boolean {
  if (++search.steps > STEPS)
    throw new ToolError('TIMEOUT', 'the pattern takes too long on this file; make it narrower');
  if (shape.one !== undefined || shape.many !== undefined) {
    return bind(search, shape.one ?? shape.many ?? '_', node.startIndex, node.endIndex, bound);
  }
  if (node.type !== shape.type || node.isNamed !== shape.named || depth > DEPTH) return false;
  if (shape.text !== undefined) return node.text === shape.text;
  const parts = childrenOf(search, node);
  return inRow(search, shape.parts, 0, parts, 0, bound, depth + 1);
}

function childrenOf({ comments }: Search, node: Node): Node[] {
  return node.children.filter((each): each is Node => each !== null && !comments.has(each.type) && !each.isMissing);
}

/** A row of parts against a row of nodes; a variable for many takes as few as will do. */
function inRow(
  search: Search,
  shapes: readonly Shape[],
  i: number,
  nodes: readonly Node[],
  j: number,
  bound: Bound,
  depth: number,
): boolean {
  const shape = shapes[i];
  if (!shape) return j === nodes.length || (j === nodes.length - 1 && isMark(nodes[j]) && nodes[j]?.text === ';');
  if (shape.many === undefined) {
    const node = nodes[j];
    if (node) {
      const before = new Map(bound);
      if (same(search, shape, node, bound, depth) && inRow(search, shapes, i + 1, nodes, j + 1, bound, depth))
        return true;
      restore(bound, before);
    }
    // `f(a, $$$REST)` finds `f(a)` too: a separator before nothing is none
    const next = shapes[i + 1];
    if (!shape.named && /^[,;]$/.test(shape.text ?? '') && next?.many !== undefined && i + 2 <= shapes.length) {
      const before = new Map(bound);
      const at = nodes[j - 1]?.endIndex ?? nodes[j]?.startIndex ?? 0;
      if (bind(search, next.many, at, at, bound) && inRow(search, shapes, i + 2, nodes, j, bound, depth)) return true;
      restore(bound, before);
    }
    // a `;` of the pattern's own that the grammar asked for
    return false;
  }
  for (let to = j; to <= nodes.length; to++) {
    if (++search.steps > STEPS)
      throw new ToolError('TIMEOUT', 'the pattern takes too long on this file; make it narrower');
    const before = new Map(bound);
    const start = nodes[j]?.startIndex ?? nodes[j - 1]?.endIndex ?? 0;
    const end = to > j ? (nodes[to - 1] as Node).endIndex : start;
    const empty = to === j;
    const at = empty ? (nodes[j - 1]?.endIndex ?? start) : start;
    if (bind(search, shape.many, at, empty ? at : end, bound)) {
      if (inRow(search, shapes, i + 1, nodes, to, bound, depth)) return true;
      // nothing taken, and the separator behind it with it: `f($$$ARGS, last)` finds `f(last)`
      const next = shapes[i + 1];
      if (empty && next && !next.named && next.text === ',' && inRow(search, shapes, i + 2, nodes, to, bound, depth))
        return true;
    }
    restore(bound, before);
  }
  return false;
}

const isMark = (node: Node | undefined): boolean => node !== undefined && !node.isNamed;

function restore(bound: Bound, before: ReadonlyMap<string, { start: number; end: number }>): void {
  bound.clear();
  for (const [name, range] of before) bound.set(name, range);
}

/** A variable that stands twice must be the same text twice. */
function bind({ parsed }: Search, name: string, start: number, end: number, bound: Bound): boolean {
  if (name.startsWith('_')) return true;
  const known = bound.get(name);
  if (known) return parsed.text.slice(known.start, known.end) === parsed.text.slice(start, end);
  bound.set(name, { start, end });
  return true;
}

/** The replacement for a match: variables of the pattern by their text, all else as it stands. */
export function filled(template: string, { bound }: Match, text: string): string {
  return template.replaceAll(VARIABLE, (whole, many: string | undefined, one: string | undefined) => {
    const range = bound.get(one ?? many ?? '_');
    return range ? text.slice(range.start, range.end) : whole;
  });
}

/** INVALID_PARAMS for a variable that only the replacement has. */
export function checkTemplate(template: string, { names }: Pattern): void {
  for (const [whole, many, one] of template.matchAll(VARIABLE)) {
    const name = one ?? many;
    if (name !== undefined && !names.has(name)) {
      throw new ToolError('INVALID_PARAMS', `'replacement' has ${whole}, which 'query' has not`, {
        param: 'replacement',
      });
    }
  }
}
