// The flags of a command, and from what was given by them to the input of its operation.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { booleanParser, numberParser } from '@stricli/core';
import type { Command, Member } from './command.ts';
import { UsageError } from './exit.ts';
import { readSecret, readStdin, secretOf } from './stdin.ts';

/** A flag as the parser wants it; the table is data, so its types cannot be inferred. */
export type Flag = Readonly<Record<string, unknown>>;
export type Given = Readonly<Record<string, unknown>>;

/** Flags that every operation has. */
export const COMMON: Readonly<Record<string, Flag>> = {
  json: { kind: 'boolean', optional: true, withNegated: false, brief: 'the answer as JSON, for programs' },
  profile: { kind: 'parsed', parse: String, optional: true, brief: 'the stored login to use', placeholder: 'name' },
};

/** Flags of the operations that share a command: what each takes; required is what all of them require. */
export function flagsOf(commands: readonly Command[]): Readonly<Record<string, Flag>> {
  const flags: Record<string, Flag> = {};
  for (const command of commands) {
    for (const member of command.members) {
      const required = commands.every(({ members }) =>
        members.some(({ name, required: must }) => must && name === member.name),
      );
      for (const [name, flag] of flagsOfMember(member, required)) flags[name] = flag;
    }
  }
  return { ...flags, ...COMMON };
}

function flagsOfMember(
  { flag, kind, help, values, name }: Member,
  required: boolean,
): readonly (readonly [string, Flag])[] {
  const brief = help === '' ? name : help;
  const base = { brief, optional: !required };
  switch (kind) {
    case 'secret':
      return [
        [
          `${flag}-env`,
          {
            kind: 'parsed',
            parse: String,
            optional: true,
            brief: `the variable that holds it: ${brief}`,
            placeholder: 'VARIABLE',
          },
        ],
        [
          `${flag}-stdin`,
          { kind: 'boolean', optional: true, withNegated: false, brief: 'reads it from standard input' },
        ],
      ];
    case 'document':
      return [
        [flag, { ...base, kind: 'parsed', parse: String, optional: true, placeholder: 'text' }],
        [
          `${flag}-file`,
          {
            kind: 'parsed',
            parse: String,
            optional: true,
            brief: `a file that holds it; - is standard input`,
            placeholder: 'file',
          },
        ],
      ];
    case 'number':
      return [[flag, { ...base, kind: 'parsed', parse: numberParser, placeholder: 'number' }]];
    case 'boolean':
      return [[flag, { ...base, kind: 'parsed', parse: booleanParser, placeholder: 'true|false' }]];
    case 'list':
      return [[flag, { ...base, kind: 'parsed', parse: String, variadic: true, brief: `${brief}; may be repeated` }]];
    case 'json':
      return [
        [
          flag,
          {
            ...base,
            kind: 'parsed',
            parse: String,
            brief: `${brief}; @FILE and - (standard input) are read`,
            placeholder: 'JSON',
          },
        ],
      ];
    default:
      return [[flag, { ...base, kind: 'parsed', parse: values === undefined ? String : oneOf(values) }]];
  }
}

function oneOf(values: readonly string[]): (input: string) => string {
  return (input) => {
    if (!values.includes(input)) throw new SyntaxError(`'${input}' is none of ${values.join(', ')}`);
    return input;
  };
}

/** The input of the operation. Throws UsageError for a flag that another operation of the same words has. */
export async function inputOf(
  command: Command,
  given: Given,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Given> {
  const input: Record<string, unknown> = {};
  for (const [at, name] of command.positionals.entries()) {
    const value = args[at] ?? '';
    if (value === '' || value === '.' || value === '..')
      throw new UsageError(`${name.toUpperCase()} must be a name, not '${value}'`);
    input[name] = value;
  }
  const known = new Set(Object.keys(flagsOf([command])));
  const odd = Object.keys(given).find((flag) => given[flag] !== undefined && !known.has(flag));
  if (odd !== undefined)
    throw new UsageError(
      `--${odd} does not go with ${command.words.join(' ')}${command.positionals.map((each) => ` ${each.toUpperCase()}`).join('')}`,
    );
  for (const member of command.members) {
    const value = await valueOf(member, given, env);
    if (value === undefined && member.required) throw new UsageError(missing(member));
    if (value !== undefined) input[member.name] = value;
  }
  return input;
}

async function valueOf(member: Member, given: Given, env: NodeJS.ProcessEnv): Promise<unknown> {
  const { flag, kind, required } = member;
  const value = given[flag];
  switch (kind) {
    case 'secret': {
      const variable = given[`${flag}-env`];
      if (typeof variable === 'string') {
        if (given[`${flag}-stdin`] === true) throw new UsageError(`give --${flag}-env or --${flag}-stdin, not both`);
        return secretOf(variable, env);
      }
      return given[`${flag}-stdin`] === true || required ? readSecret(`--${flag}-stdin`) : undefined;
    }
    case 'document': {
      const file = given[`${flag}-file`];
      if (typeof file !== 'string') return value;
      if (value !== undefined) throw new UsageError(`give --${flag} or --${flag}-file, not both`);
      return file === '-' ? readStdin(`--${flag}-file`) : fileOf(file);
    }
    case 'json': {
      if (typeof value !== 'string') return undefined;
      const text =
        value === '-' ? await readStdin(`--${flag}`) : value.startsWith('@') ? fileOf(value.slice(1)) : value;
      try {
        return JSON.parse(text) as unknown;
      } catch (error) {
        throw new UsageError(`--${flag} must be JSON: ${(error as Error).message}`);
      }
    }
    case 'list':
      return Array.isArray(value) && value.length === 0 ? undefined : value;
    default:
      return value;
  }
}

function missing({ flag, kind }: Member): string {
  if (kind === 'document') return `--${flag} or --${flag}-file is needed`;
  return `--${flag} is needed`;
}

function fileOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`,
    );
  }
}

/** Columns of the terminal, where people are looking. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}
