// What is asked of each tree, and what has to be reached. Data only.
import type { Query } from '@hanzo/search';

export interface Fixed {
  readonly name: string;
  readonly query: Query;
  /** how many times ripgrep's time has to be ours */
  readonly bar: number;
  /** one of the twelve whose geometric mean has a bar */
  readonly mean: boolean;
}

interface Classes {
  readonly rare: string;
  readonly common: string;
  readonly identifier: string;
  readonly ignoreCase: string;
  readonly alternation: string;
  readonly classes: string;
  readonly anchored: string;
  readonly unicode: string;
  readonly symbol: string;
  readonly words: string;
}

const LARGE: Classes = {
  rare: 'i915_gem_object_pin_map_unlocked',
  common: 'return',
  identifier: 'mutex_lock_interruptible',
  ignoreCase: 'deadlock',
  alternation: 'kmalloc|kzalloc|vmalloc',
  classes: '[A-Z]+_SUSPEND',
  anchored: '^#include <linux/module',
  unicode: 'Jürgen',
  symbol: String.raw`\bspin_lock\b`,
  words: 'out of memory',
};

const MEDIUM: Classes = {
  rare: 'ZodCompileUnsupportedError',
  common: 'return',
  identifier: 'defineProperties',
  ignoreCase: 'deadlock',
  alternation: 'setTimeout|setInterval|setImmediate',
  classes: String.raw`[A-Z][a-z]+Error\(`,
  anchored: String.raw`^import \{`,
  unicode: '日本',
  symbol: String.raw`\bresolve\b`,
  words: 'is not supported',
};

/** The bars of a tree: selective, identifier, everything of middling selectivity, and what is in half of all files. */
const BARS = {
  large: { selective: 100, identifier: 20, regex: 4, common: 1.5 },
  medium: { selective: 20, identifier: 15, regex: 8, common: 1.5 },
};

export const MEAN_BARS = { large: 20, medium: 25 };

const one = (name: string, query: Query, bar: number, mean = true): Fixed => ({ name, query, bar, mean });

/** The twelve of the published comparison, and two that can use no gram. */
export function fixedQueries(kind: 'large' | 'medium'): Fixed[] {
  const text = kind === 'large' ? LARGE : MEDIUM;
  const bars = BARS[kind];
  return [
    one('rare literal', { pattern: text.rare }, bars.selective),
    one('common literal', { pattern: text.common }, bars.common),
    one('identifier', { pattern: text.identifier }, bars.identifier),
    one('case ignored', { pattern: text.ignoreCase, ignoreCase: true }, bars.regex),
    one('alternation', { pattern: text.alternation }, 1),
    one('classes', { pattern: text.classes }, bars.regex),
    one('anchored', { pattern: text.anchored }, bars.regex),
    one('no match', { pattern: 'zzqqxyzzyplugh' }, bars.selective),
    one('two bytes', { pattern: '??', literal: true }, kind === 'large' ? 20 : 15),
    one('Unicode', { pattern: text.unicode }, bars.selective),
    one('symbol', { pattern: text.symbol }, 1),
    one('words', { pattern: text.words }, 1),
    one('no literal at all', { pattern: '[A-Za-z]{30}' }, 1, false),
    one('a script', { pattern: String.raw`\p{Greek}` }, 1, false),
  ];
}

/**
 * tgrep's own tables (its BENCHMARKS page): a search on the Linux kernel with 94,000 files took ripgrep 455 ms and tgrep 477 ms on the
 * average, its index 35 s to build and 977 MB; on a tree of the medium one's size (go) 70 and 41 ms.
 */
export const PUBLISHED = {
  large: { search: '0.95 x', build: '~35 s, ~77 scans', bytes: '977 MB' },
  medium: { search: '1.7 x', build: '~3 s, ~43 scans', bytes: '106 MB' },
};
