// The globs of a query: ripgrep's -g. They come before every rule of the tree: later ones win, `!` leaves out, and a match
// brings back what ignore files or a leading dot leave out.
import { SearchError } from '../types.ts';
import { IGNORE, KEEP, NOTHING, parseRule, type Rule, RuleSet, type Verdict } from './rules.ts';
import { GlobSyntaxError, toBytes } from './syntax.ts';
import type { Excluded } from './types.ts';

/** The globs of one query, ready to be asked. Paths are relative to the root. */
export interface Globs {
  /** for what rules let through: is the file searched? Decided by its path, and by those of the directories it is in. */
  matchesFile(path: string): boolean;
  /** among what rules leave out: files to search as well, and directories to walk with these globs (`walkBelow`) */
  live(excluded: readonly Excluded[]): { files: string[]; directories: string[] };
  /** KEEP: in, whatever the rules say; IGNORE: out; NOTHING: as the rules say. What is above the entry is not asked. */
  judge(path: string, directory: boolean): Verdict;
}

/** Throws SearchError `GLOB` for one that cannot be read. Without globs: undefined. */
export function compileGlobs(globs: readonly string[]): Globs | undefined {
  const rules = globs.map(readGlob).filter((each) => each !== undefined);
  if (rules.length === 0) return undefined;
  const set = new RuleSet(rules);
  // with one that names files, only what is named is searched
  const selects = rules.some((each) => !each.negated);

  const judge = (path: string, directory: boolean): Verdict => {
    const bytes = toBytes(path);
    const slash = bytes.lastIndexOf('/') + 1;
    const verdict = set.judge(bytes.slice(0, slash), bytes.slice(slash), directory);
    // the sense of `!` is the reverse of that in an ignore file
    if (verdict !== NOTHING) return verdict === IGNORE ? KEEP : IGNORE;
    return selects && !directory ? IGNORE : NOTHING;
  };

  const open = new Map<string, boolean>([['', true]]);
  /** Does no glob leave out the directory, or one it is in? */
  const isOpen = (directory: string): boolean => {
    const above: string[] = [];
    let at = directory;
    for (; !open.has(at); at = parentOf(at)) above.push(at);
    let answer = open.get(at) === true;
    for (const each of above.toReversed()) {
      answer &&= judge(each, true) !== IGNORE;
      open.set(each, answer);
    }
    return answer;
  };

  return {
    judge,
    matchesFile: (path) => judge(path, false) !== IGNORE && isOpen(parentOf(path)),
    live: (excluded) => {
      const brought = excluded.filter(
        (each) => judge(each.path, each.directory) === KEEP && isOpen(parentOf(each.path)),
      );
      return {
        files: brought.filter((each) => !each.directory).map((each) => each.path),
        directories: brought.filter((each) => each.directory).map((each) => each.path),
      };
    },
  };
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

function readGlob(glob: string): Rule | undefined {
  try {
    return parseRule(glob, false);
  } catch (error) {
    if (error instanceof GlobSyntaxError) throw new SearchError('GLOB', `the glob '${glob}' ${error.message}`);
    throw error;
  }
}
