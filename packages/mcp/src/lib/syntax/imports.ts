// What a parsed text imports.
import { rowOf } from './languages/index.ts';
import type { ImportedName } from './languages/row.ts';
import type { Parsed } from './parse.ts';

export interface Import {
  /** the module as written, without quotes */
  readonly module: string;
  readonly names: readonly ImportedName[];
  /** `import`, `export` (from), `require`, `import()`, `from`, `use`, `mod`, `include`, `source` ... */
  readonly form: string;
  readonly typeOnly: boolean;
  /** from 1 */
  readonly line: number;
  readonly startIndex: number;
  readonly endIndex: number;
}

const kept = new WeakMap<Parsed, readonly Import[]>();

/** Every import of a text, in order; also those within functions. */
export function importsOf(parsed: Parsed): readonly Import[] {
  const known = kept.get(parsed);
  if (known) return known;
  const { imports } = rowOf(parsed.language);
  const types = Object.keys(imports);
  const found: Import[] = [];
  for (const node of types.length > 0 ? parsed.tree.rootNode.descendantsOfType(types) : []) {
    const spec = Object.hasOwn(imports, node.type) ? imports[node.type]?.(node) : undefined;
    if (!spec) continue;
    const { startIndex, endIndex } = node;
    found.push({ typeOnly: false, ...spec, line: parsed.lines.lineAt(startIndex), startIndex, endIndex });
  }
  kept.set(parsed, found);
  return found;
}
