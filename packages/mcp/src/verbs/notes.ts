// What a person needs to see once the HTTP door is open: address, token, and how each client connects.
import { homedir } from 'node:os';
import process from 'node:process';
import type { Config } from '../config.ts';
import { CLIENTS, printSnippet, type Server } from './install/index.ts';

/** The text that `serve --transport http` prints on start. */
export function connectionNotes(url: string, token: string | null, config: Config): string {
  const server: Server = { kind: 'http', url, ...(token === null ? {} : { token }) };
  const machine = { home: homedir(), env: process.env, platform: process.platform, cwd: config.cwd };
  const clients = CLIENTS.map((client) => `${client.title}\n${indent(printSnippet(client, server, machine))}`);
  return [
    `hanzo-mcp ${config.version} serves ${config.tools.length} tools for ${config.cwd}`,
    `address  ${url}`,
    `token    ${token ?? 'none (--no-auth): anyone on this machine can call every tool'}`,
    '',
    'Connect a client:',
    '',
    ...clients,
    '',
    'Ctrl-C ends the server and every process it started.',
    '',
  ].join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
