// sandbox-runtime, where it is installed: commands reach a list of domains and nothing else. No dependency of this program.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Access } from '../access.ts';
import { joinWords } from '../commands/words.ts';
import type { Runtime } from './index.ts';

const NAME = '@anthropic-ai/sandbox-runtime';
/** The version this was tried with; its interface may still change. */
const VERSION = '0.0.83';

/** What is used of the package (its `SandboxManager`). */
interface Manager {
  isSupportedPlatform(): boolean;
  checkDependencies(): { readonly errors: readonly string[] };
  initialize(config: object): Promise<void>;
  wrapWithSandbox(command: string, shell?: string, config?: object): Promise<string>;
}

/** The list of domains cannot be had here; the message says how it could be. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
}

/** Where the package is: beside this program, or in the server's own folder; never in a project, whose code it would be. */
export function findRuntime(dataDir: string): string {
  const places = [dataDir];
  for (let at = path.dirname(fileURLToPath(import.meta.url)); at !== path.dirname(at); at = path.dirname(at))
    places.push(at);
  const folder = places.map((place) => path.join(place, 'node_modules', NAME)).find((each) => existsSync(each));
  if (folder !== undefined) return folder;
  throw new SandboxUnavailable(
    `--sandbox-domains needs ${NAME}, which is not installed; npm install --prefix ${dataDir} ${NAME}@${VERSION} installs it`,
  );
}

/** Starts it, with its proxy. Rejects with SandboxUnavailable where it is missing or lacks what it needs. */
export async function loadRuntime(dataDir: string, domains: readonly string[], access: Access): Promise<Runtime> {
  const folder = findRuntime(dataDir);
  const { main = 'dist/index.js' } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    main?: string;
  };
  const { SandboxManager: manager } = (await import(pathToFileURL(path.join(folder, main)).href)) as {
    SandboxManager: Manager;
  };
  if (!manager.isSupportedPlatform()) throw new SandboxUnavailable(`${NAME} does not run on this system`);
  const { errors } = manager.checkDependencies();
  if (errors.length > 0) {
    const how = process.platform === 'linux' ? '; apt-get install bubblewrap socat ripgrep' : '';
    throw new SandboxUnavailable(`${NAME} lacks what it needs: ${errors.join(', ')}${how}`);
  }
  await manager.initialize({
    network: { allowedDomains: [...domains], deniedDomains: [] },
    filesystem: filesystem(access),
  });
  return ({ access: now }) =>
    async (argv) => {
      const line = await manager.wrapWithSandbox(joinWords(argv), 'bash', { filesystem: filesystem(now) });
      return ['bash', '-c', line];
    };
}

function filesystem(access: Access): object {
  const writable = access.level === 'read-only' ? access.temporary() : access.roots();
  return { denyRead: access.secrets().map((each) => each.path), allowWrite: [...writable], denyWrite: [] };
}
