// A verdict.json file: from its text to rows and rules. Whatever is wrong is an error that names the file, the line and what would be right.
import type { CommandRule, Places, ProgramRule, Role } from '../rules/types.ts';
import type { Decision, Override } from '../types.ts';
import { linesOf } from './lines.ts';

/** What a verdict.json file says. */
export interface OwnRules {
  readonly rows: readonly Override[];
  readonly programs: readonly OwnProgram[];
}

export interface OwnProgram {
  readonly rule: ProgramRule;
  /** stands in place of the package's rule, or makes an unlisted program known; else it is judged besides and can only tighten */
  readonly replaces: boolean;
  readonly source: string;
}

/** A file that cannot be used. The message names file and line. */
export class OwnRulesError extends Error {
  override readonly name = 'OwnRulesError';
}

export interface OwnRulesOptions {
  /** the file's name, for messages */
  readonly source: string;
  /** rows and programs may say `"loosen": true`: only in the user's own file */
  readonly mayLoosen: boolean;
}

/** Most characters of a file, rows and programs in it. */
const MOST_CHARACTERS = 1_000_000;
const MOST_ENTRIES = 2000;
const DECISIONS: readonly Decision[] = ['allow', 'ask', 'deny'];
// prettier-ignore
const ROLES: ReadonlySet<string> = new Set<Role>([
  'data', 'read', 'write', 'delete', 'move', 'into', 'execute', 'script', 'shell', 'code', 'command', 'url', 'upload',
  'remote', 'mode', 'device', 'pid', 'package',
]);

/** Reads the text of a verdict.json file. OwnRulesError where it is not one. */
export function parseOwnRules(text: string, { source, mayLoosen }: OwnRulesOptions): OwnRules {
  if (text.length > MOST_CHARACTERS)
    throw new OwnRulesError(`${source}: has more than ${MOST_CHARACTERS} characters; it is a short list of rules`);
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new OwnRulesError(
      `${source}:${lineOfSyntax(text, error as Error)}: is not JSON: ${(error as Error).message}`,
    );
  }
  const lines = linesOf(text.replace(/^\uFEFF/, ''));
  const fail = (path: Path, message: string): never => {
    const place = path.length === 0 ? '' : `${path.join('.')} `;
    throw new OwnRulesError(`${source}:${lines.get(JSON.stringify(path)) ?? 1}: ${place}${message}`);
  };
  const read = new Reader(fail, mayLoosen, source);
  const top = read.object(root, [], ['rules', 'programs'], 'is an object: {"rules": [...], "programs": [...]}');
  return {
    rows: read.list(top['rules'], ['rules'], (each, path) => read.row(each, path)),
    programs: read.list(top['programs'], ['programs'], (each, path) => read.program(each, path)),
  };
}

type Path = readonly (string | number)[];
type Fail = (path: Path, message: string) => never;

class Reader {
  readonly #fail: Fail;
  readonly #mayLoosen: boolean;
  readonly #source: string;

  constructor(fail: Fail, mayLoosen: boolean, source: string) {
    this.#fail = fail;
    this.#mayLoosen = mayLoosen;
    this.#source = source;
  }

  row(value: unknown, path: Path): Override {
    const right = 'is {"match": ["npm", "publish", "**"], "decision": "deny", "message": "..."}';
    const row = this.object(value, path, ['match', 'decision', 'message', 'loosen'], right);
    const match = this.words(row['match'], [...path, 'match'], 'is a list of words, such as ["npm", "publish", "**"]');
    const rest = match.indexOf('**');
    if (rest >= 0 && rest < match.length - 1)
      this.#fail([...path, 'match', rest], '"**" stands for the rest of the words, so it comes last');
    if (match[0] === '**' || match[0] === '*')
      this.#fail([...path, 'match', 0], 'the first word is the name of a program');
    if (match[0]!.includes('/'))
      this.#fail(
        [...path, 'match', 0],
        `the first word is a program's name without its folder: "${match[0]!.split('/').at(-1)}"`,
      );
    const decision = this.decision(row['decision'], [...path, 'decision']);
    const loosens = this.loosens(row['loosen'], [...path, 'loosen']);
    if (decision === 'allow' && !loosens) {
      this.#fail(
        [...path, 'decision'],
        this.#mayLoosen
          ? '"allow" makes the rules milder, which a row does only with "loosen": true'
          : 'is ask or deny here: this file can only make the rules stricter; "allow" belongs into the file of the user, with "loosen": true',
      );
    }
    const message = this.text(row['message'], [...path, 'message']);
    return { match, decision, mayLoosen: loosens, source: this.#source, ...(message === undefined ? {} : { message }) };
  }

  program(value: unknown, path: Path): OwnProgram {
    const right = 'is {"names": ["acme"], "sub": {"deploy": {"decision": "ask", "why": "..."}}}';
    const row = this.object(value, path, ['names', 'examples', 'loosen', ...COMMAND_KEYS], right);
    const names = this.words(row['names'], [...path, 'names'], 'is a list of program names, such as ["acme"]');
    const slash = names.findIndex((each) => each.includes('/'));
    if (slash >= 0) this.#fail([...path, 'names', slash], 'is a name without its folder');
    const examples = this.map(row['examples'], [...path, 'examples'], (each, at) => this.decision(each, at)) ?? {};
    const rule = { ...this.command(row, path), names, examples };
    return { rule, replaces: this.loosens(row['loosen'], [...path, 'loosen']), source: this.#source };
  }

  command(row: Readonly<Record<string, unknown>>, path: Path): CommandRule {
    const made: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(row)) {
      const at = [...path, key];
      if (key === 'decision' || key === 'otherSub') made[key] = this.decision(value, at);
      else if (key === 'why') made[key] = this.text(value, at);
      else if (BOOLEANS.includes(key)) made[key] = this.boolean(value, at);
      else if (key === 'operands') made[key] = this.operands(value, at);
      else if (key === 'options') made[key] = this.map(value, at, (each, where) => this.option(each, where));
      else if (key === 'otherOptions') {
        if (value !== 'ask' && value !== 'harmless') this.#fail(at, 'is "ask" or "harmless"');
        made[key] = value;
      } else if (key === 'sub') {
        made[key] = this.map(value, at, (each, where) =>
          this.command(this.object(each, where, COMMAND_KEYS, 'is the rule of a subcommand, an object'), where),
        );
      }
    }
    return made as CommandRule;
  }

  option(value: unknown, path: Path): unknown {
    if (typeof value === 'string') {
      if (value !== 'flag' && !ROLES.has(value)) this.#fail(path, `is "flag", ${[...ROLES].join(', ')}, or an object`);
      return value;
    }
    const row = this.object(value, path, OPTION_KEYS, 'is "flag", the role of its value, or an object');
    const made: Record<string, unknown> = {};
    for (const [key, each] of Object.entries(row)) {
      const at = [...path, key];
      if (key === 'decision') made[key] = this.decision(each, at);
      else if (key === 'why') made[key] = this.text(each, at);
      else if (key === 'value') made[key] = this.role(each, at);
      else if (key === 'operands') made[key] = this.operands(each, at);
      else made[key] = this.boolean(each, at);
    }
    return made;
  }

  operands(value: unknown, path: Path): unknown {
    if (value === 'none') return value;
    if (typeof value === 'string') return this.role(value, path);
    const row = this.object(
      value,
      path,
      ['first', 'last', 'rest'],
      'is a role, "none", or {"first": [...], "rest": role, "last": [...]}',
    );
    const roles = (key: string): readonly Role[] =>
      this.list(row[key], [...path, key], (each, at) => this.role(each, at));
    const made: Places = {
      ...(row['first'] === undefined ? {} : { first: roles('first') }),
      ...(row['last'] === undefined ? {} : { last: roles('last') }),
      ...(row['rest'] === undefined ? {} : { rest: this.role(row['rest'], [...path, 'rest']) }),
    };
    return made;
  }

  role(value: unknown, path: Path): Role {
    if (typeof value !== 'string' || !ROLES.has(value)) this.#fail(path, `is one of ${[...ROLES].join(', ')}`);
    return value as Role;
  }

  decision(value: unknown, path: Path): Decision {
    const found = DECISIONS.find((each) => each === value);
    return found ?? this.#fail(path, `is "allow", "ask" or "deny", not ${shown(value)}`);
  }

  loosens(value: unknown, path: Path): boolean {
    if (value === undefined) return false;
    const loosen = this.boolean(value, path);
    if (loosen && !this.#mayLoosen)
      this.#fail(path, 'only the file of the user can make rules milder; leave it out here');
    return loosen;
  }

  boolean(value: unknown, path: Path): boolean {
    return typeof value === 'boolean' ? value : this.#fail(path, `is true or false, not ${shown(value)}`);
  }

  text(value: unknown, path: Path): string | undefined {
    if (value === undefined || (typeof value === 'string' && value.trim() !== '' && value.length <= 500)) return value;
    return this.#fail(path, 'is a sentence of at most 500 characters');
  }

  words(value: unknown, path: Path, right: string): readonly string[] {
    if (!Array.isArray(value) || value.length === 0) return this.#fail(path, right);
    return value.map((each, i) =>
      typeof each === 'string' && each !== '' ? each : this.#fail([...path, i], `is a word, not ${shown(each)}`),
    );
  }

  list<T>(value: unknown, path: Path, read: (each: unknown, path: Path) => T): readonly T[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.#fail(path, `is a list, not ${shown(value)}`);
    if (value.length > MOST_ENTRIES) this.#fail(path, `has more than ${MOST_ENTRIES} entries`);
    return value.map((each, i) => read(each, [...path, i]));
  }

  map<T>(value: unknown, path: Path, read: (each: unknown, path: Path) => T): Record<string, T> | undefined {
    if (value === undefined) return undefined;
    const row = this.object(value, path, undefined, `is an object, not ${shown(value)}`);
    return Object.fromEntries(Object.entries(row).map(([key, each]) => [key, read(each, [...path, key])]));
  }

  object(
    value: unknown,
    path: Path,
    keys: readonly string[] | undefined,
    right: string,
  ): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.#fail(path, right);
    const unknown = keys && Object.keys(value).find((key) => !keys.includes(key));
    if (unknown !== undefined) this.#fail([...path, unknown], `is not known here; there are: ${keys!.join(', ')}`);
    return value as Readonly<Record<string, unknown>>;
  }
}

const BOOLEANS: readonly string[] = ['bundles', 'optionsFirst', 'network', 'recursive'];
// prettier-ignore
const COMMAND_KEYS: readonly string[] = ['options', 'otherOptions', 'operands', 'decision', 'why', 'sub', 'otherSub', ...BOOLEANS];
const OPTION_KEYS: readonly string[] = [
  'value',
  'attached',
  'operands',
  'recursive',
  'network',
  'dry',
  'decision',
  'why',
];

function shown(value: unknown): string {
  return value === undefined ? 'left out' : JSON.stringify(value).slice(0, 60);
}

/** The line V8's message names, or the one of the position it names, or the last one: where the text ended too early. */
function lineOfSyntax(text: string, { message }: Error): number {
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  return text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
}
