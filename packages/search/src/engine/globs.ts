// The globs of a query as a search uses them: which files pass, and what they bring back that rules leave out.
import { isDocumentGlob, isDocumentName } from '../documents/names.ts';
import { compileGlobs, type Globs } from '../tree/glob.ts';
import type { Excluded } from '../tree/types.ts';
import { walkBelow, type Walker } from '../tree/walk.ts';

export interface QueryGlobs {
  readonly globs: Globs | undefined;
  /** documents are asked for, and are not searched as plain files */
  readonly documents: boolean;
  /** is the path searched as a plain file? */
  readonly passes: (path: string) => boolean;
  /** is it searched as a document? */
  readonly isDocument: (path: string) => boolean;
}

export function globsOf(list: readonly string[]): QueryGlobs {
  const globs = compileGlobs(list);
  const documents = isDocumentGlob(list);
  return {
    globs,
    documents,
    passes: (path) => globs?.matchesFile(path) !== false && !(documents && isDocumentName(path)),
    isDocument: (path) => documents && isDocumentName(path) && globs?.matchesFile(path) !== false,
  };
}

/** For a thread: the same as a function of the path alone. */
export function passing(list: readonly string[]): (path: string) => boolean {
  return globsOf(list).passes;
}

/** Files that the globs bring back from what rules leave out, below `directory`. */
export function broughtBack(
  globs: Globs,
  walker: () => Walker,
  excluded: readonly Excluded[],
  directory: string,
): string[] {
  const prefix = directory === '' ? '' : `${directory}/`;
  const { files, directories } = globs.live(excluded);
  const found = new Set(files.filter((file) => file.startsWith(prefix)));
  for (const each of directories) {
    const below = `${each}/`;
    if (!below.startsWith(prefix) && !prefix.startsWith(below)) continue;
    const start = prefix.startsWith(below) ? directory : each;
    for (const listing of walkBelow(walker(), start, globs)) {
      for (const file of listing.files) if (file.startsWith(prefix)) found.add(file);
    }
  }
  return [...found];
}
