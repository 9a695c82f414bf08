// The program as routes: a word for each word of the command table, and the verbs of its own beside them.
import {
  type Application,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Command as Leaf,
  type CommandContext,
  type RouteMap,
} from '@stricli/core';
import type { Command } from './command.ts';
import { UsageError } from './exit.ts';
import { COMMON, type Flag, flagsOf, type Given } from './flags.ts';
import { COMMANDS, GROUPS } from './generated/operations.ts';
import { reported, runCommand } from './run.ts';
import { SHELLS } from './verbs/completion.ts';

interface Node {
  readonly children: Map<string, Node>;
  readonly commands: Command[];
}

type Target = Leaf<CommandContext> | RouteMap<CommandContext>;

/** The exit code of the verb that ran. */
export interface Outcome {
  code?: number;
}

export function program(outcome: Outcome): Application<CommandContext> {
  const root: Node = { children: new Map(), commands: [] };
  for (const command of COMMANDS) {
    let node = root;
    for (const word of command.words) {
      let next = node.children.get(word);
      if (next === undefined) node.children.set(word, (next = { children: new Map(), commands: [] }));
      node = next;
    }
    node.commands.push(command);
  }
  const routes = Object.fromEntries([...root.children].map(([word, node]) => [word, targetOf(word, node, outcome)]));
  return buildApplication(
    buildRouteMap({
      routes: { ...routes, ...verbs(outcome) },
      docs: {
        brief: 'the command line of the tool plane',
        fullDescription:
          'The command line of the tool plane. Who calls is said by HANZO_API_KEY (and HANZO_API_URL), or by a login that was stored. Every command takes --json and --profile; it ends with 0, with 1 when it was refused, with 2 when the command line is to be mended.',
      },
    }),
    {
      name: 'hanzo',
      scanner: { caseStyle: 'original', allowArgumentEscapeSequence: true },
      documentation: { caseStyle: 'original', onlyRequiredInUsageLine: true, disableAnsiColor: true },
      completion: { includeAliases: false, includeHiddenRoutes: false },
    },
  );
}

function targetOf(word: string, node: Node, outcome: Outcome): Target {
  if (node.children.size === 0) return leafOf(node.commands, outcome);
  if (node.commands.length > 0) throw new Error(`'${word}' is both a command and a group`);
  const routes = Object.fromEntries([...node.children].map(([each, child]) => [each, targetOf(each, child, outcome)]));
  const hidden = [...node.children].filter(([, child]) => isHidden(child)).map(([each]) => [each, true]);
  return buildRouteMap({
    routes,
    docs: { brief: GROUPS[word] ?? `about ${word}`, hideRoute: Object.fromEntries(hidden) as Record<string, boolean> },
    // what people try first
    aliases: { ...('get' in routes ? { list: 'get' } : {}), ...('delete' in routes ? { rm: 'delete' } : {}) } as Record<
      never,
      never
    >,
  });
}

function isHidden({ commands, children }: Node): boolean {
  return commands.every(({ internal }) => internal === true) && [...children.values()].every(isHidden);
}

function leafOf(commands: readonly Command[], outcome: Outcome): Leaf<CommandContext> {
  const [longest] = [...commands].sort((a, b) => b.positionals.length - a.positionals.length);
  const least = Math.min(...commands.map(({ positionals }) => positionals.length));
  return verb({
    brief: commands.map(({ summary }) => summary).join(' With a name: '),
    more: commands.map(({ description }) => description ?? '').join(' '),
    flags: flagsOf(commands),
    positionals: (longest?.positionals ?? []).map((name, at) => ({ name: name.toUpperCase(), optional: at >= least })),
    run: async (given, args) => {
      outcome.code = await runCommand(commands, given, args);
    },
  });
}

const text = (brief: string, placeholder: string): Flag => ({
  kind: 'parsed',
  parse: String,
  optional: true,
  brief,
  placeholder,
});

function verbs(outcome: Outcome): Readonly<Record<string, Target>> {
  const { json: _, ...profile } = COMMON;
  return {
    login: verb({
      brief: 'Checks a key and stores it for the commands after it.',
      more: 'The key is asked for on a terminal, or read from standard input; it is never an argument.',
      flags: {
        url: text('address of the plane; default HANZO_API_URL, then the one stored before', 'address'),
        'key-env': text('the variable that holds the key', 'VARIABLE'),
        ...profile,
      },
      run: async (given) => {
        outcome.code = await reported(false, async () => (await import('./verbs/login.ts')).login(given));
      },
    }),
    logout: verb({
      brief: 'Forgets a stored login.',
      flags: profile,
      run: async (given) => {
        outcome.code = await reported(false, async () => (await import('./verbs/login.ts')).logout(given));
      },
    }),
    profiles: verb({
      brief: 'Lists the stored logins.',
      flags: COMMON,
      run: async (given) => {
        outcome.code = await reported(false, async () => (await import('./verbs/login.ts')).listProfiles(given));
      },
    }),
    completion: verb({
      brief: 'Prints what makes a shell complete these commands: bash, zsh or fish.',
      flags: {},
      positionals: [{ name: 'SHELL', optional: false }],
      run: async (_given, [shell = '']) => {
        outcome.code = await reported(false, async () => {
          const script = SHELLS.get(shell);
          if (script === undefined) throw new UsageError(`'${shell}' is none of ${[...SHELLS.keys()].join(', ')}`);
          process.stdout.write(script);
        });
      },
    }),
    version: verb({ brief: 'Prints the version.', flags: {}, run: async () => undefined }),
  };
}

interface Verb {
  readonly brief: string;
  readonly more?: string;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly positionals?: readonly { readonly name: string; readonly optional: boolean }[];
  run(given: Given, args: readonly string[]): Promise<void>;
}

function verb({ brief, more = '', flags, positionals = [], run }: Verb): Leaf<CommandContext> {
  return buildCommand({
    docs: { brief, fullDescription: `${brief} ${more}`.trim() },
    func: async (given: Given, ...args: readonly (string | undefined)[]) =>
      run(
        given,
        args.filter((each) => each !== undefined),
      ),
    parameters: {
      flags,
      positional: {
        kind: 'tuple',
        parameters: positionals.map(({ name, optional }) => ({
          brief: name.toLowerCase(),
          placeholder: name,
          parse: String,
          optional,
        })),
      },
      // the flags come from a table, so their types are not known here; `flagsOf` makes them what the parser wants
    } as never,
  });
}
