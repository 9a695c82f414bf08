// Writes this installation into the configuration of MCP clients, or takes it out again. Nothing is ever overwritten blindly.
import { access, readdir } from 'node:fs/promises';
import { constants } from 'node:fs';
import path from 'node:path';
import { type Client, clientNamed, CLIENTS, type Machine, type Scope } from './clients.ts';
import { type Server } from './entry.ts';
import { ChangedError, type ConfigFile, FileError, loadConfig, saveConfig } from './file.ts';
import { type Entry, FormatError } from './format.ts';
import { FlagsError, keptFlags } from './kept.ts';
import { snippetFor } from './snippet.ts';

export { type Client, clientNamed, CLIENTS, type Machine, type Scope } from './clients.ts';
export { type Server, SERVER_KEY, shellLine } from './entry.ts';
export { printSnippet, snippetFor } from './snippet.ts';

/** What to install, and where. Paths are absolute. */
export interface InstallOptions {
  /** ids or aliases; `detected` means those that have been used on this machine */
  readonly clients: readonly string[] | 'all' | 'detected';
  /** default `user` */
  readonly scope?: Scope;
  /** flags of `serve`, passed on as they are; with none, those an entry has are kept */
  readonly serverArgs: readonly string[];
  /** the Node that runs this installation, and its program */
  readonly nodePath: string;
  readonly binPath: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** the project of `scope: 'project'` */
  readonly cwd: string;
  readonly dryRun: boolean;
  readonly remove: boolean;
  /** for the names of backups */
  readonly now?: () => Date;
}

/** What became of one client. */
export interface Report {
  readonly client: string;
  /** the file it reads; empty where it has none at this scope */
  readonly file: string;
  readonly outcome: 'added' | 'updated' | 'unchanged' | 'removed' | 'absent' | 'refused';
  /** where the previous content was kept */
  readonly backup?: string;
  /** one sentence: what was done, or why not */
  readonly message: string;
  /** what to paste by hand, when the file was not written */
  readonly snippet?: string;
}

/** Adds, updates or removes the `hanzo` entry of every client asked for; one report each, in the order of CLIENTS. */
export async function install(options: InstallOptions): Promise<Report[]> {
  const machine: Machine = options;
  const server: Server = {
    kind: 'stdio',
    command: options.nodePath,
    args: [options.binPath, 'serve', ...options.serverArgs],
  };
  const reports: Report[] = [];
  for (const client of await chosen(options, machine)) reports.push(await installOne(client, server, machine, options));
  return reports;
}

async function chosen(options: InstallOptions, machine: Machine): Promise<readonly Client[]> {
  if (options.clients === 'all')
    return CLIENTS.filter((each) => each.files(machine, options.scope ?? 'user').length > 0);
  if (options.clients === 'detected') return detectClients(machine);
  const wanted = options.clients.map((name) => {
    const client = clientNamed(name);
    if (client === undefined)
      throw new RangeError(`no client '${name}'; there are: ${CLIENTS.map((each) => each.id).join(', ')}`);
    return client;
  });
  return CLIENTS.filter((each) => wanted.includes(each));
}

/** The clients that left a folder or a program on this machine. */
export async function detectClients(machine: Machine): Promise<Client[]> {
  const found: Client[] = [];
  for (const client of CLIENTS) {
    const marks = [...client.marks(machine), ...client.programs.flatMap((name) => onPath(name, machine))];
    const present = await Promise.all(marks.map(exists));
    if (present.includes(true)) found.push(client);
  }
  return found;
}

function onPath(program: string, machine: Machine): string[] {
  const windows = machine.platform === 'win32';
  const folders = (machine.env['PATH'] ?? machine.env['Path'] ?? '').split(windows ? ';' : ':');
  const names = windows ? [`${program}.exe`, `${program}.cmd`] : [program];
  return folders.filter(Boolean).flatMap((folder) => names.map((name) => path.join(folder, name)));
}

async function exists(file: string): Promise<boolean> {
  return access(file, constants.F_OK).then(
    () => true,
    () => false,
  );
}

/** The file of `client` that holds, or should hold, the entry; undefined where it has none at this scope. */
export async function configFileOf(client: Client, machine: Machine, scope: Scope): Promise<string | undefined> {
  const files = client.files(machine, scope);
  const present: string[] = [];
  for (const file of files) if (await exists(file)) present.push(file);
  if (present.length < 2) return present[0] ?? files.at(-1);
  for (const file of present) if (await holdsEntry(client, file)) return file;
  return present[0];
}

async function holdsEntry(client: Client, file: string): Promise<boolean> {
  try {
    const { text } = await loadConfig(file);
    return (
      client.format.get(
        text,
        client.at((where) => client.format.get(text, where)),
      ) !== undefined
    );
  } catch {
    return false;
  }
}

async function installOne(client: Client, server: Server, machine: Machine, options: InstallOptions): Promise<Report> {
  const scope = options.scope ?? 'user';
  const file = await configFileOf(client, machine, scope);
  if (file === undefined) {
    return {
      client: client.id,
      file: '',
      outcome: 'refused',
      message: `${client.title} has no file per project; leave --scope out`,
    };
  }
  const report = (outcome: Report['outcome'], message: string): Report => ({
    client: client.id,
    file,
    outcome,
    message,
  });
  try {
    for (let attempt = 1; ; attempt++) {
      const before = await loadConfig(file);
      const { outcome, text, message } = await plan(client, before, server, options);
      if (text === undefined) return report(outcome, message);
      if (options.dryRun) return report(outcome, `would be ${message}`);
      try {
        const backup = await saveConfig(before, text, options.now?.() ?? new Date());
        return { ...report(outcome, message), ...(backup ? { backup } : {}) };
      } catch (error) {
        // A running client rewrites its own file: take its newer text and try again.
        if (!(error instanceof ChangedError)) throw error;
        if (attempt === 5)
          throw new FileError(`${client.title} keeps changing it; close ${client.title} and try again`);
      }
    }
  } catch (error) {
    if (!(error instanceof FormatError) && !(error instanceof FileError)) throw error;
    const where = error instanceof FormatError ? `${file}:${error.place.line}:${error.place.column}` : file;
    const snippet = snippetFor(client, server, machine.platform).text;
    return {
      ...report('refused', `${where}: ${error.message}. The file was not touched`),
      // To paste a start without flags would lose what the entry's were for.
      ...(snippet && !options.remove && !(error instanceof FlagsError) ? { snippet } : {}),
    };
  }
}

interface Plan {
  readonly outcome: Report['outcome'];
  /** the file's new text; undefined when it stays as it is */
  readonly text?: string;
  readonly message: string;
}

async function plan(
  client: Client,
  before: ConfigFile,
  server: Server,
  { remove, serverArgs }: InstallOptions,
): Promise<Plan> {
  const { format } = client;
  const at = client.at((where) => format.get(before.text, where));
  const known = format.get(before.text, at);
  if (remove) {
    if (known === undefined) return { outcome: 'absent', message: 'no entry there' };
    const ways = format.remove(before.text, at);
    return { outcome: 'removed', text: await closest(before.file, ways), message: 'removed' };
  }
  const flags = serverArgs.length > 0 ? [] : keptFlags(known);
  const entry = client.entry(withFlags(server, flags)) as Entry;
  const text = format.set(before.text, at, entry, client.foreign);
  if (text === before.text && before.exists)
    return { outcome: 'unchanged', message: `already there${flagsKept(', with its flags', flags)}` };
  if (known === undefined) return { outcome: 'added', text, message: `added; ${client.reload}` };
  return {
    outcome: 'updated',
    text,
    message: `updated; ${flagsKept('its flags kept:', flags, '; ')}${kept(known, entry)}${client.reload}`,
  };
}

function withFlags(server: Server, flags: readonly string[]): Server {
  return server.kind === 'stdio' ? { ...server, args: [...server.args, ...flags] } : server;
}

function flagsKept(lead: string, flags: readonly string[], end = ''): string {
  return flags.length === 0 ? '' : `${lead} ${flags.join(' ')}${end}`;
}

/** Of the ways to take the entry out, the one that gives back what a backup holds, else the first. */
async function closest(file: string, ways: readonly string[]): Promise<string> {
  const folder = path.dirname(file);
  const backups = (await readdir(folder)).filter((name) => name.startsWith(`${path.basename(file)}.bak-`));
  for (const name of backups.sort().toReversed()) {
    const held = await loadConfig(path.join(folder, name)).catch(() => undefined);
    const match = ways.find((way) => way === held?.text);
    if (match !== undefined) return match;
  }
  return ways[0] as string;
}

function kept(known: unknown, entry: Entry): string {
  if (typeof known !== 'object' || known === null) return '';
  const others = Object.keys(known).filter((key) => !Object.hasOwn(entry, key) && KEPT.has(key));
  return others.length > 0 ? `its own ${others.join(', ')} kept; ` : '';
}

const KEPT: ReadonlySet<string> = new Set([
  'env',
  'environment',
  'cwd',
  'timeout',
  'trust',
  'disabled',
  'enabled',
  'startup_timeout_sec',
  'tool_timeout_sec',
]);
