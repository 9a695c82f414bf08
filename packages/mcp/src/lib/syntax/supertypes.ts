// Which types of a parsed text name which others as their supertypes.
import { declarationsOf } from './declarations.ts';
import { lastName } from './languages/help.ts';
import { rowOf } from './languages/index.ts';
import type { Parsed } from './parse.ts';

/** `name` extends, implements, embeds ... `of`. Both are bare names, without qualification and type arguments. */
export interface Edge {
  readonly name: string;
  readonly of: string;
  readonly how: string;
  /** from 1 */
  readonly line: number;
}

/** Classes without a name of their own that are looked up. */
const NAMELESS = 1000;

/** Every supertype that a text names, in order. */
export function supertypesOf(parsed: Parsed): readonly Edge[] {
  const readers = rowOf(parsed.language).supertypes ?? {};
  const kinds = Object.keys(readers);
  if (kinds.length === 0) return [];
  const edges: Edge[] = [];
  let nameless = 0;
  for (const node of parsed.tree.rootNode.descendantsOfType(kinds)) {
    if (!node.isNamed) continue;
    const found = Object.hasOwn(readers, node.type) ? (readers[node.type]?.(node) ?? []) : [];
    if (found.length === 0) continue;
    const name = node.childForFieldName('name');
    const looked = name === null && nameless++ < NAMELESS;
    const own = name ? lastName(name.text) : looked ? nameAround(parsed, node.startIndex, node.endIndex) : undefined;
    for (const each of found) {
      const sub = each.of ?? own;
      if (sub === undefined || sub === '' || each.name === '' || each.name === sub) continue;
      edges.push({ name: sub, of: each.name, how: each.how, line: parsed.lines.lineAt((name ?? node).startIndex) });
    }
  }
  return edges;
}

/** The name a class without one of its own is given to. */
function nameAround(parsed: Parsed, start: number, end: number): string | undefined {
  const holders = declarationsOf(parsed).filter((each) => each.startIndex <= start && each.endIndex >= end);
  return holders.findLast(({ kind }) => kind === 'class')?.name;
}
