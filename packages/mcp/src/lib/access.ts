// The one place that decides which paths may be read and written. Every tool asks here, on real paths.
import { lstat, readlink, realpath } from 'node:fs/promises';
import { existsSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
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
  /** the temporary folders among the roots */
  temporary(): readonly string[];
  /** what is there of the key material at known places and may not be read: real paths of files and whole folders */
  secrets(): readonly Secret[];
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
  /** true if a file's first bytes say that it is a private key, whatever its name, and it is not allowed; for walks */
  holdsKey(file: string, head: Uint8Array): boolean;
  /** throws PERMISSION_DENIED for what `holdsKey` tells */
  refuseKey(file: string, head: Uint8Array): void;
}

/** Key material at a known place. Of a folder, what is named in `readable` may be read. */
export interface Secret {
  readonly path: string;
  readonly folder: boolean;
  readonly readable: readonly string[];
}

/** Makes the access policy of a server: what `--access`, the roots and `--allow-secret` say. */
export function createAccess(options: AccessOptions): Access {
  const home = canonical(options.home ?? homedir());
  const fixed = [options.cwd, ...options.roots].map(canonical);
  const temporary = [...new Set([tmpdir(), '/tmp'].map(canonical))];
  const allowed = options.allowSecrets.map(canonical);
  let client: string[] = [];

  const roots = (): string[] => [...new Set([...fixed, ...client, ...temporary])];
  const folders = secretFolders(home);
  const isAllowed = (file: string): boolean => allowed.some((each) => within(file, each));
  const isSecret = (file: string): boolean => isKeyMaterial(file, home, folders) && !isAllowed(file);

  const holdsKey = (file: string, head: Uint8Array): boolean => startsWithKey(head) && !isAllowed(file);

  const refuseSecret = (file: string): void => {
    if (isSecret(file)) throw denied(file);
  };

  /** Moving or deleting a folder takes along what is in it. */
  const refuseHolder = (file: string): void => {
    const held = folders.find(({ real }) => within(real, file) && !isAllowed(real) && existsSync(real));
    if (held) throw denied(held.real);
    const known = [...SECRET_HOME_FILES].map((each) => path.join(home, each));
    const secret =
      within(home, file) || within(file, home)
        ? known.find((each) => within(each, file) && !isAllowed(each) && existsSync(each))
        : undefined;
    if (secret !== undefined) throw denied(secret);
  };

  return {
    level: options.level,
    roots,
    temporary: () => temporary,
    secrets() {
      const inFolders = folders.flatMap(({ real, readable }): Secret[] => {
        const found = isAllowed(real) ? undefined : statOf(real);
        if (!found?.isDirectory()) return [];
        const names = readable === null ? [] : namesIn(real).filter((name) => readable.test(name));
        return [{ path: canonical(real), folder: true, readable: names.map((name) => path.join(real, name)) }];
      });
      const files = [
        ...[...SECRET_HOME_FILES, ...SECRET_HOME_NAMES].map((each) => path.join(home, each)),
        ...SECRET_SYSTEM_FILES,
      ];
      const plain = files.flatMap((file): Secret[] =>
        !isAllowed(file) && statOf(file)?.isFile() ? [{ path: canonical(file), folder: false, readable: [] }] : [],
      );
      return [...new Map([...inFolders, ...plain].map((each) => [each.path, each])).values()];
    },
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
      if (last === 'keep') refuseHolder(real);
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
    holdsKey,
    refuseKey(file, head) {
      if (holdsKey(file, head)) throw denied(file);
    },
  };
}

function denied(file: string): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    `${file} holds key material, which this server does not touch; start it with --allow-secret ${file} to allow that`,
    { path: file },
  );
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
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
    const real = await resolveExisting(parent, hops);
    // what a link says is relative to where it really lies
    if (link !== undefined) return resolveExisting(path.resolve(real, link), hops + 1);
    return path.join(real, path.basename(file));
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
  ['.aws/cli/cache', null],
  ['.aws/sso/cache', null],
  ['.config/gcloud', null],
  ['.config/github-copilot', null],
  ['.config/op', null],
  ['.config/sops/age', null],
  ['.azure', null],
  ['.oci', null],
  ['.local/share/keyrings', null],
  ['.mozilla', null],
  ['.thunderbird', null],
  ['.config/BraveSoftware', null],
  ['.config/chromium', null],
  ['.config/google-chrome', null],
  ['Library/Keychains', null],
];

/** Folders of the system that hold nothing else. */
const SECRET_SYSTEM_FOLDERS: readonly string[] = ['/etc/ssl/private', '/run/secrets', '/var/lib/sss/secrets'];

/** Files under the home directory that hold credentials. */
const SECRET_HOME_FILES: ReadonlySet<string> = new Set([
  '.aws/credentials',
  '.boto',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.config/doctl/config.yaml',
  '.config/gh/hosts.yml',
  '.config/git/credentials',
  '.config/hub',
  '.config/rclone/rclone.conf',
  '.config/stripe/config.toml',
  '.docker/config.json',
  '.gem/credentials',
  '.gemini/oauth_creds.json',
  '.hanzo/config.json',
  '.hanzo/credentials.json',
  '.hanzo/mcp_token',
  '.kube/config',
  '.local/share/opencode/auth.json',
  '.m2/settings-security.xml',
  '.npmrc',
  '.pypirc',
  '.s3cfg',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.yarnrc.yml',
]);

/** Of `SECRET_NAMES`, those that programs look for in the home directory itself. */
const SECRET_HOME_NAMES: readonly string[] = ['.netrc', '_netrc', '.git-credentials', '.pgpass'];

/**
 * File names that hold credentials or private keys wherever they lie. A source file about keys is none: after
 * `private_key` only the endings that key files have count.
 */
const SECRET_NAMES =
  /^(id_(rsa|dsa|ecdsa|ed25519)(_sk)?|[._]netrc|\.git-credentials|\.pgpass|.*\.(kdbx|jks|keystore|p12|pfx|ppk|keytab|key)|(.*[_.-])?private[_-]?key(\.(pem|key|der|p8|pk8|asc|gpg|txt|json))?|.*\.key\.pem|privkey\d*\.pem|ssh_host_.*_key)$/i;

/** First lines of private keys in the forms that OpenSSL, OpenSSH, GnuPG and PuTTY write. */
export const KEY_START =
  /^(?:\xef\xbb\xbf)?\s*(?:-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d)/;

function startsWithKey(head: Uint8Array): boolean {
  return KEY_START.test(Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 200)).toString('latin1'));
}

const SECRET_SYSTEM_FILES: ReadonlySet<string> = new Set([
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/master.passwd',
  '/etc/security/opasswd',
  '/etc/sudoers',
]);

interface SecretFolder {
  readonly real: string;
  readonly readable: RegExp | null;
}

/** The secret folders by name and, where one is a link, also where it really lies. */
function secretFolders(home: string): SecretFolder[] {
  const named = SECRET_FOLDERS.flatMap(([folder, readable]) => {
    const file = path.join(home, folder);
    return [...new Set([file, canonical(file)])].map((real) => ({ real, readable }));
  });
  return [...named, ...SECRET_SYSTEM_FOLDERS.map((folder) => ({ real: folder, readable: null }))];
}

/** `within` for real paths, which a search asks of every file that matches. */
function isBelow(file: string, dir: string): boolean {
  return path.sep === '/'
    ? file.startsWith(dir) && (file.length === dir.length || dir === '/' || file[dir.length] === '/')
    : within(file, dir);
}

function isKeyMaterial(file: string, home: string, folders: readonly SecretFolder[]): boolean {
  if (SECRET_SYSTEM_FILES.has(file) || SECRET_NAMES.test(path.basename(file))) return true;
  if (/^\/proc\/(?:self|\d+)\/(?:task\/\d+\/)?(?:environ|mem)$/.test(file)) return true;
  const inFolder = folders.some(
    ({ real, readable }) => file !== real && isBelow(file, real) && !(readable?.test(path.basename(file)) ?? false),
  );
  return (
    inFolder || (isBelow(file, home) && SECRET_HOME_FILES.has(path.relative(home, file).split(path.sep).join('/')))
  );
}
