// Where the key-encryption keys come from: the environment, a file, or a file that is made on the first start of an embedded plane.
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';

/** A key of 32 bytes and the name it goes by in rows. */
export interface Kek {
  readonly id: string;
  readonly key: Buffer;
}

/** The first one seals; all open. None: nothing can be sealed. */
export type Keks = readonly Kek[];

export interface KekOptions {
  /** `HANZO_KEK`, and `HANZO_KEK_PREVIOUS` while keys are changed: base64 of 32 bytes each, several previous ones with commas */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** one key a line, base64, the newest first */
  readonly file?: string;
  /** make the file with a new key when it is not there, and the environment has none */
  readonly generate?: boolean;
}

function kekOf(base64: string, origin: string): Kek {
  const key = Buffer.from(base64.trim(), 'base64');
  // a key of another length was cut, or is a password
  if (key.length !== 32 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64.trim()))
    throw new Error(`${origin} must be the base64 of exactly 32 random bytes, as 'openssl rand -base64 32' gives`);
  return { id: createHash('sha256').update('hanzo-cloud kek').update(key).digest('hex').slice(0, 16), key };
}

/**
 * The keys of this plane. The environment's come before the file's, so that a plane moves from one to the other by `rewrap`. Throws an
 * Error that names the variable or the file for what is no key; never shows the key.
 */
export function loadKeks({ env, file, generate = false }: KekOptions): Keks {
  const keks: Kek[] = [];
  if (env.HANZO_KEK?.trim()) keks.push(kekOf(env.HANZO_KEK, 'HANZO_KEK'));
  for (const previous of env.HANZO_KEK_PREVIOUS?.split(',') ?? [])
    if (previous.trim()) keks.push(kekOf(previous, 'HANZO_KEK_PREVIOUS'));
  if (file !== undefined) {
    if (generate && keks.length === 0) makeFile(file);
    if (existsSync(file)) keks.push(...readFile(file));
    else if (keks.length === 0 && !generate) throw new Error(`the key file ${file} is not there`);
  }
  return keks.filter((kek, index) => keks.findIndex(({ id }) => id === kek.id) === index);
}

function readFile(file: string): Kek[] {
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Error(`the key file ${file} can be read by others than its owner: chmod 600 it`);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw new Error(`the key file ${file} holds no key`);
  return lines.map((line) => kekOf(line, `the key file ${file}`));
}

/** Does nothing where there is one: of two starts at once, the first one's key is both's. */
function makeFile(file: string): void {
  let made: number;
  try {
    made = openSync(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  try {
    writeSync(
      made,
      `# The key of this plane's vault. Keep a copy apart from the backups: without it no secret can be read.\n`,
    );
    writeSync(made, `${randomBytes(32).toString('base64')}\n`);
    fsyncSync(made);
  } finally {
    closeSync(made);
  }
  // the name must be on the disk before anything is sealed under the key
  const folder = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
