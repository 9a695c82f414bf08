// `hanzo-mcp install` and `hanzo-mcp uninstall`: from flags to install(), and its reports to lines a person reads.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {
  readFlags,
  SERVE_FLAGS,
  SERVER_FLAGS,
  toConfig,
  toServeOptions,
  UsageError,
  type Values,
} from '../../flags.ts';
import { clientNamed, CLIENTS, install, type Report } from './index.ts';

const FLAGS = {
  ...SERVER_FLAGS,
  client: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  detected: { type: 'boolean' },
  scope: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  ...Object.fromEntries(CLIENTS.map(({ id }) => [id, { type: 'boolean' as const }])),
} as const;

/** Runs one of the two verbs; returns the exit code: 0 when every client asked for is as wanted. */
export async function installVerb(verb: 'install' | 'uninstall', argv: readonly string[]): Promise<number> {
  const split = argv.indexOf('--');
  const own = split < 0 ? argv : argv.slice(0, split);
  const passed = split < 0 ? [] : argv.slice(split + 1);
  const { values, positionals } = readFlags(own, FLAGS);
  const clients = wanted(values, positionals);
  if (clients === undefined) {
    process.stdout.write(usage(verb));
    return 1;
  }
  const scope = values['scope'] ?? 'user';
  if (scope !== 'user' && scope !== 'project')
    throw new UsageError(`--scope is user or project, not '${String(scope)}'`);
  const reports = await install({
    clients,
    scope,
    serverArgs: serverArgs(values, passed),
    nodePath: process.execPath,
    binPath: program(),
    home: homedir(),
    env: process.env,
    platform: process.platform,
    cwd: process.cwd(),
    dryRun: values['dry-run'] === true,
    remove: verb === 'uninstall',
  });
  process.stdout.write(values['json'] === true ? `${JSON.stringify(reports, null, 2)}\n` : render(reports));
  return reports.some((each) => each.outcome === 'refused') ? 1 : 0;
}

function wanted(values: Values, positionals: readonly string[]): string[] | 'all' | 'detected' | undefined {
  if (values['all'] === true) return 'all';
  if (values['detected'] === true) return 'detected';
  const given = Array.isArray(values['client']) ? values['client'].map(String) : [];
  const named = [...given.flatMap((each) => each.split(',')), ...positionals]
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (named.includes('all')) return 'all';
  for (const name of named) {
    if (!clientNamed(name))
      throw new UsageError(`no client '${name}'; there are: ${CLIENTS.map((each) => each.id).join(', ')}`);
  }
  const flagged = CLIENTS.map((each) => each.id).filter((id) => values[id] === true);
  const all = [...named, ...flagged];
  return all.length > 0 ? all : undefined;
}

/** The flags of `serve` the entry carries: checked now, so that a mistake is not found by the client; paths made absolute. */
function serverArgs(values: Values, passed: readonly string[]): string[] {
  const made: string[] = [];
  for (const [flag, { type }] of Object.entries(SERVER_FLAGS)) {
    const value = values[flag];
    if (value === undefined || value === false) continue;
    if (type === 'boolean') made.push(`--${flag}`);
    else
      for (const each of [value].flat())
        made.push(`--${flag}`, PATHS.has(flag) ? path.resolve(String(each)) : String(each));
  }
  const all = [...made, ...passed];
  const { values: checked, positionals } = readFlags(all, SERVE_FLAGS);
  if (positionals.length > 0) throw new UsageError(`'${positionals[0]}' after -- is not a flag of serve`);
  toConfig(checked, '0.0.0');
  if (toServeOptions(checked).transport === 'http') {
    throw new UsageError('a client that starts the server speaks stdio with it; leave --transport out');
  }
  return all;
}

const PATHS: ReadonlySet<string> = new Set(['root', 'project', 'allow-secret']);

/** The program of this installation, past every link that led here. */
function program(): string {
  return realpathSync(process.argv[1] ?? '');
}

function render(reports: readonly Report[]): string {
  if (reports.length === 0) return 'no client was found on this machine; name one with --client\n';
  const width = Math.max(...reports.map((each) => each.client.length));
  return reports
    .map(({ client, file, outcome, backup, message, snippet }) => {
      const lines = [`${client.padEnd(width)}  ${outcome.padEnd(9)}  ${file}`, `${' '.repeat(width + 2)}${message}`];
      if (backup) lines.push(`${' '.repeat(width + 2)}what was there before: ${backup}`);
      if (snippet) lines.push(`${' '.repeat(width + 2)}to paste by hand:`, snippet);
      return `${lines.join('\n')}\n`;
    })
    .join('');
}

function usage(verb: string): string {
  const rows = CLIENTS.map(({ id, title }) => `  ${id.padEnd(16)}${title}\n`).join('');
  return (
    `hanzo-mcp ${verb} --client NAME[,NAME]   one or more of:\n${rows}` +
    `hanzo-mcp ${verb} --detected             those found on this machine\n` +
    `hanzo-mcp ${verb} --all                  every one\n` +
    '  --scope user|project   default user; project writes into the current folder\n' +
    '  --dry-run              say what would be done\n' +
    '  --json                 reports as JSON\n'
  );
}
