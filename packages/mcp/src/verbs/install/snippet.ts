// What a person pastes or types to connect a client by hand.
import process from 'node:process';
import type { Client, Machine } from './clients.ts';
import { type Server, SERVER_KEY } from './entry.ts';

/** How to connect one client by hand. */
export interface Snippet {
  /** the client's own command, where it has one */
  readonly command?: string;
  /** a fragment of its file, in the file's format; undefined where the file cannot name such a server */
  readonly text?: string;
  /** what else to know, one sentence */
  readonly note?: string;
}

/** The command line and the file fragment that tell `client` of `server`. */
export function snippetFor(client: Client, server: Server, platform: NodeJS.Platform = process.platform): Snippet {
  const command = client.command?.(server, platform);
  const entry = client.entry(server);
  const path = client.at(() => undefined);
  const text =
    entry &&
    (client.language === 'toml'
      ? client.format.set('', path, entry, []).trimEnd()
      : JSON.stringify(
          path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry),
          null,
          2,
        ));
  const note = noteFor(client, server);
  return { ...(command ? { command } : {}), ...(text ? { text } : {}), ...(note ? { note } : {}) };
}

/** What a terminal shows: the client's command, or its file and the one line that belongs there; then the note. */
export function printSnippet(client: Client, server: Server, machine: Machine): string {
  const { command, text, note } = snippetFor(client, server, machine.platform);
  const file = client.files(machine, 'user').at(-1);
  const line = text === undefined || client.language === 'toml' ? text : JSON.stringify(JSON.parse(text));
  const body = command ?? (line === undefined ? '' : `in ${file}: ${line}`);
  return [body, note].filter(Boolean).join('\n');
}

function noteFor(client: Client, server: Server): string | undefined {
  if (server.kind === 'stdio') return undefined;
  if (client.id === 'claude-desktop') {
    return `Claude Desktop's file takes commands only: use \`hanzo-mcp install --client claude-desktop\`, or add ${server.url} as a connector`;
  }
  if (client.id === 'codex' && server.token !== undefined) {
    return `export HANZO_MCP_TOKEN=${server.token} where Codex starts, or put the ${SERVER_KEY} table with http_headers into config.toml`;
  }
  return undefined;
}
