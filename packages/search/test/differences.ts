// Every intended difference between the engine's dialect and ripgrep's, with its reason; docs/search.md says the same. Data only.
import type { Query } from '../src/index.ts';

export interface Difference {
  readonly query: Query;
  readonly reason: string;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    query: { pattern: '(?x) needle # a comment' },
    reason:
      'ripgrep puts a pattern into a group, whose end a comment at the end of the pattern swallows; here it is taken',
  },
  {
    query: { pattern: '(?Rm)^$' },
    reason:
      'between \\r and \\n is no line end to ripgrep; here a line is looked at without its \\n, and its \\r ends it',
  },
  {
    query: { pattern: '\\A', multiline: true },
    reason:
      'under -U ripgrep begins anew after each match, and finds the start of the text there again; here a text has one start',
  },
  {
    query: { pattern: '\\p{Script!=Greek}' },
    reason: 'ripgrep takes != for =; here it is the complement',
  },
  ...[{ pattern: '\\x00' }, { pattern: '[\\x00]' }, { pattern: 'a\\x00b', multiline: true }].map((query) => ({
    query,
    reason: `ripgrep refuses what only a NUL can match (${query.pattern}); here it is taken, and finds nothing in text`,
  })),
];

/** Files of the hostile tree whose lines differ where `where` holds. */
export const FILE_DIFFERENCES: readonly {
  readonly file: string;
  readonly where: (query: Query) => boolean;
  /** one that shows it */
  readonly query: Query;
  readonly reason: string;
}[] = [
  {
    file: 'nul-late.bin',
    where: ({ multiline }) => multiline === true,
    query: { pattern: 'needle|start\\nend', multiline: true },
    reason: 'under -U ripgrep does not see a NUL that is far from the start; here a file with a NUL anywhere is binary',
  },
  {
    file: 'cut-line-ends.txt',
    where: ({ word }) => word === true,
    query: { pattern: '[a-z]+', word: true },
    reason:
      'where a line begins with the end of a cut character, ripgrep sees the line end before it; here it sees no character',
  },
];

export const isIntended = (query: Query): boolean =>
  DIFFERENCES.some(
    ({ query: other }) =>
      other.pattern === query.pattern &&
      Boolean(other.literal) === Boolean(query.literal) &&
      Boolean(other.multiline) === Boolean(query.multiline) &&
      Boolean(other.ignoreCase) === Boolean(query.ignoreCase) &&
      Boolean(other.word) === Boolean(query.word),
  );
