// parse, serialize: a source as its syntax tree, and back.
import { ToolError, utf8Length } from '@hanzo/tool';
import type { TreeCursor } from 'web-tree-sitter';
import { z } from 'zod';
import { declarationsOf, type Parsed } from '../../lib/syntax/index.ts';
import { act } from '../../local.ts';
import { cursor, language, line, text, uri } from './params.ts';
import { about, checkLine, parsing, sourceOf } from './source.ts';
import { isTold, modulesOf } from './symbols.ts';

/** Characters shown of a leaf. */
const LEAF = 60;
/** Deepest level that is indented further. */
const INDENT = 60;

export const parse = act({
  summary: 'language, errors and, to a depth, the syntax tree',
  effect: 'read',
  input: z.strictObject({
    uri,
    text,
    language,
    line: line,
    depth: z
      .int()
      .refine((value) => value >= 0, 'counts from 0')
      .default(0),
    cursor,
  }),
  async run(ctx, input) {
    const found = await sourceOf(ctx, input);
    return parsing(ctx, found, (parsed) => {
      const data = {
        ...about(found, parsed),
        symbols: declarationsOf(parsed).filter(isTold).length,
        ...modulesOf(parsed),
        root: parsed.tree.rootNode.type,
        nodes: parsed.tree.rootNode.descendantCount,
      };
      if (input.line !== undefined) checkLine(parsed, input.line);
      if (input.depth === 0) return { data };
      const tree = drawn(parsed, input.depth, input.line, readStart(input.cursor), ctx.maxOutput);
      return {
        data,
        bodies: [{ kind: 'text', key: 'tree', text: tree.text }],
        paging: { cursor: tree.next === undefined ? null : String(tree.next), more: tree.next !== undefined },
      };
    });
  },
});

function readStart(given: string | undefined): number {
  if (given === undefined) return 0;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new ToolError('INVALID_PARAMS', `'cursor' is not one of this tool; pass paging.cursor as it was given`, {
    param: 'cursor',
  });
}

/**
 * Named nodes as indented lines `line:col-line:col field: kind "text"` from the `skip`th on: those to a depth, or of those only
 * what touches one line.
 */
function drawn(
  parsed: Parsed,
  depth: number,
  only: number | undefined,
  skip: number,
  room: number,
): { text: string; next: number | undefined } {
  const from = only === undefined ? 0 : parsed.lines.startOf(only);
  const to = only === undefined ? parsed.text.length : parsed.lines.endOf(only);
  const pieces: string[] = [];
  const at = parsed.tree.walk();
  let left = room;
  let level = 0;
  let count = 0;
  // levels of nodes that are drawn; anonymous ones are passed through without one
  try {
    for (let entering = true; ;) {
      const touches = at.startIndex <= to && at.endIndex >= from;
      if (entering && touches && (at.nodeIsNamed || at.nodeIsMissing)) {
        if (count++ >= skip) {
          const piece = nodeLine(parsed, at, level);
          const bytes = utf8Length(piece);
          if (bytes > left && pieces.length > 0) return { text: pieces.join(''), next: count - 1 };
          left -= bytes;
          pieces.push(piece);
        }
      }
      if (entering && touches && level < depth && at.gotoFirstChild()) {
        level++;
        continue;
      }
      if (at.gotoNextSibling()) {
        entering = true;
        continue;
      }
      if (!at.gotoParent()) {
        if (skip > 0 && skip >= count) pastEnd(count);
        return { text: pieces.join(''), next: undefined };
      }
      level--;
      entering = false;
    }
  } finally {
    at.delete();
  }
}

function pastEnd(total: number): never {
  throw new ToolError('INVALID_PARAMS', `'cursor' is past the end; ${total} in all`, { param: 'cursor', total });
}

function nodeLine(parsed: Parsed, at: TreeCursor, level: number): string {
  const { startIndex, endIndex } = at;
  const [start, end] = [parsed.lines.at(startIndex), parsed.lines.at(endIndex)];
  const field = at.currentFieldName;
  const leaf = at.currentNode.namedChildCount === 0;
  const shown =
    leaf && endIndex > startIndex
      ? ` ${JSON.stringify(short(parsed.text.slice(startIndex, Math.min(endIndex, startIndex + LEAF + 1))))}`
      : '';
  const missing = at.nodeIsMissing ? ' (missing)' : '';
  const place = `${start.line}:${start.col}-${end.line}:${end.col}`;
  return `${'  '.repeat(Math.min(level, INDENT))}${field ? `${field}: ` : ''}${at.nodeType}${missing}${shown} ${place}\n`;
}

const short = (leaf: string): string =>
  leaf.length > LEAF ? `${leaf.slice(0, LEAF).toWellFormed()}…` : leaf.toWellFormed();

export const serialize = act({
  summary: 'the text put together from the tree, and whether it is the same',
  effect: 'read',
  input: z.strictObject({ uri, text, language }),
  async run(ctx, input) {
    const found = await sourceOf(ctx, input);
    return parsing(ctx, found, (parsed) => {
      const again = putTogether(parsed);
      const fits = utf8Length(again) <= ctx.maxOutput;
      return {
        data: {
          ...about(found, parsed),
          supported: true,
          method: 'leaves of the tree, with what lies between them',
          round_trip: again === found.text,
          ...(fits ? {} : { text: null, note: 'the text is longer than an answer; fs read shows it in pages' }),
          hint: 'a tree is not edited as such: change the text and parse it again',
        },
        bodies: fits ? [{ kind: 'text', key: 'text', text: again }] : [],
      };
    });
  },
});

/** The text as the tree has it: every leaf, and what lies between two of them. */
function putTogether(parsed: Parsed): string {
  const pieces: string[] = [];
  const at = parsed.tree.walk();
  let done = 0;
  try {
    for (;;) {
      if (at.gotoFirstChild()) continue;
      const { startIndex, endIndex } = at;
      if (startIndex >= done) {
        pieces.push(parsed.text.slice(done, startIndex), parsed.text.slice(startIndex, endIndex));
        done = endIndex;
      }
      while (!at.gotoNextSibling()) {
        if (at.gotoParent()) continue;
        pieces.push(parsed.text.slice(done));
        return pieces.join('');
      }
    }
  } finally {
    at.delete();
  }
}
