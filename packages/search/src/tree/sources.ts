// Which ignore files speak about a directory, in ripgrep's order of precedence, and what they say together. Reads only
// ignore files and git's pointers to them.
import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { readRegular, statOf } from './disk.ts';
import { NOTHING, parseRules, RuleSet, type Verdict } from './rules.ts';
import { toBytes } from './syntax.ts';
import type { Stamp } from './types.ts';

/** A directory's own ignore files, beside git's. */
const OWN = ['.rgignore', '.ignore', '.gitignore'] as const;
/** What makes a directory the top of a repository. */
const TOPS = ['.git', '.jj'] as const;
/** Every name that, created or removed, changes the rules of its directory. */
export const RULE_NAMES: ReadonlySet<string> = new Set([...OWN, ...TOPS]);

/** Where the user's own rules are looked for; plain data, because a thread has no environment. */
export interface UserPlaces {
  readonly home: string;
  /** `$XDG_CONFIG_HOME`, or `.config` at home */
  readonly config: string;
}

/** The places of this process's environment. */
export function userPlaces(): UserPlaces {
  const home = process.env['HOME'] || homedir();
  return { home, config: process.env['XDG_CONFIG_HOME'] || path.join(home, '.config') };
}

/** The rules of one file, and how paths are written relative to its directory. */
interface Placed {
  readonly rules: RuleSet;
  /** the directory of the rules is `cut` bytes into a path that is relative to the root, or above the root by `above` */
  readonly cut: number;
  readonly above: string;
}

/** All rules that hold in one directory; within a kind the nearest file comes first. */
export interface Level {
  readonly rgignore: readonly Placed[];
  readonly ignore: readonly Placed[];
  readonly git: readonly Placed[];
  readonly exclude: readonly Placed[];
  readonly inRepository: boolean;
  /** all kinds in their order of precedence: the first that has a word on an entry decides */
  readonly order: readonly Placed[];
}

const BARE: Level = { rgignore: [], ignore: [], git: [], exclude: [], inRepository: false, order: [] };

/** Reads rule files, each once, and remembers with which stamp it was read. */
export class Sources {
  readonly #root: string;
  readonly #rules = new Map<string, { readonly rules: RuleSet | undefined; readonly stamp: Stamp }>();
  readonly #global: Placed | undefined;
  /** the level that the root's parent hands down */
  readonly above: Level;

  /** `root` is a real path. */
  constructor(root: string, places: UserPlaces) {
    this.#root = root;
    this.#global = this.#readGlobal(places);
    const parents: string[] = [];
    for (let at = root; path.dirname(at) !== at;) parents.push((at = path.dirname(at)));
    let level = BARE;
    for (const parent of parents.toReversed()) {
      const above = `${toBytes(path.relative(parent, root))}/`;
      level = this.#enter(level, parent, undefined, { cut: 0, above });
    }
    this.above = level;
  }

  /** Rule files that were read or looked for, and what told repositories from other directories. */
  get stamps(): Stamp[] {
    return Array.from(this.#rules.values(), (each) => each.stamp);
  }

  /** The level of a directory at or below the root: `relative` is its path in bytes, empty or ending with a slash. */
  enter(parent: Level, directory: string, relative: string, names: ReadonlySet<string> | undefined): Level {
    return this.#enter(parent, directory, names, { cut: relative.length, above: '' });
  }

  #enter(
    parent: Level,
    directory: string,
    names: ReadonlySet<string> | undefined,
    place: { readonly cut: number; readonly above: string },
  ): Level {
    const read = (name: string): readonly Placed[] => {
      if (names && !names.has(name)) return [];
      const rules = this.#read(path.join(directory, name));
      return rules ? [{ rules, ...place }] : [];
    };
    const tops = TOPS.filter((name) => (!names || names.has(name)) && this.#exists(path.join(directory, name)));
    const [rgignore, ignore, git] = [read(OWN[0]), read(OWN[1]), read(OWN[2])];
    const top = tops.length > 0;
    if (!top && rgignore.length + ignore.length + git.length === 0) return parent;
    const excludes = tops.includes('.git') ? this.#readExclude(directory) : undefined;
    const exclude = excludes ? [{ rules: excludes, ...place }] : [];
    // git's rules end at the top of their repository, and count only in one
    const inRepository = top || parent.inRepository;
    const kinds = {
      rgignore: [...rgignore, ...parent.rgignore],
      ignore: [...ignore, ...parent.ignore],
      git: !inRepository ? [] : top ? git : [...git, ...parent.git],
      exclude: top ? exclude : parent.exclude,
    };
    const order = [...kinds.rgignore, ...kinds.ignore, ...kinds.git, ...kinds.exclude];
    if (inRepository && this.#global) order.push(this.#global);
    return { ...kinds, inRepository, order };
  }

  #read(file: string): RuleSet | undefined {
    const known = this.#rules.get(file);
    if (known) return known.rules;
    const stat = statOf(file);
    const bytes = readRegular(file);
    const parsed = bytes ? parseRules(bytes) : [];
    const rules = parsed.length > 0 ? new RuleSet(parsed) : undefined;
    this.#rules.set(file, { rules, stamp: stampOf(file, stat) });
    return rules;
  }

  /** Of a directory only its being there counts: git writes into its own all the time. */
  #exists(file: string): boolean {
    const stamp = ruleStamp(file);
    this.#rules.set(file, { rules: undefined, stamp });
    return stamp.ctime !== 0;
  }

  /** `info/exclude` of the repository; in a worktree `.git` is a file that leads to the common directory. */
  #readExclude(directory: string): RuleSet | undefined {
    const git = path.join(directory, '.git');
    let home = git;
    if (statOf(git)?.isFile()) {
      const pointer = this.#firstLine(git);
      if (!pointer?.startsWith('gitdir: ')) return undefined;
      home = path.resolve(directory, pointer.slice('gitdir: '.length));
      const common = this.#firstLine(path.join(home, 'commondir'));
      // a submodule has none, and no rules of this kind
      if (common === undefined) return undefined;
      home = path.resolve(home, common);
    }
    return this.#read(path.join(home, 'info', 'exclude'));
  }

  #firstLine(file: string): string | undefined {
    const stat = statOf(file);
    this.#rules.set(file, { rules: undefined, stamp: stampOf(file, stat) });
    const text = readRegular(file)?.toString();
    return text === undefined || text === '' ? undefined : text.split(/\r?\n/, 1)[0];
  }

  /** The user's own rules: `core.excludesFile`, else `git/ignore` in the configuration folder. */
  #readGlobal({ home, config }: UserPlaces): Placed | undefined {
    let file = path.join(config, 'git', 'ignore');
    for (const each of [path.join(home, '.gitconfig'), path.join(config, 'git', 'config')]) {
      const stat = statOf(each);
      this.#rules.set(each, { rules: undefined, stamp: stampOf(each, stat) });
      const named = EXCLUDES_FILE.exec(readRegular(each)?.toString('latin1') ?? '')?.[1];
      if (named !== undefined) {
        file = path.resolve(this.#root, Buffer.from(named, 'latin1').toString().replaceAll('~', home));
        break;
      }
    }
    const rules = this.#read(file);
    return rules && { rules, cut: 0, above: '' };
  }
}

/** As ripgrep finds the setting: wherever in the file a line reads like it. */
const EXCLUDES_FILE = /^[ \t-\r]*excludesfile[ \t-\r]*=[ \t-\r]*"?[ \t-\r]*([^ \t-\r]+?)[ \t-\r]*"?[ \t-\r]*$/im;

/**
 * What the rules of a level say of an entry: `before` is the path of its directory in bytes, relative to the root, empty or
 * ending with a slash, and `name` its name in bytes.
 */
export function judge(level: Level, before: string, name: string, directory: boolean): Verdict {
  for (const { rules, cut, above } of level.order) {
    const from = above !== '' ? above + before : cut === 0 ? before : before.slice(cut);
    const verdict = rules.judge(from, name, directory);
    if (verdict !== NOTHING) return verdict;
  }
  return NOTHING;
}

function stampOf(file: string, stat: Stats | undefined): Stamp {
  if (!stat) return { path: file, ctime: 0, ino: 0 };
  return { path: file, ctime: stat.isDirectory() ? 1 : stat.ctimeMs, ino: stat.ino };
}

/** The stamp that a rule file, or a repository's mark, has now. Directories have the time 1: what is in them does not count. */
export function ruleStamp(file: string): Stamp {
  return stampOf(file, statOf(file));
}
