// The one place that decides which paths may be read and written. Every tool asks here, on real paths.
import { lstat, readlink, realpath } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import type { AccessLevel } from '../config.ts';
import { within } from './path.ts';

/** What `createAccess` is told. Paths are absolute. */
export interface AccessOptions {
  readonly level: AccessLevel;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly allowSecrets: readonly string[];
  /** test seam: where the user's home is; default the account's */
  readonly home?: string;
}

/** Decides over paths. Each method returns the real path to use, or rejects with PERMISSION_DENIED. */
export interface Access {
  readonly level: AccessLevel;
  /** canonical directories under which writing is allowed, the temporary folder last */
  roots(): readonly string[];
  /** replaces the roots the client declared (MCP roots); unusable ones are dropped */
  setClientRoots(directories: readonly string[]): void;
  /** for reading: links are followed, key material is refused */
  read(file: string): Promise<string>;
  /**
   * For writing. `last: 'follow'` (an edit) resolves the last component when it exists, and refuses a dangling link;
   * `last: 'keep'` (create, delete, rename) resolves the parent only, so that a link itself is meant.
   */
  write(file: string, last: 'follow' | 'keep'): Promise<string>;
  /** true if `file` (a real path) is key material that may not be read; for walks, which skip instead of failing */
  isSecret(file: string): boolean;
}

/** Makes the access policy of a server (DESIGN 5, `--access`). */
export function createAccess(options: AccessOptions): Access {
  const home = canonical(options.home ?? homedir());
  const fixed = [options.cwd, ...options.roots].map(canonical);
  const temporary = [...new Set([tmpdir(), '/tmp'].map(canonical))];
  const allowed = options.allowSecrets.map(canonical);
  let client: string[] = [];

  const roots = (): string[] => [...new Set([...fixed, ...client, ...temporary])];
  const isSecret = (file: string): boolean => isKeyMaterial(file, home) && !allowed.some((each) => within(file, each));

  const refuseSecret = (file: string): void => {
    if (!isSecret(file)) return;
    throw new ToolError(
      'PERMISSION_DENIED',
      `${file} holds key material, which this server does not touch; start it with --allow-secret ${file} to allow that`,
      { path: file },
    );
  };

  return {
    level: options.level,
    roots,
    setClientRoots(directories) {
      client = directories.filter((each) => path.isAbsolute(each)).map(canonical);
    },
    async read(file) {
      const real = await resolveExisting(file);
      refuseSecret(real);
      return real;
    },
    async write(file, last) {
      const real = last === 'follow' ? await followLast(file) : await keepLast(file);
      refuseSecret(real);
      if (options.level === 'read-only') {
        throw new ToolError(
          'PERMISSION_DENIED',
          `this server is read-only (--access read-only); ${real} was not touched`,
          {
            path: real,
          },
        );
      }
      if (options.level === 'workspace-write' && !roots().some((root) => within(real, root))) {
        throw new ToolError(
          'PERMISSION_DENIED',
          `${real} is outside the roots of this server; --root ${suggestRoot(real)} would allow it`,
          { path: real, roots: roots() },
        );
      }
      return real;
    },
    isSecret,
  };
}

function canonical(directory: string): string {
  try {
    return realpathSync.native(path.resolve(directory));
  } catch {
    return path.resolve(directory);
  }
}

function suggestRoot(file: string): string {
  return path.dirname(file);
}

/** The real path of the deepest existing ancestor plus what is missing of the rest. Dangling links are followed by name. */
async function resolveExisting(file: string, hops = 0): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP' || hops > 40) {
      throw new ToolError('INVALID_PARAMS', `${file} is a loop of symbolic links`, { path: file });
    }
    if (code === 'EACCES')
      throw new ToolError('PERMISSION_DENIED', `${file} cannot be reached (EACCES)`, { path: file });
    if (code === 'ENAMETOOLONG') throw new ToolError('INVALID_PARAMS', 'the path is too long for this system', {});
    const parent = path.dirname(file);
    if (parent === file) return file;
    const link = await readlink(file).catch(() => undefined);
    if (link !== undefined) return resolveExisting(path.resolve(parent, link), hops + 1);
    return path.join(await resolveExisting(parent, hops), path.basename(file));
  }
}

async function keepLast(file: string): Promise<string> {
  const parent = path.dirname(file);
  if (parent === file) return file;
  return path.join(await resolveExisting(parent), path.basename(file));
}

async function followLast(file: string): Promise<string> {
  const kept = await keepLast(file);
  const link = await lstat(kept).catch(() => undefined);
  if (!link?.isSymbolicLink()) return kept;
  try {
    return await realpath(kept);
  } catch {
    throw new ToolError('NOT_FOUND', `${kept} is a symbolic link to a missing file (${await readlink(kept)})`, {
      path: kept,
    });
  }
}

/** Folders under the home directory whose whole content is key material, but for the named exceptions. */
const SECRET_FOLDERS: readonly (readonly [folder: string, readable: RegExp | null])[] = [
  ['.ssh', /^(config|known_hosts(\.old)?|authorized_keys|.*\.pub)$/],
  ['.gnupg', null],
  ['.password-store', null],
  ['.config/gcloud', null],
  ['.azure', null],
  ['.local/share/keyrings', null],
  ['.mozilla', null],
];

/** Files under the home directory that hold credentials. */
const SECRET_HOME_FILES: ReadonlySet<string> = new Set([
  '.aws/credentials',
  '.aws/sso/cache',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.config/gh/hosts.yml',
  '.config/hub',
  '.docker/config.json',
  '.gem/credentials',
  '.gemini/oauth_creds.json',
  '.hanzo/config.json',
  '.hanzo/credentials.json',
  '.hanzo/mcp_token',
  '.kube/config',
  '.npmrc',
  '.pgpass',
  '.pypirc',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.yarnrc.yml',
]);

/** File names that hold credentials or private keys wherever they lie. */
const SECRET_NAMES =
  /^(id_(rsa|dsa|ecdsa|ed25519)(_sk)?|\.netrc|_netrc|\.git-credentials|\.pgpass|.*\.(kdbx|jks|keystore|p12|pfx|ppk)|.*(_|-|\.|^)private[_-]?key(\..*)?|.*\.key\.pem|privkey\.pem|ssh_host_.*_key)$/i;

const SECRET_SYSTEM_FILES: ReadonlySet<string> = new Set([
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
]);

function isKeyMaterial(file: string, home: string): boolean {
  if (SECRET_SYSTEM_FILES.has(file) || SECRET_NAMES.test(path.basename(file))) return true;
  if (/^\/proc\/(?:self|\d+)\/(?:task\/\d+\/)?(?:environ|mem)$/.test(file)) return true;
  if (!within(file, home)) return false;
  const relative = path.relative(home, file).split(path.sep).join('/');
  for (const known of SECRET_HOME_FILES) if (relative === known || relative.startsWith(`${known}/`)) return true;
  return SECRET_FOLDERS.some(
    ([folder, readable]) => relative.startsWith(`${folder}/`) && !(readable?.test(path.basename(file)) ?? false),
  );
}
