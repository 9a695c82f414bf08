// The one frozen value that flags, environment and files become. Nothing here touches the disk.
import { homedir } from 'node:os';
import path from 'node:path';

export type AccessLevel = 'read-only' | 'workspace-write' | 'full';
/** off: commands run as they are; on: confined where the machine can; strict: confined and without a network, or not at all */
export type SandboxMode = 'off' | 'on' | 'strict';

/** Everything the running server was told. */
export interface Config {
  /** working directory the server was started for; absolute */
  readonly cwd: string;
  /** directories named by `--root`; absolute; the working directory is a root of its own */
  readonly roots: readonly string[];
  readonly access: AccessLevel;
  /** key material that may be read all the same (`--allow-secret`), absolute paths of files or folders */
  readonly allowSecrets: readonly string[];
  /** names of the server's own credentials that commands may have all the same (`--pass-env`) */
  readonly passEnv: readonly string[];
  /** how commands are confined (`--sandbox`) */
  readonly sandbox: SandboxMode;
  /** the only domains that confined commands reach (`--sandbox-domains`); empty: no such list */
  readonly sandboxDomains: readonly string[];
  /** most bytes of body text in one answer (`--max-output`) */
  readonly maxOutput: number;
  /** one block per answer (`--json-only`) */
  readonly jsonOnly: boolean;
  /** the fetch tool may reach private addresses (`--allow-private`) */
  readonly allowPrivate: boolean;
  /** folder of the search indexes; undefined the user's cache folder; false: none are kept (`--no-index`) */
  readonly indexes: string | false | undefined;
  /** the component registry of `ui`: an http(s) URL or an absolute folder (`--registry`, HANZO_UI_REGISTRY) */
  readonly registry: string | undefined;
  /** tools listed and served, in published order */
  readonly tools: readonly string[];
  /** `~/.hanzo` or `HANZO_CONFIG_HOME` */
  readonly dataDir: string;
  /** package version */
  readonly version: string;
}

/** A config with the documented defaults; tests and embedders override what they need. */
export function defaultConfig(overrides: Partial<Config> = {}): Config {
  return Object.freeze({
    cwd: process.cwd(),
    roots: [],
    access: 'workspace-write' as const,
    allowSecrets: [],
    passEnv: [],
    sandbox: 'off' as const,
    sandboxDomains: [],
    maxOutput: 32_768,
    jsonOnly: false,
    allowPrivate: false,
    indexes: undefined,
    registry: undefined,
    tools: [],
    dataDir: process.env['HANZO_CONFIG_HOME'] ?? path.join(homedir(), '.hanzo'),
    version: '0.0.0',
    ...overrides,
  });
}
