// The clients that can be told of this server: which file each reads today, in which form, and what its entry looks like.
import path from 'node:path';
import { authorization, type Server, SERVER_KEY, shellLine } from './entry.ts';
import type { Entry, Format } from './format.ts';
import { jsonFormat } from './json-edit.ts';
import { tomlFormat } from './toml-edit.ts';

export type Scope = 'user' | 'project';

/** The machine as a client sees it. Paths are absolute. */
export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** the project of `scope: 'project'` */
  readonly cwd: string;
}

/** One client, as a value. */
export interface Client {
  readonly id: string;
  readonly title: string;
  /** other names it is asked for by */
  readonly aliases: readonly string[];
  readonly format: Format;
  /** what its files look like, for a snippet: the language name */
  readonly language: 'json' | 'toml';
  /** files it reads at this scope, the preferred one last; empty where it has none */
  files(machine: Machine, scope: Scope): readonly string[];
  /** where the server's entry stands; `existing` answers what the file holds at a path */
  at(existing: (path: readonly string[]) => unknown): readonly string[];
  /** the entry, or undefined where its file cannot name such a server */
  entry(server: Server): Entry | undefined;
  /** members of the other kind of server, which must not stay beside the entry */
  readonly foreign: readonly string[];
  /** the client's own command that adds the server, where it has one */
  command?(server: Server, platform: NodeJS.Platform): string | undefined;
  /** folders whose presence means the client has been used here */
  marks(machine: Machine): readonly string[];
  /** its program, as found on PATH */
  readonly programs: readonly string[];
  /** what makes it read the file */
  readonly reload: string;
}

const PLAIN = jsonFormat({ comments: false, trailingCommas: false });
const COMMENTS = jsonFormat({ comments: true, trailingCommas: false });
const LENIENT = jsonFormat({ comments: true, trailingCommas: true });

const HTTP_MEMBERS = ['url', 'httpUrl', 'serverUrl', 'headers', 'transport'] as const;

export const CLIENTS: readonly Client[] = Object.freeze<Client[]>([
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    aliases: ['claude_desktop'],
    format: PLAIN,
    language: 'json',
    files: (machine, scope) => (scope === 'user' ? [inConfig(machine, 'Claude', 'claude_desktop_config.json')] : []),
    at: () => ['mcpServers', SERVER_KEY],
    // Its file takes commands only; remote servers are added as connectors, in the application.
    entry: (server) => (server.kind === 'stdio' ? stdio(server) : undefined),
    foreign: [...HTTP_MEMBERS, 'type'],
    marks: (machine) => [inConfig(machine, 'Claude')],
    programs: ['claude-desktop'],
    reload: 'quit Claude Desktop and start it again',
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    aliases: ['claude'],
    format: PLAIN,
    language: 'json',
    files: (machine, scope) =>
      scope === 'project'
        ? [paths(machine).join(machine.cwd, '.mcp.json')]
        : [paths(machine).join(machine.env['CLAUDE_CONFIG_DIR'] ?? machine.home, '.claude.json')],
    at: () => ['mcpServers', SERVER_KEY],
    entry: (server) =>
      server.kind === 'stdio'
        ? { type: 'stdio', ...stdio(server) }
        : { type: 'http', url: server.url, ...headers(server) },
    foreign: ['url', 'headers', 'headersHelper', 'oauth'],
    command: (server, platform) =>
      server.kind === 'stdio'
        ? shellLine(
            ['claude', 'mcp', 'add', '--scope', 'user', SERVER_KEY, '--', server.command, ...server.args],
            platform,
          )
        : shellLine(
            [
              'claude',
              'mcp',
              'add',
              '--transport',
              'http',
              '--scope',
              'user',
              SERVER_KEY,
              server.url,
              ...headerFlag(server),
            ],
            platform,
          ),
    marks: (machine) => [
      paths(machine).join(machine.home, '.claude.json'),
      paths(machine).join(machine.home, '.claude'),
    ],
    programs: ['claude'],
    reload: 'start a new session; `claude mcp list` shows it',
  },
  {
    id: 'codex',
    title: 'Codex',
    aliases: ['openai-codex'],
    format: tomlFormat,
    language: 'toml',
    files: (machine, scope) => [paths(machine).join(codexHome(machine, scope), 'config.toml')],
    at: () => ['mcp_servers', SERVER_KEY],
    entry: (server) =>
      server.kind === 'stdio' ? stdio(server) : { url: server.url, ...renamed(headers(server), 'http_headers') },
    foreign: ['url', 'bearer_token', 'bearer_token_env_var', 'http_headers', 'env_http_headers', 'oauth', 'scopes'],
    // `codex mcp add --url` takes the name of a variable that holds the token, never the token.
    command: (server, platform) => {
      if (server.kind === 'stdio') {
        return shellLine(['codex', 'mcp', 'add', SERVER_KEY, '--', server.command, ...server.args], platform);
      }
      const token = server.token === undefined ? [] : ['--bearer-token-env-var', 'HANZO_MCP_TOKEN'];
      return shellLine(['codex', 'mcp', 'add', SERVER_KEY, '--url', server.url, ...token], platform);
    },
    marks: (machine) => [codexHome(machine, 'user')],
    programs: ['codex'],
    reload: 'start a new session; `codex mcp list` shows it',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    aliases: ['gemini-cli'],
    format: COMMENTS,
    language: 'json',
    files: (machine, scope) => [
      paths(machine).join(scope === 'project' ? machine.cwd : geminiHome(machine), '.gemini', 'settings.json'),
    ],
    at: () => ['mcpServers', SERVER_KEY],
    entry: (server) =>
      server.kind === 'stdio' ? stdio(server) : { type: 'http', url: server.url, ...headers(server) },
    foreign: [...HTTP_MEMBERS, 'type', 'tcp', 'oauth', 'authProviderType'],
    command: (server, platform) =>
      server.kind === 'stdio'
        ? shellLine(['gemini', 'mcp', 'add', '--scope', 'user', SERVER_KEY, server.command, ...server.args], platform)
        : shellLine(
            [
              'gemini',
              'mcp',
              'add',
              '--scope',
              'user',
              '--transport',
              'http',
              ...headerFlag(server),
              SERVER_KEY,
              server.url,
            ],
            platform,
          ),
    marks: (machine) => [paths(machine).join(geminiHome(machine), '.gemini')],
    programs: ['gemini'],
    reload: 'start a new session in a trusted folder; `gemini mcp list` shows it',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    aliases: [],
    format: LENIENT,
    language: 'json',
    files: (machine, scope) => [paths(machine).join(base(machine, scope), '.cursor', 'mcp.json')],
    at: () => ['mcpServers', SERVER_KEY],
    entry: (server) =>
      server.kind === 'stdio' ? { type: 'stdio', ...stdio(server) } : { url: server.url, ...headers(server) },
    foreign: [...HTTP_MEMBERS, 'auth'],
    marks: (machine) => [paths(machine).join(machine.home, '.cursor')],
    programs: ['cursor', 'cursor-agent'],
    reload: 'restart Cursor and switch the server on under Customize, MCPs',
  },
  {
    id: 'windsurf',
    title: 'Windsurf (before Devin Desktop)',
    aliases: [],
    format: LENIENT,
    language: 'json',
    files: (machine, scope) =>
      scope === 'user' ? [paths(machine).join(machine.home, '.codeium', 'windsurf', 'mcp_config.json')] : [],
    at: () => ['mcpServers', SERVER_KEY],
    entry: (server) => (server.kind === 'stdio' ? stdio(server) : { serverUrl: server.url, ...headers(server) }),
    foreign: HTTP_MEMBERS,
    marks: (machine) => [paths(machine).join(machine.home, '.codeium', 'windsurf')],
    programs: ['windsurf'],
    reload: 'press refresh in the MCP panel of Cascade',
  },
  {
    id: 'devin',
    title: 'Devin Desktop (formerly Windsurf)',
    aliases: ['devin-desktop'],
    format: LENIENT,
    language: 'json',
    files: (machine, scope) => [
      scope === 'project'
        ? paths(machine).join(machine.cwd, '.devin', 'mcp_config.json')
        : inDotConfig(machine, 'devin', 'mcp_config.json'),
    ],
    at: () => ['mcpServers', SERVER_KEY],
    entry: (server) =>
      server.kind === 'stdio' ? stdio(server) : { url: server.url, transport: 'http', ...headers(server) },
    foreign: HTTP_MEMBERS,
    marks: (machine) => [inDotConfig(machine, 'devin')],
    programs: ['devin', 'devin-desktop'],
    reload: 'open the MCP list of the agent panel',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    aliases: ['code', 'vs-code', 'copilot'],
    format: LENIENT,
    language: 'json',
    files: (machine, scope) => [
      scope === 'project'
        ? paths(machine).join(machine.cwd, '.vscode', 'mcp.json')
        : inConfig(machine, 'Code', 'User', 'mcp.json'),
    ],
    at: () => ['servers', SERVER_KEY],
    entry: (server) =>
      server.kind === 'stdio'
        ? { type: 'stdio', ...stdio(server) }
        : { type: 'http', url: server.url, ...headers(server) },
    foreign: ['url', 'headers', 'oauth'],
    command: (server, platform) => {
      const entry =
        server.kind === 'stdio'
          ? { name: SERVER_KEY, ...stdio(server) }
          : { name: SERVER_KEY, type: 'http', url: server.url, ...headers(server) };
      return shellLine(['code', '--add-mcp', JSON.stringify(entry)], platform);
    },
    marks: (machine) => [inConfig(machine, 'Code')],
    programs: ['code'],
    reload: 'run "MCP: List Servers" and start it',
  },
  {
    id: 'zed',
    title: 'Zed',
    aliases: [],
    format: LENIENT,
    language: 'json',
    files: (machine, scope) => [
      scope === 'project'
        ? paths(machine).join(machine.cwd, '.zed', 'settings.json')
        : machine.platform === 'win32'
          ? inConfig(machine, 'Zed', 'settings.json')
          : inDotConfig(machine, 'zed', 'settings.json'),
    ],
    at: () => ['context_servers', SERVER_KEY],
    entry: (server) => (server.kind === 'stdio' ? stdio(server) : { url: server.url, ...headers(server) }),
    foreign: HTTP_MEMBERS,
    marks: (machine) => [machine.platform === 'win32' ? inConfig(machine, 'Zed') : inDotConfig(machine, 'zed')],
    programs: ['zed', 'zeditor'],
    reload: 'nothing: Zed reads its settings as they change',
  },
  {
    id: 'opencode',
    title: 'opencode',
    aliases: ['open-code'],
    format: LENIENT,
    language: 'json',
    files: (machine, scope) => {
      const folder = scope === 'project' ? machine.cwd : paths(machine).join(dotConfig(machine), 'opencode');
      return ['opencode.jsonc', 'opencode.json'].map((name) => paths(machine).join(folder, name));
    },
    // Version 2 keeps servers under `mcp.servers` and still reads version 1's `mcp.<name>`; version 1 reads both.
    at: (existing) => (isTable(existing(['mcp', 'servers'])) ? ['mcp', 'servers', SERVER_KEY] : ['mcp', SERVER_KEY]),
    entry: (server) =>
      server.kind === 'stdio'
        ? { type: 'local', command: [server.command, ...server.args] }
        : { type: 'remote', url: server.url, ...headers(server) },
    foreign: ['url', 'headers', 'oauth'],
    marks: (machine) => [paths(machine).join(dotConfig(machine), 'opencode')],
    programs: ['opencode'],
    reload: 'start a new session; `opencode mcp list` shows it',
  },
]);

/** The client of that id or alias, in any case. */
export function clientNamed(name: string): Client | undefined {
  const wanted = name.toLowerCase();
  return CLIENTS.find((each) => each.id === wanted || each.aliases.includes(wanted));
}

function stdio(server: Extract<Server, { kind: 'stdio' }>): { command: string; args: string[] } {
  return { command: server.command, args: [...server.args] };
}

function headers(server: Server): { headers?: Record<string, string> } {
  const sent = authorization(server);
  return sent ? { headers: sent } : {};
}

function renamed(from: { headers?: Record<string, string> }, name: string): Entry {
  return from.headers ? { [name]: from.headers } : {};
}

function headerFlag(server: Server): string[] {
  return Object.entries(authorization(server) ?? {}).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
}

function isTable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function paths(machine: Machine): path.PlatformPath {
  return machine.platform === 'win32' ? path.win32 : path.posix;
}

function base(machine: Machine, scope: Scope): string {
  return scope === 'project' ? machine.cwd : machine.home;
}

function codexHome(machine: Machine, scope: Scope): string {
  if (scope === 'project') return paths(machine).join(machine.cwd, '.codex');
  return machine.env['CODEX_HOME'] ?? paths(machine).join(machine.home, '.codex');
}

function geminiHome(machine: Machine): string {
  return machine.env['GEMINI_CLI_HOME'] ?? machine.home;
}

/** Where a desktop application keeps its settings on this platform. */
function inConfig(machine: Machine, ...rest: readonly string[]): string {
  const { join } = paths(machine);
  if (machine.platform === 'win32')
    return join(machine.env['APPDATA'] ?? join(machine.home, 'AppData', 'Roaming'), ...rest);
  if (machine.platform === 'darwin') return join(machine.home, 'Library', 'Application Support', ...rest);
  return join(dotConfig(machine), ...rest);
}

/** `~/.config` on macOS too; `%APPDATA%` on Windows. */
function inDotConfig(machine: Machine, ...rest: readonly string[]): string {
  return machine.platform === 'win32' ? inConfig(machine, ...rest) : paths(machine).join(dotConfig(machine), ...rest);
}

function dotConfig(machine: Machine): string {
  return machine.env['XDG_CONFIG_HOME'] ?? paths(machine).join(machine.home, '.config');
}
