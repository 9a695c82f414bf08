// From a text to its syntax tree, in slices between which the server goes on, within limits of size and time.
import { setImmediate } from 'node:timers/promises';
import { shorten, ToolError } from '@hanzo/tool';
import type { Node, Parser, Tree } from 'web-tree-sitter';
import { loadGrammar, loadLibrary } from './grammars.ts';
import { type LanguageId, rowOf } from './languages/index.ts';
import { Lines } from './lines.ts';

/** Longest text that is parsed, in UTF-16 units: the search engine's limit for a file. */
export const MAX_TEXT = 16 * 1024 * 1024;
/** How long a parse may take, in milliseconds of its own work. */
const DEADLINE_MS = 20_000;
/** Longest stretch during which nothing else runs. */
const SLICE_MS = 25;
/** Most memory that trees may take, in bytes: twice as much ends the parser for good (WebAssembly has 2 GiB here). */
const HEAP_BYTES = 1024 * 1024 * 1024;
/** Faults that are kept with their place; the rest is counted. */
const FAULTS = 100;

/** A place where the text is not of its language. Positions are UTF-16 units; lines count from 1, columns from 0. */
export interface Fault {
  readonly line: number;
  readonly col: number;
  readonly startIndex: number;
  readonly endIndex: number;
  /** what is missing, or the text that fits nowhere */
  readonly message: string;
}

/** A parsed text. Its tree lives outside JavaScript's memory: whoever parses frees. */
export interface Parsed {
  readonly text: string;
  readonly language: LanguageId;
  readonly tree: Tree;
  readonly lines: Lines;
  /** the first of the syntax errors, in order */
  readonly errors: readonly Fault[];
  /** how many there are in all */
  readonly errorCount: number;
  /** gives the tree's memory back; nodes are unusable afterwards. Safe to call twice. */
  free(): void;
}

export interface ParseOptions {
  /** milliseconds of work after which TIMEOUT is thrown; default 20,000 */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Parses a text. A text with syntax errors parses all the same, with `errors`. Throws INVALID_PARAMS over 16 Mi UTF-16 units,
 * TIMEOUT past the deadline, and the signal's reason.
 */
export async function parseSource(text: string, language: LanguageId, options: ParseOptions = {}): Promise<Parsed> {
  if (text.length > MAX_TEXT) {
    throw new ToolError('INVALID_PARAMS', `the text has ${text.length} characters; up to ${MAX_TEXT} are parsed`);
  }
  const { signal, deadlineMs = DEADLINE_MS } = options;
  signal?.throwIfAborted();
  const [library, grammar] = await Promise.all([loadLibrary(), loadGrammar(rowOf(language).grammar)]);
  const parser = new library.Parser();
  try {
    parser.setLanguage(grammar);
    const tree = await inSlices(parser, text, deadlineMs, library.heapBytes, signal);
    return parsedOf(text, language, tree);
  } finally {
    parser.delete();
  }
}

async function inSlices(
  parser: Parser,
  text: string,
  deadlineMs: number,
  heapBytes: () => number,
  signal?: AbortSignal,
): Promise<Tree> {
  let left = deadlineMs;
  const before = heapBytes();
  const swollen = (): boolean => heapBytes() > Math.max(before, HEAP_BYTES);
  for (;;) {
    const begun = performance.now();
    const slice = Math.min(SLICE_MS, left);
    // a parse that its callback stopped goes on where it was
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() - begun > slice || swollen() });
    if (tree) return tree;
    if (swollen()) {
      throw new ToolError(
        'INVALID_PARAMS',
        `the tree of these ${text.length} characters needs more than the ${HEAP_BYTES} bytes there are for it; parse a part`,
      );
    }
    left -= performance.now() - begun;
    if (left <= 0) {
      throw new ToolError('TIMEOUT', `parsing ${text.length} characters took over ${deadlineMs / 1000} s`);
    }
    await setImmediate();
    signal?.throwIfAborted();
  }
}

function parsedOf(text: string, language: LanguageId, tree: Tree): Parsed {
  const lines = new Lines(text);
  const { faults, count } = faultsOf(text, tree, lines);
  let freed = false;
  return {
    text,
    language,
    tree,
    lines,
    errors: faults,
    errorCount: count,
    free() {
      if (!freed) tree.delete();
      freed = true;
    },
  };
}

/** ERROR and MISSING nodes; what lies inside an ERROR is not counted again. */
function faultsOf(text: string, tree: Tree, lines: Lines): { faults: Fault[]; count: number } {
  const faults: Fault[] = [];
  let count = 0;
  if (!tree.rootNode.hasError) return { faults, count };
  const cursor = tree.walk();
  try {
    for (let inside = true; inside;) {
      const node = cursor.currentNode;
      const wrong = node.isError || node.isMissing;
      if (wrong && count++ < FAULTS) faults.push(faultOf(text, node, lines));
      if (!wrong && node.hasError && cursor.gotoFirstChild()) continue;
      inside = cursor.gotoNextSibling();
      while (!inside && cursor.gotoParent()) inside = cursor.gotoNextSibling();
    }
  } finally {
    cursor.delete();
  }
  return { faults, count };
}

function faultOf(text: string, node: Node, lines: Lines): Fault {
  const { startIndex, endIndex } = node;
  const { line, col } = lines.at(startIndex);
  const message = node.isMissing
    ? `missing ${node.type}`
    : `unexpected ${JSON.stringify(shorten(text.slice(startIndex, Math.min(endIndex, startIndex + 200)), 60))}`;
  return { line, col, startIndex, endIndex, message };
}
