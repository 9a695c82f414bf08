// Takes `\n` out of a tree, for searches within lines. A pattern that asks for it is a mistake there, as in ripgrep.
import { SearchError } from '../types.ts';
import type { Hir } from './hir.ts';
import { has, subtract } from './ranges.ts';

const NEWLINE = [0x0a, 0x0a];

/** The tree without `\n` in any class; `positionOf` tells where a leaf that is nothing else was written. */
export function withoutNewline(hir: Hir, positionOf: (leaf: Hir) => number | undefined): Hir {
  switch (hir.kind) {
    case 'class':
    case 'bytes': {
      if (!has(hir.ranges, 0x0a)) return hir;
      const ranges = subtract(hir.ranges, NEWLINE);
      if (ranges.length > 0) return { kind: hir.kind, ranges };
      throw new SearchError(
        'PATTERN',
        'the pattern asks for a line end, but matches are looked for within lines; set `multiline` to match across lines',
        positionOf(hir),
      );
    }
    case 'concat':
    case 'alternate':
      return { kind: hir.kind, parts: hir.parts.map((part) => withoutNewline(part, positionOf)) };
    case 'repeat':
      return { ...hir, body: withoutNewline(hir.body, positionOf) };
    default:
      return hir;
  }
}
