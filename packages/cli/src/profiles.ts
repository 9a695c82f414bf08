// Which plane is called, with which key: from the environment, or from a profile that `hanzo login` stored (0600).
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Configuration, DEFAULT_BASE_PATH } from 'hanzoai';
import { UsageError } from './exit.ts';

export interface Profile {
  readonly url: string;
  readonly key: string;
}

export interface Profiles {
  /** used when none is named */
  readonly current: string;
  readonly profiles: ReadonlyMap<string, Profile>;
}

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** `~/.hanzo/cli.json`; HANZO_CONFIG_DIR moves the folder. */
function profilesFile(env: NodeJS.ProcessEnv): string {
  return path.join(env['HANZO_CONFIG_DIR'] || path.join(env['HOME'] || homedir(), '.hanzo'), 'cli.json');
}

export function readProfiles(env: NodeJS.ProcessEnv): Profiles {
  const file = profilesFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: new Map() };
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  let found: { current?: unknown; profiles?: unknown } | null = null;
  try {
    found = JSON.parse(text) as { current?: unknown; profiles?: unknown } | null;
  } catch {
    // said below, without the words of the parser: they quote the file, and a key may be in them
  }
  if (typeof found !== 'object' || found === null)
    throw new UsageError(`${file} is not JSON; remove it and log in again`);
  const profiles = new Map<string, Profile>();
  for (const [name, each] of Object.entries((found.profiles ?? {}) as Record<string, Partial<Profile> | null>)) {
    if (typeof each?.url === 'string' && typeof each.key === 'string')
      profiles.set(name, { url: each.url, key: each.key });
  }
  return { current: typeof found.current === 'string' ? found.current : 'default', profiles };
}

/** Written beside and moved in whole, so that a reader finds one state or the other, and nobody else ever reads it. */
export function writeProfiles(env: NodeJS.ProcessEnv, { current, profiles }: Profiles): void {
  const file = profilesFile(env);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, `${JSON.stringify({ current, profiles: Object.fromEntries(profiles) }, undefined, 2)}\n`, {
      mode: 0o600,
    });
    // the mode above is for a new file only
    chmodSync(next, 0o600);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/** The name as it may be stored. */
function profileName(name: string): string {
  if (!NAME.test(name))
    throw new UsageError(`'${name}' is no name for a profile: letters, digits, '.', '_' and '-' are`);
  return name;
}

/** The name that was asked for, by flag or variable. */
export function namedProfile(flag: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  const name = flag ?? (env['HANZO_PROFILE'] || undefined);
  return name === undefined ? undefined : profileName(name);
}

/** The address the environment names. */
export function addressOf(env: NodeJS.ProcessEnv): string | undefined {
  return env['HANZO_API_URL'] || env['API_URL'] || undefined;
}

/**
 * Who calls which plane: a profile that is named; else HANZO_API_KEY and HANZO_API_URL; else the current profile. A stored
 * key is sent to the plane it was stored for, and nowhere else.
 */
export function configured(flag: string | undefined, env: NodeJS.ProcessEnv): Configuration {
  const { current, profiles } = readProfiles(env);
  const name = namedProfile(flag, env);
  if (name !== undefined) {
    const profile = profiles.get(name);
    if (profile === undefined)
      throw new UsageError(`there is no profile '${name}'; hanzo login --profile ${name} makes it`);
    return configuration(profile.url, profile.key);
  }
  const stored = profiles.get(current);
  const url = addressOf(env);
  const key = env['HANZO_API_KEY'] || undefined;
  if (key !== undefined) return configuration(url ?? stored?.url, key);
  if (url === undefined) return configuration(stored?.url, stored?.key);
  const same = stored !== undefined && configuration(url).basePath === configuration(stored.url).basePath;
  // without a key the public operations still answer
  return configuration(url, same ? stored.key : undefined);
}

export function configuration(url: string = DEFAULT_BASE_PATH, key?: string): Configuration {
  try {
    return new Configuration({ basePath: url, accessToken: key });
  } catch {
    throw new UsageError(`'${url}' is no address of a plane; one is like http://127.0.0.1:4280`);
  }
}
