// `hanzo-mcp install` and `uninstall`: reads the flags, runs the installer, prints one line a client.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { nearest } from '@hanzo/tool';
import {
  readFlags,
  SERVE_FLAGS,
  SERVER_FLAGS,
  toConfig,
  toServeOptions,
  UsageError,
  type Values,
} from '../../flags.ts';
import { CLIENTS, clientNamed, install, type InstallOptions, type Report, type Scope } from './index.ts';

const FLAGS = {
  ...SERVER_FLAGS,
  client: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  detected: { type: 'boolean' },
  scope: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** Runs the verb; exit code 1 when a client was refused. Flags of the server, and words after `--`, go into the entry. */
export async function installVerb(verb: 'install' | 'uninstall', args: readonly string[]): Promise<number> {
  const split = args.indexOf('--');
  const own = split < 0 ? args : args.slice(0, split);
  const { values, positionals } = readFlags(own, FLAGS);
  const named = [...((values['client'] ?? []) as string[]), ...positionals].flatMap((each) => each.split(','));
  const clients = values['all'] === true ? 'all' : values['detected'] === true ? 'detected' : named;
  if (clients.length === 0) {
    throw new UsageError(`${verb} where? --client NAME, --detected or --all. The clients:\n${clientList()}`);
  }
  const unknown = named.find((name) => clientNamed(name) === undefined);
  if (unknown !== undefined) {
    const meant = nearest(
      unknown,
      CLIENTS.flatMap(({ id, aliases }) => [id, ...aliases]),
    );
    const hint = meant === undefined ? '.' : `; did you mean '${clientNamed(meant)?.id ?? meant}'?`;
    throw new UsageError(`no client '${unknown}'${hint} The clients:\n${clientList()}`);
  }
  const scope = scopeOf(values['scope']);
  const options: InstallOptions = {
    clients,
    ...(scope === undefined ? {} : { scope }),
    serverArgs: verb === 'install' ? serverArgs(values, split < 0 ? [] : args.slice(split + 1)) : [],
    nodePath: process.execPath,
    binPath: binPath(),
    home: homedir(),
    env: process.env,
    platform: process.platform,
    cwd: process.cwd(),
    dryRun: values['dry-run'] === true,
    remove: verb === 'uninstall',
  };
  if (verb === 'install' && options.binPath.includes(`${path.sep}_npx${path.sep}`)) {
    process.stderr.write(
      `hanzo-mcp: ${options.binPath} lies in npx's cache, which npm may clear; install it into a folder of its own and run install from there\n`,
    );
  }
  const reports = await install(options);
  process.stdout.write(values['json'] === true ? `${JSON.stringify(reports, null, 2)}\n` : render(reports));
  return reports.some(({ outcome }) => outcome === 'refused') ? 1 : 0;
}

/** What the entry passes to `serve`: read once now, so that a mistake is not left for the client to find; paths made absolute. */
function serverArgs(values: Values, passed: readonly string[]): string[] {
  const flags = Object.entries(SERVER_FLAGS).flatMap(([flag, { type }]) => {
    const given = [values[flag] ?? []].flat().filter((each) => each !== false);
    if (type === 'boolean') return given.map(() => `--${flag}`);
    return given.flatMap((each) => [`--${flag}`, PATHS.has(flag) ? path.resolve(String(each)) : String(each)]);
  });
  const all = [...flags, ...passed];
  const { values: checked, positionals } = readFlags(all, SERVE_FLAGS);
  if (positionals.length > 0) throw new UsageError(`'${positionals[0]}' after -- is no flag of serve`);
  toConfig(checked, '0.0.0');
  if (toServeOptions(checked).transport === 'http') {
    throw new UsageError('a client that starts the server speaks stdio with it; leave --transport out');
  }
  const relative = PATH_FLAGS.flatMap((flag) => [checked[flag] ?? []].flat()).find(
    (each) => !path.isAbsolute(String(each)),
  );
  if (relative !== undefined) {
    throw new UsageError(
      `'${String(relative)}' is relative, and a client starts the server in a folder of its own; write ${path.resolve(String(relative))}`,
    );
  }
  return all;
}

const PATH_FLAGS = ['root', 'project', 'allow-secret'] as const;
const PATHS: ReadonlySet<string> = new Set(PATH_FLAGS);

/** The committed entry of this installation: `bin/hanzo-mcp.js` of the package this module, built or not, belongs to. */
function binPath(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const bin = path.join(folder, 'bin', 'hanzo-mcp.js');
    const parent = path.dirname(folder);
    if (existsSync(bin)) return bin;
    if (parent === folder) throw new Error('bin/hanzo-mcp.js of this installation is missing; install it anew');
    folder = parent;
  }
}

function scopeOf(given: unknown): Scope | undefined {
  if (given === undefined || given === 'user' || given === 'project') return given;
  throw new UsageError(`--scope is user or project, not '${String(given)}'`);
}

function clientList(): string {
  return CLIENTS.map(({ id, title }) => `  ${id.padEnd(16)}${title}`).join('\n');
}

function render(reports: readonly Report[]): string {
  if (reports.length === 0) return 'no client was found on this machine; name one with --client\n';
  return reports
    .map(({ client, file, message, backup, snippet }) => {
      const kept = backup ? `\n  the file as it was: ${backup}` : '';
      const paste = snippet ? `\n  paste this instead:\n${snippet.replaceAll(/^/gm, '    ')}` : '';
      return `${client}: ${message}${file ? `\n  ${file}` : ''}${kept}${paste}\n`;
    })
    .join('');
}
