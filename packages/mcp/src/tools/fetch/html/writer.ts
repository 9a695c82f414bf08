// Lines of Markdown under nested prefixes (quotes, list items): each line is written once, whatever the nesting.

import type { Resolve } from './inline.ts';

/** Blank lines between blocks: 1 starts a new line, 2 leaves a blank one. */
export type Gap = 1 | 2;

export interface Writer {
  /** Writes the lines of one block; `gap` is the least distance to what came before. */
  block(text: string, gap?: Gap): void;
  /** Asks for at least `gap` before whatever comes next. */
  need(gap: Gap): void;
  /** Forgets what was asked for: the next block may follow on the next line. */
  settle(): void;
  /** Runs `inside` with `rest` before each of its lines, `first` before the first one. */
  nested(first: string, rest: string, inside: () => void): void;
  toString(): string;
}

/** What is written to, and how addresses in it are made absolute. */
export interface Context {
  readonly writer: Writer;
  readonly resolve: Resolve;
}

/** Deeper nesting is written at this depth: a prefix must not outgrow the text. */
const MOST_NESTING = 16;

export function createWriter(): Writer {
  const lines: string[] = [];
  let prefix = '';
  let first: string | undefined;
  let depth = 0;
  let gap: Gap = 1;
  let lastPrefix = '';

  return {
    block(text, least = 2) {
      if (text === '') return;
      // The first block of a list item stands beside its marker.
      const distance = first !== undefined ? gap : Math.max(gap, least);
      // A blank line belongs to what encloses both blocks: a quote's bar goes on in it.
      if (lines.length > 0 && distance === 2) lines.push(commonPrefix(lastPrefix, prefix).trimEnd());
      for (const line of text.split('\n')) {
        lines.push(line === '' && first === undefined ? prefix.trimEnd() : (first ?? prefix) + line);
        first = undefined;
      }
      gap = 1;
      lastPrefix = prefix;
    },
    need(least) {
      if (first === undefined && least > gap) gap = least;
    },
    settle() {
      gap = 1;
    },
    nested(marker, rest, inside) {
      if (depth >= MOST_NESTING) {
        inside();
        return;
      }
      const [outer, outerFirst] = [prefix, first];
      depth++;
      first = (outerFirst ?? outer) + marker;
      prefix = outer + rest;
      inside();
      depth--;
      // Nothing was written inside: its marker is dropped with it.
      if (first !== undefined) first = outerFirst;
      prefix = outer;
    },
    toString: () => (lines.length === 0 ? '' : `${lines.join('\n')}\n`),
  };
}

function commonPrefix(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return a.slice(0, i);
}
