// `hanzo-mcp install` and `uninstall`: reads the flags, runs the installer, prints one line a client.
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { readFlags, UsageError } from '../../flags.ts';
import { CLIENTS, clientNamed, install, type InstallOptions, type Report, type Scope } from './index.ts';

const FLAGS = {
  client: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  detected: { type: 'boolean' },
  scope: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** Runs the verb; exit code 1 when a client was refused. Words after `--` are passed on to `serve`. */
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
  if (unknown !== undefined) throw new UsageError(`no client '${unknown}'. The clients:\n${clientList()}`);
  const scope = scopeOf(values['scope']);
  const options: InstallOptions = {
    clients,
    ...(scope === undefined ? {} : { scope }),
    serverArgs: split < 0 ? [] : args.slice(split + 1),
    nodePath: process.execPath,
    binPath: binPath(),
    home: homedir(),
    env: process.env,
    platform: process.platform,
    cwd: process.cwd(),
    dryRun: values['dry-run'] === true,
    remove: verb === 'uninstall',
  };
  const reports = await install(options);
  process.stdout.write(values['json'] === true ? `${JSON.stringify(reports, null, 2)}\n` : render(reports));
  return reports.some(({ outcome }) => outcome === 'refused') ? 1 : 0;
}

/** The committed entry of this installation, two folders above the built program (`packages/mcp/dist` -> `bin`). */
function binPath(): string {
  return path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'hanzo-mcp.js');
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
