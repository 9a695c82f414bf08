// What `hanzo-mcp search` takes: ripgrep's names for what ripgrep has, read into one plain value.
import { readFlags, UsageError } from '../../flags.ts';

const FLAGS = {
  regexp: { type: 'string', short: 'e', multiple: true },
  'ignore-case': { type: 'boolean', short: 'i' },
  'smart-case': { type: 'boolean', short: 'S' },
  'case-sensitive': { type: 'boolean', short: 's' },
  'word-regexp': { type: 'boolean', short: 'w' },
  'fixed-strings': { type: 'boolean', short: 'F' },
  multiline: { type: 'boolean', short: 'U' },
  glob: { type: 'string', short: 'g', multiple: true },
  'after-context': { type: 'string', short: 'A' },
  'before-context': { type: 'string', short: 'B' },
  context: { type: 'string', short: 'C' },
  count: { type: 'boolean', short: 'c' },
  'files-with-matches': { type: 'boolean', short: 'l' },
  quiet: { type: 'boolean', short: 'q' },
  json: { type: 'boolean' },
  'line-number': { type: 'boolean', short: 'n' },
  'no-line-number': { type: 'boolean', short: 'N' },
  'with-filename': { type: 'boolean', short: 'H' },
  'no-filename': { type: 'boolean', short: 'I' },
  heading: { type: 'boolean' },
  'no-heading': { type: 'boolean' },
  color: { type: 'string' },
  sort: { type: 'string' },
  symbol: { type: 'boolean' },
  index: { type: 'boolean' },
  'no-index': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What is asked of one run. */
export interface Asked {
  readonly pattern: string;
  readonly paths: readonly string[];
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  readonly multiline: boolean;
  readonly globs: readonly string[];
  readonly before: number;
  readonly after: number;
  readonly mode: 'lines' | 'count' | 'files' | 'quiet' | 'json';
  readonly lineNumbers: boolean;
  /** undefined: unless a single file is searched */
  readonly fileNames: boolean | undefined;
  /** undefined: on a terminal */
  readonly heading: boolean | undefined;
  readonly color: 'auto' | 'always' | 'never';
  readonly sort: 'rank' | 'path';
  readonly symbol: boolean;
  /** `build`: make or renew the index after the answer; `auto`: on a terminal; `off`: neither use nor make one */
  readonly index: 'auto' | 'build' | 'off';
}

/** Reads the command line; undefined where help is asked for. Throws UsageError. */
export function readAsked(args: readonly string[]): Asked | undefined {
  const { values, positionals } = readFlags(args, FLAGS);
  if (values['help'] === true) return undefined;
  const on = (flag: keyof typeof FLAGS): boolean => values[flag] === true;
  const given = list(values['regexp']);
  const [first, ...rest] = positionals;
  if (given.length === 0 && first === undefined) {
    throw new UsageError(
      'search for what? hanzo-mcp search PATTERN [PATH ...]; hanzo-mcp search --help lists the flags',
    );
  }
  if (on('index') && on('no-index')) throw new UsageError('--index and --no-index exclude each other; leave one out');
  const patterns = given.length > 0 ? given : [first as string];
  const literal = on('fixed-strings');
  const context = whole(values['context'], '--context') ?? 0;
  return {
    ...together(patterns, literal),
    paths: given.length > 0 ? positionals : rest,
    ignoreCase: on('ignore-case') || (on('smart-case') && !on('case-sensitive') && !patterns.some(hasCapital)),
    word: on('word-regexp'),
    multiline: on('multiline'),
    globs: list(values['glob']),
    before: whole(values['before-context'], '--before-context') ?? context,
    after: whole(values['after-context'], '--after-context') ?? context,
    mode: on('quiet')
      ? 'quiet'
      : on('json')
        ? 'json'
        : on('files-with-matches')
          ? 'files'
          : on('count')
            ? 'count'
            : 'lines',
    lineNumbers: !on('no-line-number'),
    fileNames: on('no-filename') ? false : on('with-filename') ? true : undefined,
    heading: on('no-heading') ? false : on('heading') ? true : undefined,
    color: choice(values['color'], '--color', ['auto', 'always', 'never']),
    sort: choice(values['sort'], '--sort', ['rank', 'path']),
    symbol: on('symbol'),
    index: on('no-index') ? 'off' : on('index') ? 'build' : 'auto',
  };
}

/** Several patterns are alternatives. */
function together(patterns: readonly string[], literal: boolean): { pattern: string; literal: boolean } {
  const [only] = patterns;
  if (patterns.length === 1 && only !== undefined) return { pattern: only, literal };
  const texts = literal
    ? patterns.map((each) => each.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, String.raw`\$&`))
    : patterns;
  return { pattern: texts.map((each) => `(?:${each})`).join('|'), literal: false };
}

/** A letter in upper case that stands for itself: what follows a backslash does not count. */
function hasCapital(pattern: string): boolean {
  return /\p{Lu}/u.test(pattern.replaceAll(/\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)/gs, ''));
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function whole(value: unknown, flag: string): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,4}$/.test(String(value))) return Number(value);
  throw new UsageError(`${flag} takes a number of lines up to 9999, not '${String(value)}'`);
}

function choice<T extends string>(value: unknown, flag: string, choices: readonly [T, ...T[]]): T {
  if (value === undefined) return choices[0];
  const found = choices.find((each) => each === value);
  if (found !== undefined) return found;
  throw new UsageError(
    `${flag} is ${choices.slice(0, -1).join(', ')} or ${String(choices.at(-1))}, not '${String(value)}'`,
  );
}
