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
