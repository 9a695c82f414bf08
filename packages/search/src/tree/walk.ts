// The files of a tree that a search reads, found as ripgrep finds them: one directory at a time, in any thread, in any order.
import { entriesOf, lstatOf, realPath } from './disk.ts';
import type { Globs } from './glob.ts';
import { IGNORE, KEEP, NOTHING } from './rules.ts';
import { judge, type Level, RULE_NAMES, Sources, userPlaces, type UserPlaces } from './sources.ts';
import { toBytes } from './syntax.ts';
import { comparePaths, sortPaths } from './table.ts';
import type { Excluded, Stamp, TreeFacts } from './types.ts';

/** What the kernel shows as files; reading some of them waits for ever. Only a search that starts inside goes there. */
const KERNEL: ReadonlySet<string> = new Set(['/proc', '/sys', '/dev']);

/** What is in one directory. All paths are relative to the root. */
export interface Listing {
  readonly directory: string;
  /** as it was before it was read; undefined if it is not there (any more) */
  readonly stamp: Stamp | undefined;
  /** regular files to search, sorted */
  readonly files: readonly string[];
  /** directories to go on with, sorted as if each ended with a slash */
  readonly directories: readonly string[];
  /** files and directories that rules or their leading dot leave out */
  readonly excluded: readonly Excluded[];
  /** entries that have to do with rules (`RULE_NAMES`) */
  readonly ruleNames: ReadonlySet<string>;
  /** entries whose names are not UTF-8, as nearly as they can be written */
  readonly unnamed: readonly string[];
}

/** Reads directories with the rules that hold in them. It remembers the rules: when one changes, make a new one. */
export class Walker {
  /** the real path of the root */
  readonly root: string;
  readonly #sources: Sources;
  readonly #levels = new Map<string, Level>();
  readonly #prefix: string;

  /** `root` is an absolute path; `places` is needed where there is no environment (in a thread). */
  constructor(root: string, places: UserPlaces = userPlaces()) {
    this.root = realPath(root);
    this.#prefix = this.root === '/' ? '/' : `${this.root}/`;
    this.#sources = new Sources(this.root, places);
  }

  /** Rule files read or looked for so far. */
  get rules(): Stamp[] {
    return this.#sources.stamps;
  }

  /** The absolute path of a relative one. */
  full(relative: string): string {
    return relative === '' ? this.root : this.#prefix + relative;
  }

  /** Lists one directory: '' for the root. One that cannot be read is empty. `globs` come before all rules. */
  list(directory: string, globs?: Globs): Listing {
    const full = this.full(directory);
    const files: string[] = [];
    const directories: string[] = [];
    const excluded: Excluded[] = [];
    const stat = lstatOf(full);
    const ruleNames = new Set<string>();
    if (!stat?.isDirectory()) {
      return { directory, stamp: undefined, files, directories, excluded, ruleNames, unnamed: [] };
    }
    const { entries, unnamed } = entriesOf(full);
    for (const { name } of entries) if (name.startsWith('.') && RULE_NAMES.has(name)) ruleNames.add(name);
    const level = this.#levelOf(directory, ruleNames);
    const before = directory === '' ? '' : `${directory}/`;
    const beforeBytes = toBytes(before);
    for (const entry of entries) {
      const { name } = entry;
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      if (isDirectory && (name === '.git' || (this.root === '/' && KERNEL.has(full + name)))) continue;
      const path = before + name;
      const chosen = globs ? globs.judge(path, isDirectory) : NOTHING;
      if (chosen === IGNORE) continue;
      const verdict = chosen === KEEP ? KEEP : judge(level, beforeBytes, toBytes(name), isDirectory);
      if (verdict === IGNORE || (verdict === NOTHING && name.startsWith('.'))) {
        excluded.push({ path, directory: isDirectory });
      } else if (isDirectory) directories.push(path);
      else files.push(path);
    }
    sortPaths(files);
    if (directories.length > 1) directories.sort((a, b) => comparePaths(`${a}/`, `${b}/`));
    const stamp = { path: directory, ctime: stat.ctimeMs, ino: stat.ino };
    return { directory, stamp, files, directories, excluded, ruleNames, unnamed: unnamed.map((name) => before + name) };
  }

  /** The rules in a directory; `names` are those of its entries that change them, where they are known. */
  #levelOf(directory: string, names: ReadonlySet<string> | undefined): Level {
    const known = this.#levels.get(directory);
    if (known) return known;
    const slash = directory.lastIndexOf('/');
    const parent =
      directory === '' ? this.#sources.above : this.#levelOf(slash === -1 ? '' : directory.slice(0, slash), undefined);
    const before = directory === '' ? '' : `${toBytes(directory)}/`;
    const level = this.#sources.enter(parent, this.full(directory), before, names);
    this.#levels.set(directory, level);
    return level;
  }
}

export interface WalkOptions {
  /** where the user's own rules are; default as the environment has it */
  readonly places?: UserPlaces;
  readonly globs?: Globs | undefined;
  /** told of each directory as soon as it is read; false ends the walk */
  readonly onDirectory?: (listing: Listing) => boolean | void;
}

export interface Walked {
  /** sorted */
  readonly files: string[];
  readonly facts: TreeFacts;
  readonly unnamed: readonly string[];
}

/** Walks the whole tree below `root`. Directories that cannot be read are passed over. */
export function walk(root: string, options: WalkOptions = {}): Walked {
  const startedAt = Date.now();
  const walker = new Walker(root, options.places);
  const listings = new Map<string, Listing>();
  const directories: Stamp[] = [];
  const excluded: Excluded[] = [];
  const unnamed: string[] = [];
  for (const listing of walkBelow(walker, '', options.globs)) {
    listings.set(listing.directory, listing);
    for (const each of listing.excluded) excluded.push(each);
    for (const each of listing.unnamed) unnamed.push(each);
    if (listing.stamp) directories.push(listing.stamp);
    if (options.onDirectory?.(listing) === false) break;
  }
  const facts = { directories: byPath(directories), excluded: byPath(excluded), rules: walker.rules, startedAt };
  return { files: inOrder(listings), facts, unnamed: sortPaths(unnamed) };
}

/** Lists `directory` and everything below it, without recursion: a tree may be deeper than the stack. */
export function* walkBelow(walker: Walker, directory: string, globs?: Globs): Generator<Listing> {
  const pending = [directory];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const listing = walker.list(next, globs);
    // the last one is taken first
    for (let i = listing.directories.length - 1; i >= 0; i--) pending.push(listing.directories[i]!);
    yield listing;
  }
}

/** All files, in the order of their bytes: what is below a directory stands where the directory's name with a slash would. */
function inOrder(listings: ReadonlyMap<string, Listing>): string[] {
  const files: string[] = [];
  const open: { listing: Listing; file: number; directory: number }[] = [];
  const enter = (directory: string): void => {
    const listing = listings.get(directory);
    if (listing) open.push({ listing, file: 0, directory: 0 });
  };
  enter('');
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const below = top.listing.directories[top.directory];
    const end = below === undefined ? undefined : `${below}/`;
    for (; top.file < top.listing.files.length; top.file++) {
      const file = top.listing.files[top.file]!;
      if (end !== undefined && comparePaths(file, end) > 0) break;
      files.push(file);
    }
    if (below === undefined) open.pop();
    else {
      top.directory++;
      enter(below);
    }
  }
  return files;
}

function byPath<T extends { readonly path: string }>(items: T[]): T[] {
  return items.sort((a, b) => comparePaths(a.path, b.path));
}
