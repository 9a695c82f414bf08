// Which files a walk leaves out: ripgrep's sources of rules and their order of precedence.
import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { readText } from '../disk/open.ts';
import { compileRule, type Rule } from './glob.ts';

type Verdict = 'ignore' | 'keep' | undefined;

/** Rules of one file, and the directory they are relative to. */
interface RuleFile {
  readonly directory: string;
  readonly rules: readonly Rule[];
}

/** What the rules of one directory are; `above` is the directory that holds it. */
export interface Level {
  readonly directory: string;
  readonly above: Level | undefined;
  readonly rgignore: RuleFile | undefined;
  readonly ignore: RuleFile | undefined;
  readonly gitignore: RuleFile | undefined;
  readonly exclude: RuleFile | undefined;
  /** a repository's top */
  readonly repository: boolean;
  /** this or a directory above is a repository's top; without one git's rules do not count */
  readonly inRepository: boolean;
}

/** Reads rules from the text of an ignore file. A pattern that cannot be read is passed over, as git does. */
function parseRules(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (raw.startsWith('#')) continue;
    // trailing blanks do not count unless escaped
    let line = raw.replace(/(?<!\\)[ \t]+$/, '');
    const negated = line.startsWith('!');
    if (negated) line = line.slice(1);
    if (line === '' || line === '/') continue;
    try {
      rules.push(compileRule(line, negated));
    } catch {
      continue;
    }
  }
  return rules;
}

async function ruleFile(file: string, directory: string): Promise<RuleFile | undefined> {
  const text = await readText(file);
  const rules = text === undefined ? [] : parseRules(text);
  return rules.length > 0 ? { directory, rules } : undefined;
}

/** The level of a directory. `names`, where known, spares looking for files that are not there. */
export async function enter(directory: string, above: Level | undefined, names?: ReadonlySet<string>): Promise<Level> {
  const load = (name: string): Promise<RuleFile | undefined> =>
    names && !names.has(name) ? Promise.resolve(undefined) : ruleFile(path.join(directory, name), directory);
  const hasGit = names
    ? names.has('.git')
    : (await lstat(path.join(directory, '.git')).catch(() => undefined)) !== undefined;
  const [rgignore, ignore, gitignore, exclude] = await Promise.all([
    load('.rgignore'),
    load('.ignore'),
    load('.gitignore'),
    hasGit ? excludeFile(directory) : undefined,
  ]);
  return {
    directory,
    above,
    rgignore,
    ignore,
    gitignore,
    exclude,
    repository: hasGit,
    inRepository: hasGit || (above?.inRepository ?? false),
  };
}

/** `.git/info/exclude`; in a worktree `.git` is a file that leads to the common directory. */
async function excludeFile(directory: string): Promise<RuleFile | undefined> {
  const git = path.join(directory, '.git');
  const pointer = await readText(git);
  let home = git;
  const named = pointer === undefined ? undefined : /^gitdir: (.+)$/m.exec(pointer)?.[1];
  if (named !== undefined) {
    home = path.resolve(directory, named);
    const common = await readText(path.join(home, 'commondir'));
    if (common !== undefined) home = path.resolve(home, common.trim());
  }
  return ruleFile(path.join(home, 'info', 'exclude'), directory);
}

/** The levels of all directories above and with `directory`, outermost first read. */
export async function levelsDownTo(directory: string): Promise<Level> {
  const parent = path.dirname(directory);
  const above = parent === directory ? undefined : await levelsDownTo(parent);
  return enter(directory, above);
}

/** The user's own excludes: `core.excludesFile`, else `git/ignore` in the configuration folder. */
export async function globalRules(root: string): Promise<RuleFile | undefined> {
  const config = process.env['XDG_CONFIG_HOME'] || path.join(homedir(), '.config');
  for (const file of [path.join(homedir(), '.gitconfig'), path.join(config, 'git', 'config')]) {
    const text = (await readText(file)) ?? '';
    const named = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(text)?.[1];
    if (named !== undefined) {
      const resolved = named.startsWith('~/') ? path.join(homedir(), named.slice(2)) : named;
      return ruleFile(resolved, root);
    }
  }
  return ruleFile(path.join(config, 'git', 'ignore'), root);
}

function judge(file: RuleFile | undefined, full: string, name: string, directory: boolean): Verdict {
  if (!file) return undefined;
  const prefix = file.directory.endsWith('/') ? file.directory : `${file.directory}/`;
  if (!full.startsWith(prefix)) return undefined;
  const relative = full.slice(prefix.length);
  for (let i = file.rules.length - 1; i >= 0; i--) {
    const rule = file.rules[i]!;
    if ((!rule.directoryOnly || directory) && rule.matches(relative, name)) return rule.negated ? 'keep' : 'ignore';
  }
  return undefined;
}

/**
 * What the rules say of an entry of `level`'s directory. The nearest directory with a word on it decides within one kind
 * of rule file; among kinds `.rgignore` comes before `.ignore`, before git's own; git's stop at the repository's top.
 */
export function verdict(level: Level, name: string, directory: boolean, global: RuleFile | undefined): Verdict {
  const full = level.directory.endsWith('/') ? `${level.directory}${name}` : `${level.directory}/${name}`;
  let ripgrep: Verdict;
  let plain: Verdict;
  let git: Verdict;
  let excluded: Verdict;
  let top = false;
  for (let at: Level | undefined = level; at; at = at.above) {
    ripgrep ??= judge(at.rgignore, full, name, directory);
    plain ??= judge(at.ignore, full, name, directory);
    if (level.inRepository && !top) {
      git ??= judge(at.gitignore, full, name, directory);
      excluded ??= judge(at.exclude, full, name, directory);
    }
    top ||= at.repository;
  }
  const users = level.inRepository ? judge(global, full, name, directory) : undefined;
  return ripgrep ?? plain ?? git ?? excluded ?? users;
}
