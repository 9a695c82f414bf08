// From the command line and the environment to one frozen Config and how to serve it. Every refusal names the mend.
import { statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type AccessLevel, type Config, defaultConfig, type SandboxMode } from './config.ts';
import { ALL_TOOLS, selectTools, UnknownNameError } from './surface.ts';

/** A mistake on the command line: printed as it is, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** How `serve` serves. */
export interface ServeOptions {
  readonly transport: 'stdio' | 'http';
  readonly host: string;
  readonly port: number;
  /** bearer token of the HTTP door; undefined = make one; null = none (`--no-auth`) */
  readonly token: string | null | undefined;
  /** serve the fixtures of the protocol's conformance suite instead of the local tools */
  readonly conformance: boolean;
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Flags that shape the server itself; `call`, `list-tools` and `install` take them too. */
export const SERVER_FLAGS = {
  tools: { type: 'string', multiple: true },
  'disable-tools': { type: 'string', multiple: true },
  root: { type: 'string', multiple: true },
  project: { type: 'string' },
  access: { type: 'string' },
  'allow-secret': { type: 'string', multiple: true },
  'allow-private': { type: 'boolean' },
  'pass-env': { type: 'string', multiple: true },
  sandbox: { type: 'string' },
  'sandbox-domains': { type: 'string', multiple: true },
  'max-output': { type: 'string' },
  'json-only': { type: 'boolean' },
  'no-index': { type: 'boolean' },
  registry: { type: 'string' },
} as const satisfies Options;

export const SERVE_FLAGS = {
  ...SERVER_FLAGS,
  transport: { type: 'string', short: 't' },
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  token: { type: 'string' },
  'no-auth': { type: 'boolean' },
  conformance: { type: 'boolean' },
} as const satisfies Options;

/** Serves other tools than anyone asks for, so no mistyped flag is taken for it. */
const HIDDEN = 'conformance';

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** Parses `args` against a table of flags; an unknown flag is a UsageError that names the closest one. */
export function readFlags(args: readonly string[], options: Options): { values: Values; positionals: string[] } {
  const parsed = parse(Object.hasOwn(options, 'sandbox') ? withBareSandbox(args) : args, options);
  for (const [flag, value] of Object.entries(parsed.values)) {
    if ([value].flat().some((each) => typeof each === 'string' && each.trim() === '')) throw emptyFlag(flag);
  }
  return parsed;
}

const SANDBOX: readonly SandboxMode[] = ['off', 'on', 'strict'];

/** `--sandbox` alone is `--sandbox=on`; a word that is no mode is not its value. */
function withBareSandbox(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((word, i) =>
    word === '--sandbox' && i < end && !SANDBOX.some((mode) => mode === args[i + 1]) ? '--sandbox=on' : word,
  );
}

function parse(args: readonly string[], options: Options): { values: Values; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values, positionals };
  } catch (error) {
    const message = (error as Error).message.split('\n')[0] ?? 'unreadable flags';
    const unknown = /Unknown option '(-{1,2}[^']*)'/.exec(message)?.[1];
    if (unknown === undefined) throw new UsageError(message);
    const [flag = '', ...rest] = unknown.split(/\s+/);
    if (rest.length > 0 && Object.hasOwn(options, flag.replace(/^-+/, ''))) {
      throw new UsageError(`'${unknown}' arrived as one quoted word; write ${unknown} as separate words`);
    }
    const meant = closest(
      unknown.replace(/^-+/, ''),
      Object.keys(options).filter((each) => each !== HIDDEN),
    );
    throw new UsageError(
      `unknown flag ${unknown}${meant ? `; did you mean --${meant}?` : ''} (hanzo-mcp help lists the flags)`,
    );
  }
}

/** An unset variable in a configuration must not turn a restriction into its default. */
function emptyFlag(flag: string): UsageError {
  return new UsageError(`--${flag} is empty (a variable that is not set?); give it a value, or leave the flag out`);
}

/** The Config that flags and environment come to. `version` is the program's own. */
export function toConfig(values: Values, version: string, environment: NodeJS.ProcessEnv = process.env): Config {
  const cwd = directory(text(values, 'project') ?? process.cwd(), '--project');
  return defaultConfig({
    cwd,
    version,
    roots: list(values, 'root').map((each) => directory(each, '--root')),
    access: access(text(values, 'access')),
    allowSecrets: list(values, 'allow-secret').map((each) => path.resolve(each)),
    allowPrivate: values['allow-private'] === true,
    passEnv: names(values, 'pass-env'),
    sandbox: sandbox(text(values, 'sandbox'), names(values, 'sandbox-domains')),
    sandboxDomains: names(values, 'sandbox-domains'),
    jsonOnly: values['json-only'] === true,
    ...(values['no-index'] === true ? { indexes: false as const } : {}),
    registry: registry(text(values, 'registry') ?? (environment['HANZO_UI_REGISTRY'] || undefined)),
    maxOutput: whole(text(values, 'max-output'), '--max-output', 1024, 16 * 1024 * 1024) ?? 32_768,
    tools: tools(names(values, 'tools'), names(values, 'disable-tools')),
    ...(environment['HANZO_CONFIG_HOME'] ? { dataDir: path.resolve(environment['HANZO_CONFIG_HOME']) } : {}),
  });
}

/** How to serve, from the same values. `HOST` and `HANZO_MCP_TOKEN` are read where no flag says otherwise. */
export function toServeOptions(values: Values, environment: NodeJS.ProcessEnv = process.env): ServeOptions {
  const transport = text(values, 'transport') ?? 'stdio';
  if (transport !== 'stdio' && transport !== 'http') {
    throw new UsageError(`--transport is stdio or http, not '${transport}'`);
  }
  const token = text(values, 'token') ?? environment['HANZO_MCP_TOKEN'];
  if (values['no-auth'] === true && text(values, 'token') !== undefined) {
    throw new UsageError('--no-auth and --token exclude each other; leave one out');
  }
  if (token !== undefined && !/^[\x21-\x7e]{16,}$/.test(token)) {
    throw new UsageError(
      'the token must be at least 16 printable characters without spaces; leave it out to get one made',
    );
  }
  const host = text(values, 'host') ?? (environment['HOST'] || '127.0.0.1');
  if (transport === 'http' && values['no-auth'] === true && !isLoopback(host)) {
    throw new UsageError(
      `--no-auth on ${host} would let other machines call every tool; leave --no-auth out, or serve on --host 127.0.0.1`,
    );
  }
  return {
    transport,
    host,
    port: whole(text(values, 'port'), '--port', 0, 65_535) ?? 3000,
    token: values['no-auth'] === true ? null : token,
    conformance: values['conformance'] === true,
  };
}

function tools(wanted: readonly string[], disabled: readonly string[]): readonly string[] {
  try {
    const selection = selectTools(wanted, disabled);
    if (selection.missing.length > 0) {
      const served = selection.tools.join(', ') || 'nothing';
      const note = `--tools: not in this version yet: ${selection.missing.join(', ')}; serving ${served}`;
      if (selection.tools.length === 0) throw new UsageError(note);
      process.stderr.write(`hanzo-mcp: ${note}\n`);
    }
    return selection.tools;
  } catch (error) {
    if (!(error instanceof UnknownNameError)) throw error;
    const meant = closest(error.tool, ALL_TOOLS);
    throw new UsageError(
      `--tools: ${error.message}${meant ? `; did you mean '${meant}'?` : '.'} It has: ${ALL_TOOLS.join(', ')}; or core, standard, default, all`,
    );
  }
}

function sandbox(given: string | undefined, domains: readonly string[]): SandboxMode {
  const mode = SANDBOX.find((each) => each === (given ?? (domains.length > 0 ? 'on' : 'off')));
  if (mode === undefined) throw new UsageError(`--sandbox is off, on or strict, not '${given}'`);
  if (domains.length > 0 && mode === 'off')
    throw new UsageError('--sandbox-domains needs a sandbox; leave --sandbox=off out');
  const wrong = domains.find((each) => !/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(each));
  if (wrong !== undefined)
    throw new UsageError(`--sandbox-domains takes domains such as example.com or *.example.com, not '${wrong}'`);
  return mode;
}

/** A registry of components: a URL as it is, else a folder. */
function registry(given: string | undefined): string | undefined {
  return given === undefined || /^https?:\/\//i.test(given) ? given : path.resolve(given);
}

function access(level: string | undefined): AccessLevel {
  if (level === undefined) return 'workspace-write';
  if (level === 'read-only' || level === 'workspace-write' || level === 'full') return level;
  throw new UsageError(`--access is read-only, workspace-write or full, not '${level}'`);
}

function directory(given: string, flag: string): string {
  const resolved = path.resolve(given);
  if (!statSync(resolved, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`${flag}: ${resolved} is not a directory`);
  }
  return resolved;
}

function whole(given: string | undefined, flag: string, least: number, most: number): number | undefined {
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${flag} takes a whole number from ${least} to ${most}, not '${given}'`);
}

function text(values: Values, flag: string): string | undefined {
  const value = values[flag];
  return typeof value === 'string' ? value : undefined;
}

function list(values: Values, flag: string): string[] {
  const value = values[flag];
  return Array.isArray(value) ? value.map(String) : [];
}

function names(values: Values, flag: string): string[] {
  return list(values, flag).flatMap((each) => {
    const found = each
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (found.length === 0) throw emptyFlag(flag);
    return found;
  });
}

/** The addresses the HTTP door serves without a token. Its own check stands; this one comes before anything is loaded. */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** The candidate with the longest common prefix, of at least two letters. Light: no library on this path. */
export function closest(name: string, candidates: readonly string[]): string | undefined {
  const prefix = (other: string): number => {
    let length = 0;
    while (length < name.length && name[length] === other[length]) length++;
    return length;
  };
  const [best] = [...candidates].sort((a, b) => prefix(b) - prefix(a));
  return best !== undefined && prefix(best) >= 2 ? best : undefined;
}
