// Rows of verdict.json files: which of them is about a command.
import type { Override } from '../types.ts';

type Words = readonly (string | undefined)[];

/**
 * The row that decides: of those that match the strictest, unless one of the user's own says otherwise. `others` are the words in
 * other readings, such as without options: a row that can only tighten is about those too.
 */
export function overridden(rows: readonly Override[], words: Words, others: readonly Words[]): Override | undefined {
  const order = { deny: 0, ask: 1, allow: 2 };
  const found = rows.filter((row) =>
    row.mayLoosen
      ? matches(row.match, words)
      : row.decision !== 'allow' && [words, ...others].some((each) => matches(row.match, each)),
  );
  const own = found.filter((row) => row.mayLoosen).sort((a, b) => b.match.length - a.match.length)[0];
  const strict = found.sort((a, b) => order[a.decision] - order[b.decision])[0];
  // an organisation's stricter row is not undone by a milder one of the user's
  return strict && own && order[strict.decision] < order[own.decision] && !strict.mayLoosen ? strict : (own ?? strict);
}

function matches(pattern: readonly string[], words: Words): boolean {
  const open = pattern.at(-1) === '**';
  const fixed = open ? pattern.slice(0, -1) : pattern;
  if (words.length < fixed.length || (!open && words.length > fixed.length)) return false;
  return fixed.every((each, i) => each === '*' || each === words[i]);
}
