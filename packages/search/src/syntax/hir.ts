// What a pattern means: the tree every other part (plan, automaton, exact matcher) is made from. No part looks at pattern text again.

/**
 * Code points (or bytes) as sorted, disjoint, non-adjacent ranges, flat: `[low, high, low, high, ...]`, both ends included.
 * Ranges of code points never hold surrogates.
 */
export type Ranges = readonly number[];

/** Places between characters. `-start-half` looks only behind, `-end-half` only ahead, as in Rust's regex. */
export type Look =
  | 'line-start'
  | 'line-end'
  | 'line-start-crlf'
  | 'line-end-crlf'
  | 'text-start'
  | 'text-end'
  | 'word'
  | 'not-word'
  | 'word-start'
  | 'word-end'
  | 'word-start-half'
  | 'word-end-half';

/**
 * A pattern. Case folding is already in the ranges. Unless lines may be crossed no `class` or `bytes` holds `\n`.
 * Capture groups leave no trace; only the span of the whole match is ever asked for.
 */
export type Hir =
  | { readonly kind: 'empty' }
  /** one Unicode scalar value, encoded in UTF-8; empty ranges never match */
  | { readonly kind: 'class'; readonly ranges: Ranges }
  /** one byte, whatever it is part of: what `(?-u)` makes of a class or an escape */
  | { readonly kind: 'bytes'; readonly ranges: Ranges }
  /** `unicode` tells whose word characters count */
  | { readonly kind: 'look'; readonly look: Look; readonly unicode: boolean }
  | { readonly kind: 'concat'; readonly parts: readonly Hir[] }
  /** the first that matches wins (leftmost-first) */
  | { readonly kind: 'alternate'; readonly parts: readonly Hir[] }
  /** `max` may be Infinity */
  | {
      readonly kind: 'repeat';
      readonly body: Hir;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    };

export interface PatternOptions {
  /** the pattern is text, not an expression */
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** the match stands between word boundaries, as ripgrep's -w has it (half boundaries around the whole pattern) */
  readonly word: boolean;
  /** a match may cross lines, as ripgrep's -U */
  readonly multiline: boolean;
}
