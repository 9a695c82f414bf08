// The mistakes people make in a client's configuration, as a table: how each is recognised and what it is.
import path from 'node:path';

/** A server's entry, in whichever client's form, as words. */
export interface Launch {
  /** the program; undefined for a remote server */
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly url: string | undefined;
  /** true when the arguments, or opencode's command, are one string where a list belongs */
  readonly joined: boolean;
}

export interface Mistake {
  readonly id: string;
  /** what is wrong, if it is this mistake */
  found(launch: Launch): string | undefined;
}

/** In the order in which they are told: the first that applies explains the rest. */
export const MISTAKES: readonly Mistake[] = [
  {
    id: 'one-string',
    found: ({ command, joined }) => {
      if (joined) return 'the arguments are one string; they must be a list, one element an argument';
      const words = command?.trim().split(/\s+/) ?? [];
      const line = words.length > 1 && !path.win32.isAbsolute(command ?? '') && !path.posix.isAbsolute(command ?? '');
      const absolute = words.length > 1 && /\s(?:serve|--?\w[\w-]*)(?:\s|$)/.test(command ?? '');
      return line || absolute
        ? `"command" holds a whole command line (${command}); it is the program alone, and every argument goes into "args"`
        : undefined;
    },
  },
  {
    id: 'quotes',
    found: ({ command, args }) => {
      const quoted = [command ?? '', ...args].find((word) => /^['"]|['"]$/.test(word));
      return quoted === undefined
        ? undefined
        : `${quoted} carries its quotes along: no shell reads this file, so none takes them off`;
    },
  },
  {
    id: 'npx-without-package',
    found: ({ command, args }) => {
      if (command === undefined || !/^(?:npx|bunx|pnpx)(?:\.cmd)?$/.test(baseName(command))) return undefined;
      if (
        !args.some((word) => /^(?:@hanzo\/mcp|hanzo-mcp)(?:@|$)/.test(word) || word.startsWith('--package=@hanzo/mcp'))
      )
        return undefined;
      const named = args.some((word) => word.startsWith('--package') || word === '-p');
      return named
        ? 'npx fetches a package by that name from the registry, which is not this installation'
        : 'without --package=@hanzo/mcp, npx takes a word such as `serve` for the program to run; and it fetches a package by name, which is not this installation';
    },
  },
  {
    id: 'unexpanded',
    found: ({ command, args }) => {
      const word = [command ?? '', ...args].find((each) => /^~[/\\]|\$HOME\b|%USERPROFILE%/i.test(each));
      return word === undefined ? undefined : `${word} is not expanded: no shell reads this file; write the whole path`;
    },
  },
  {
    id: 'relative-path',
    found: ({ command, args }) => {
      const words = [
        ...(command !== undefined && /[/\\]/.test(command) ? [command] : []),
        ...args.filter(isProgramFile),
      ];
      const relative = words.find((word) => !path.posix.isAbsolute(word) && !path.win32.isAbsolute(word));
      return relative === undefined
        ? undefined
        : `${relative} is relative, and a client starts servers in a folder of its own choosing`;
    },
  },
  {
    id: 'transport',
    found: ({ command, args }) => {
      if (command === undefined) return undefined;
      const transport = flag(args, '--transport') ?? flag(args, '-t');
      if (transport === 'http')
        return 'a client that starts the server speaks stdio with it; --transport http does not answer there';
      const port = flag(args, '--port') ?? flag(args, '-p');
      if (port === undefined) return undefined;
      return /^\d{1,5}$/.test(port) && Number(port) < 65_536
        ? '--port has no effect over stdio'
        : `--port ${port} is not a port (0 to 65535)`;
    },
  },
  {
    id: 'url',
    found: ({ url }) => {
      if (url === undefined) return undefined;
      const parsed = URL.canParse(url) ? new URL(url) : undefined;
      return parsed && /^https?:$/.test(parsed.protocol) ? undefined : `${url} is not an http address`;
    },
  },
];

/** The value of `--name value` or `--name=value`. */
function flag(args: readonly string[], name: string): string | undefined {
  const joined = args.find((word) => word.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  const at = args.indexOf(name);
  return at < 0 ? undefined : (args[at + 1] ?? '');
}

function isProgramFile(word: string): boolean {
  return /\.(?:m?js|ts|cjs)$/.test(word) && !word.startsWith('-');
}

export function baseName(file: string): string {
  return file.split(/[/\\]/).at(-1) ?? file;
}

/** An entry's words. `undefined` when it is no object at all. */
export function launchOf(entry: unknown): Launch | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
  const { command, args, url, serverUrl, httpUrl } = entry as Record<string, unknown>;
  const words = Array.isArray(command) ? command.map(String) : [];
  const given = Array.isArray(args) ? args.map(String) : [];
  const address = [url, serverUrl, httpUrl].find((each) => typeof each === 'string') as string | undefined;
  return {
    command: typeof command === 'string' ? command : words[0],
    args: [...words.slice(1), ...given],
    url: address,
    joined: typeof args === 'string',
  };
}

/** True if an entry of another name starts this server too; a folder that bears its name among the arguments is no sign of it. */
export function isOurs(entry: unknown): boolean {
  const launch = launchOf(entry);
  if (launch === undefined) return false;
  const { command = '', args } = launch;
  const words = [
    ...command.split(/\s+/),
    ...(launch.joined ? String((entry as { args: unknown }).args).split(/\s+/) : args),
  ];
  if (/^hanzo-mcp(?:\.js|\.cmd)?$/.test(baseName(words[0] ?? ''))) return true;
  return words.some(
    (word) => baseName(word) === 'hanzo-mcp.js' || /^(?:--package=)?@hanzo\/mcp(?:@|$)|^hanzo-mcp(?:@|$)/.test(word),
  );
}
