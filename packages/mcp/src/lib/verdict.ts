// The classifier of this server: the rules, those of the user and of the project over them, and what it may see of the machine.
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {
  checkExamples,
  classify,
  type Explanation,
  explain,
  type Machine,
  type OwnRules,
  OwnRulesError,
  parseOwnRules,
  type Reason,
  type RuleSet,
  standardRules,
  withOwnRules,
} from '@hanzo/verdict';
import type { Access } from './access.ts';
import type { Classify, Question, Verdict } from './commands/verdict.ts';
import { joinWords } from './commands/words.ts';

export interface ClassifyOptions {
  readonly access: Access;
  /** where the user's own verdict.json is */
  readonly dataDir: string;
}

/** Longest file that is looked into. */
const MOST_BYTES = 256 * 1024;

/** Makes the classifier. Files of rules are read once for each set of roots; a broken one throws OwnRulesError. */
export function createClassify({ access, dataDir }: ClassifyOptions): Classify {
  const rules = rulesFor(dataDir);
  return (question) => {
    const roots = projectRoots(question.roots, access);
    const { command, cwd, env = {}, stdin } = question;
    const machine = machineOf(access, env);
    const own = { cwd, roots, machine, rules: rules(roots), ...(stdin === undefined ? {} : { stdin }) };
    const verdict = classify({ ...own, command });
    return Object.keys(env).length === 0 ? verdict : stricter(verdict, judgeEnvironment(env, own));
  };
}

/** The same for people: with what was understood. */
export function explainCommand(options: ClassifyOptions, { command, cwd, roots }: Question): Explanation {
  const { access, dataDir } = options;
  const mine = projectRoots(roots, access);
  return explain({ command, cwd, roots: mine, machine: machineOf(access, {}), rules: rulesFor(dataDir)(mine) });
}

/** Reads the user's file of rules and those of the roots; throws OwnRulesError, or a sentence, where one is broken. */
export function checkRules(dataDir: string, roots: readonly string[]): void {
  rulesFor(dataDir)(roots);
}

/** Temporary folders are roots to write to. What lies there is nobody's project: it may not say what rules hold, nor be run unasked. */
function projectRoots(roots: readonly string[], access: Access): readonly string[] {
  const temporary = access.temporary();
  return roots.filter((each) => !temporary.includes(each));
}

function rulesFor(dataDir: string): (roots: readonly string[]) => RuleSet {
  const made = new Map<string, RuleSet>();
  return (roots) => {
    const key = roots.join('\0');
    const known = made.get(key);
    if (known) return known;
    const user = path.join(dataDir, 'verdict.json');
    const mine = readRules(user, true);
    const projects = roots
      .map((root) => path.join(root, '.hanzo', 'verdict.json'))
      .filter((file) => realOf(file) !== realOf(user));
    const own = [mine, ...projects.map((file) => readRules(file, false))].filter((each) => each !== undefined);
    const standard = standardRules();
    checkExamples(standard, own);
    const rules = own.length === 0 ? standard : withOwnRules(standard, own);
    made.set(key, rules);
    return rules;
  };
}

function readRules(file: string, mayLoosen: boolean): OwnRules | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new OwnRulesError(`${file}: cannot be read (${code ?? message}); make it a readable file, or take it away`);
  }
  return parseOwnRules(text, { source: file, mayLoosen });
}

function machineOf(access: Access, env: Readonly<Record<string, string>>): Machine {
  return {
    home: env['HOME'] ?? homedir(),
    temporary: [...new Set([...access.temporary(), tmpdir(), '/tmp', '/var/tmp'])],
    root: process.getuid?.() === 0,
    read: (file) => readSmall(file, access),
    real: realOf,
    variable: (name) => env[name] ?? process.env[name],
  };
}

/** What the call lays over the environment, judged as a command that does the same. */
function judgeEnvironment(
  env: Readonly<Record<string, string>>,
  own: Omit<Parameters<typeof classify>[0], 'command'>,
): Verdict {
  const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const verdict = classify({ ...own, command: joinWords(['env', ...words, 'true']) });
  return { ...verdict, reasons: verdict.reasons.map(({ rule, message, decision }) => ({ rule, message, decision })) };
}

function stricter(a: Verdict, b: Verdict): Verdict {
  const order = { deny: 0, ask: 1, allow: 2 };
  const rank = (reason: Verdict['reasons'][number]): number => order[(reason as Partial<Reason>).decision ?? 'ask'];
  const reasons = [...a.reasons, ...b.reasons].sort((x, y) => rank(x) - rank(y));
  return { decision: order[a.decision] <= order[b.decision] ? a.decision : b.decision, reasons };
}

/** The text of a regular file that holds no key material; undefined for anything else. Never waits for a pipe. */
function readSmall(file: string, access: Access): string | undefined {
  let descriptor: number | undefined;
  try {
    const real = realpathSync.native(file);
    if (access.isSecret(real)) return undefined;
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > MOST_BYTES) return undefined;
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(descriptor, bytes, length, bytes.length - length, length);
    if (length > MOST_BYTES || access.holdsKey(real, bytes.subarray(0, length))) return undefined;
    return bytes.toString('utf8', 0, length);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Where an absolute path leads, `..` after its links as the system takes it; what does not exist is kept as written. */
function realOf(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return walk(file);
  }
}

function walk(file: string): string | undefined {
  const pending = file.split('/').filter((each) => each !== '' && each !== '.');
  let at = '/';
  for (let hops = 0; pending.length > 0;) {
    const name = pending.shift() as string;
    const next = name === '..' ? path.dirname(at) : path.join(at, name);
    const link = name === '..' ? undefined : linkOf(next);
    if (link === null || (link !== undefined && ++hops > 40)) return undefined;
    if (link === undefined) at = next;
    else {
      if (link.startsWith('/')) at = '/';
      pending.unshift(...link.split('/').filter((each) => each !== '' && each !== '.'));
    }
  }
  return at;
}

/** What a link says; undefined where there is none, null where that cannot be told. */
function linkOf(file: string): string | undefined | null {
  try {
    return readlinkSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EINVAL' || code === 'ENOENT' || code === 'ENOTDIR' ? undefined : null;
  }
}
