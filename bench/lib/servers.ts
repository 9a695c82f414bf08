// The servers that are compared: ours as it is built, the peers as the registry serves them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Command } from './client.ts';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const PEERS = path.join(ROOT, 'bench', 'peers');

/** Exact versions, so that a figure can be measured again. */
const VERSIONS = {
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@wonderwhy-er/desktop-commander': '0.2.52',
};

export type ServerName = 'hanzo-mcp' | 'filesystem' | 'desktop-commander';
export const SERVERS: readonly ServerName[] = ['hanzo-mcp', 'filesystem', 'desktop-commander'];

function peer(file: string): string {
  return path.join(PEERS, 'node_modules', file);
}

/** The command of a server that works in `folder`; its own state goes to `home`. */
export function command(name: ServerName, folder: string, home: string, flags: readonly string[] = []): Command {
  const env = { HOME: home, XDG_CACHE_HOME: path.join(home, '.cache'), NO_UPDATE_NOTIFIER: '1' };
  switch (name) {
    case 'hanzo-mcp':
      return { argv: [process.execPath, path.join(ROOT, 'packages/mcp/bin/hanzo-mcp.js'), ...flags], cwd: folder, env };
    case 'filesystem':
      return {
        argv: [process.execPath, peer('@modelcontextprotocol/server-filesystem/dist/index.js'), folder],
        cwd: folder,
        env,
      };
    case 'desktop-commander':
      return {
        argv: [process.execPath, peer('@wonderwhy-er/desktop-commander/dist/index.js'), '--no-onboarding'],
        cwd: folder,
        env,
      };
  }
}

/** Installs the peers once, into a folder git ignores. */
export function installPeers(): void {
  if (existsSync(path.join(PEERS, 'node_modules', '@wonderwhy-er', 'desktop-commander', 'package.json'))) return;
  process.stderr.write('bench: installing the peers (once)\n');
  mkdirSync(PEERS, { recursive: true });
  writeFileSync(path.join(PEERS, 'package.json'), JSON.stringify({ private: true, dependencies: VERSIONS }));
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: PEERS,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('the peers could not be installed; is the package registry reachable?');
}
